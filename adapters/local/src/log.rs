//! One line for each event: text for a person, JSON for a collector.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use median_edge::Event;
use median_edge::event::Level;
use median_edge::text::shows_itself;
use serde::Serialize;

use crate::writer::Writer;

/// How the log is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LogFormat {
    /// Text when standard output is a terminal, JSON otherwise.
    #[default]
    Auto,
    /// One line of text for each event.
    Text,
    /// One JSON object a line, with `timestamp` (RFC 3339, UTC), `level` (`info`, `warn` or `error`) and the members of
    /// the event.
    Json,
    /// Nothing at all: for tests, and where an observer of the endpoint does the logging.
    Off,
}

/// Where lines go. It never fails, never panics and never waits: nobody is served better by a server that ends, or stands
/// still, with its log.
pub(crate) struct Log(Option<(Form, Writer)>);

#[derive(Clone, Copy)]
enum Form {
    Text,
    Json,
}

impl Log {
    pub(crate) fn to_stdout(format: LogFormat) -> Self {
        let form = match format {
            LogFormat::Auto if io::stdout().is_terminal() => Some(Form::Text),
            LogFormat::Auto => Some(Form::Json),
            _ => Form::asked(format),
        };
        Self::start(io::stdout(), form)
    }

    /// `Auto` is JSON here: what is written to is no terminal that we know of.
    pub(crate) fn to(out: impl Write + Send + 'static, format: LogFormat) -> Self {
        let form = if format == LogFormat::Auto { Some(Form::Json) } else { Form::asked(format) };
        Self::start(out, form)
    }

    fn start(out: impl Write + Send + 'static, form: Option<Form>) -> Self {
        Self(form.map(|form| {
            let told = match form {
                Form::Text => |lines| dropped(Form::Text, lines),
                Form::Json => |lines| dropped(Form::Json, lines),
            };
            (form, Writer::start(out, told))
        }))
    }

    pub(crate) fn event(&self, now_ms: u64, event: &Event<'_>) {
        let Some((form, writer)) = &self.0 else { return };
        let level = event.level();
        writer.line(match form {
            Form::Text => format!("{} {:5} {event}\n", time(now_ms), level.as_str()),
            Form::Json => json(now_ms, level, event),
        });
    }

    /// Says something that is not about one answered request.
    pub(crate) fn note(&self, now_ms: u64, level: Level, message: &str) {
        let Some((form, writer)) = &self.0 else { return };
        writer.line(note(*form, now_ms, level, message));
    }

    /// Waits until everything is written, but not for longer than so.
    pub(crate) fn flush(&self, limit: Duration) {
        if let Some((_, writer)) = &self.0 {
            writer.flush(limit);
        }
    }
}

impl Form {
    fn asked(format: LogFormat) -> Option<Self> {
        match format {
            LogFormat::Text => Some(Self::Text),
            LogFormat::Json => Some(Self::Json),
            LogFormat::Auto | LogFormat::Off => None,
        }
    }
}

fn dropped(form: Form, lines: u64) -> String {
    let message = format!("{lines} lines of this log were dropped: nobody took them in time");
    note(form, now_ms(), Level::Error, &message)
}

fn note(form: Form, now_ms: u64, level: Level, message: &str) -> String {
    #[derive(Serialize)]
    struct Note<'a> {
        message: &'a str,
    }
    match form {
        Form::Text => format!("{} {:5} {message}\n", time(now_ms), level.as_str()),
        Form::Json => json(now_ms, level, &Note { message }),
    }
}

fn json(now_ms: u64, level: Level, about: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Line<'a, T: Serialize> {
        timestamp: String,
        level: Level,
        #[serde(flatten)]
        about: &'a T,
    }
    let line = Line { timestamp: time(now_ms), level, about };
    // Text and numbers always serialize; the empty line keeps this free of a panic all the same.
    let mut line = plain(serde_json::to_string(&line).unwrap_or_default());
    line.push('\n');
    line
}

/// JSON that is the same to a parser, and nothing but text to a terminal, an editor, or a reader of lines. JSON itself
/// escapes the control characters of ASCII; outside of ASCII, everything is inside a string.
fn plain(json: String) -> String {
    // DEL is the first of them.
    if json.bytes().all(|byte| byte < 0x7f) {
        return json;
    }
    let mut plain = String::with_capacity(json.len());
    for c in json.chars() {
        if shows_itself(c) {
            plain.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // A string takes everything.
                let _ = write!(plain, "\\u{unit:04x}");
            }
        }
    }
    plain
}

/// The system's clock. One before 1970 makes every request stale, which says what is wrong.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn time(now_ms: u64) -> String {
    humantime::format_rfc3339_millis(UNIX_EPOCH + Duration::from_millis(now_ms)).to_string()
}
