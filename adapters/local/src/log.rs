//! One line for each event: text for a person, JSON for a collector.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use median_edge::Event;
use median_edge::event::Level;
use serde::Serialize;

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

/// Where lines go. It never fails and never panics: nobody is served better by a server that ends with its log.
pub(crate) struct Log {
    form: Option<Form>,
    out: Mutex<Box<dyn Write + Send>>,
}

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
        Self { form, out: Mutex::new(Box::new(io::stdout())) }
    }

    /// `Auto` is JSON here: what is written to is no terminal that we know of.
    pub(crate) fn to(out: impl Write + Send + 'static, format: LogFormat) -> Self {
        let form = if format == LogFormat::Auto { Some(Form::Json) } else { Form::asked(format) };
        Self { form, out: Mutex::new(Box::new(out)) }
    }

    pub(crate) fn event(&self, now_ms: u64, event: &Event<'_>) {
        let level = event.level();
        match self.form {
            None => {}
            Some(Form::Text) => self.write(format!("{} {:5} {event}\n", time(now_ms), level.as_str())),
            Some(Form::Json) => self.json(now_ms, level, event),
        }
    }

    /// Says something that is not about one answered request.
    pub(crate) fn note(&self, now_ms: u64, level: Level, message: &str) {
        #[derive(Serialize)]
        struct Note<'a> {
            message: &'a str,
        }
        match self.form {
            None => {}
            Some(Form::Text) => self.write(format!("{} {:5} {message}\n", time(now_ms), level.as_str())),
            Some(Form::Json) => self.json(now_ms, level, &Note { message }),
        }
    }

    fn json(&self, now_ms: u64, level: Level, about: &impl Serialize) {
        #[derive(Serialize)]
        struct Line<'a, T: Serialize> {
            timestamp: String,
            level: Level,
            #[serde(flatten)]
            about: &'a T,
        }
        let line = Line { timestamp: time(now_ms), level, about };
        if let Ok(mut line) = serde_json::to_string(&line) {
            line.push('\n');
            self.write(line);
        }
    }

    /// A line is one write, so that lines of several threads never mix. A reader that went away costs the line only.
    fn write(&self, line: impl AsRef<[u8]>) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = out.write_all(line.as_ref()).and_then(|()| out.flush());
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

fn time(now_ms: u64) -> String {
    humantime::format_rfc3339_millis(UNIX_EPOCH + Duration::from_millis(now_ms)).to_string()
}
