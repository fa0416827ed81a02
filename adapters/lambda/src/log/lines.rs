//! A subscriber that writes each event as one line, with the id of the invocation that is in hand.
//!
//! It is this small because a function handles one invocation at a time: there is no span to be told from another. An
//! application that wants spans in its log subscribes what it likes before it runs the endpoint.

use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use super::TARGET;
use super::line::{JsonLine, TextLine};

/// How lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One JSON object, with the names that AWS reads: `timestamp`, `level`, `requestId`, `message`.
    Json,
    /// The level, the invocation's id, the message, and the other fields.
    Text,
}

/// The id of the invocation in hand.
static REQUEST_ID: Mutex<String> = Mutex::new(String::new());

/// Whatever is logged from here on belongs to an invocation.
pub(crate) fn enter_request(id: &str) {
    let mut current = REQUEST_ID.lock().unwrap_or_else(PoisonError::into_inner);
    current.clear();
    current.push_str(id);
}

pub(super) struct Lines<W> {
    form: Form,
    most: LevelFilter,
    write: W,
}

impl<W: Fn(&str)> Lines<W> {
    /// Lines of a level and of those above it, as AWS names them; `INFO` unless said.
    pub(super) fn new(form: Form, level: Option<&str>, write: W) -> Self {
        let most = match level.map(str::to_ascii_uppercase).as_deref() {
            Some("TRACE") => LevelFilter::TRACE,
            Some("DEBUG") => LevelFilter::DEBUG,
            Some("WARN") => LevelFilter::WARN,
            Some("ERROR" | "FATAL") => LevelFilter::ERROR,
            _ => LevelFilter::INFO,
        };
        Self { form, most, write }
    }
}

impl<W: Fn(&str) + 'static> Subscriber for Lines<W> {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        // At its most talkative, the runtime logs events whole: customers' data, and signatures.
        let whole = *metadata.level() == Level::TRACE && metadata.target().starts_with("lambda_runtime");
        *metadata.level() <= self.most && !whole
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.most)
    }

    fn event(&self, event: &Event<'_>) {
        let request_id = REQUEST_ID.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let level = event.metadata().level().as_str();
        let target = Some(event.metadata().target()).filter(|target| *target != TARGET);
        let line = match self.form {
            Form::Json => {
                let timestamp = humantime::format_rfc3339_millis(SystemTime::now()).to_string();
                let mut line = JsonLine::begin(&timestamp, level, &request_id, target);
                event.record(&mut line);
                line.end()
            }
            Form::Text => {
                let mut line = TextLine::begin(level, &request_id);
                event.record(&mut line);
                line.end()
            }
        };
        (self.write)(&line);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[cfg(test)]
mod tests {
    use super::{Form, Lines, enter_request};
    use serde_json::Value;
    use std::sync::{Arc, Mutex};

    /// What is written while something is done.
    fn written(form: Form, level: Option<&str>, work: impl FnOnce()) -> String {
        let written = Arc::new(Mutex::new(String::new()));
        let lines = {
            let written = Arc::clone(&written);
            Lines::new(form, level, move |line: &str| written.lock().unwrap().push_str(line))
        };
        tracing::subscriber::with_default(lines, work);
        let written = written.lock().unwrap();
        written.clone()
    }

    #[test]
    fn a_line_of_json_has_the_names_that_aws_reads() {
        enter_request("8d6f");
        let line = written(Form::Json, None, || {
            tracing::warn!(target: "median_edge", n = 3, ok = true, level = "x", none = None::<&str>, "it's \"{}\"\n", "odd");
        });
        let line: Value = serde_json::from_str(line.strip_suffix('\n').unwrap()).unwrap();
        let timestamp = line["timestamp"].as_str().unwrap();
        assert!(
            timestamp.ends_with('Z') && timestamp.len() == "2026-01-01T00:00:00.000Z".len(),
            "{timestamp}"
        );
        let expected = serde_json::json!({
            "timestamp": timestamp, "level": "WARN", "requestId": "8d6f", "message": "it's \"odd\"\n", "n": 3, "ok": true,
            "level_": "x",
        });
        assert_eq!(line, expected);
    }

    /// A line of text ends so. It begins with an invocation that may be another test's.
    #[track_caller]
    fn ends(work: impl FnOnce(), expected: &str) {
        let line = written(Form::Text, None, work);
        assert!(line.starts_with("ERROR ") && line.ends_with(&format!(" {expected}\n")), "{line}");
        assert_eq!(line.lines().count(), 1, "{line}");
    }

    #[test]
    fn a_line_of_text_is_one_line() {
        let work = || tracing::error!(target: "median_edge", tool = "a\u{1b}b", "one\ntwo");
        ends(work, r#""one\u{a}two" tool="a\u{1b}b""#);
    }

    #[test]
    fn plain_words_and_values_stay_plain() {
        let work = || tracing::error!(target: "median_edge", tool = "orderStatus", n = 3, "it's so, is it?");
        ends(work, "it's so, is it? tool=orderStatus n=3");
    }

    #[test]
    fn no_value_passes_for_another_field() {
        for (value, expected) in [
            ("a tool=b", r#"said v="a tool=b""#),
            ("a=b", r#"said v="a=b""#),
            (r#"a" tool="b"#, r#"said v="a\" tool=\"b""#),
            (r#"a\" tool=b"#, r#"said v="a\\\" tool=b""#),
            ("", r#"said v="""#),
            ("a\u{a0}tool", "said v=\"a\u{a0}tool\""),
        ] {
            ends(|| tracing::error!(target: "median_edge", v = value, "said"), expected);
        }
        let work = || tracing::error!(target: "median_edge", tool = "real", "said tool=fake");
        ends(work, r#""said tool=fake" tool=real"#);
        let work = || tracing::error!(target: "median_edge", tool = "real", "said \" ok\"");
        ends(work, r#""said \" ok\"" tool=real"#);
    }

    #[test]
    fn what_is_not_seen_or_turns_the_writing_around_is_shown_by_its_number() {
        for number in [0x202e, 0x2066, 0x200b, 0x200f, 0xfeff, 0x2028, 0x85, 0xe0041, 0xe0100, 0xad] {
            let c = char::from_u32(number).unwrap();
            let work = || tracing::error!(target: "median_edge", v = format!("a{c}b"), "m{c}n");
            ends(work, &format!(r#""m\u{{{number:x}}}n" v="a\u{{{number:x}}}b""#));
        }
    }

    #[test]
    fn the_level_is_what_aws_asks_for() {
        let all = || {
            tracing::trace!("t");
            tracing::debug!("d");
            tracing::info!("i");
            tracing::warn!("w");
            tracing::error!("e");
        };
        for (level, lines) in [
            (None, 3),
            (Some("TRACE"), 5),
            (Some("debug"), 4),
            (Some("WARN"), 2),
            (Some("FATAL"), 1),
            (Some("x"), 3),
        ] {
            assert_eq!(written(Form::Text, level, all).lines().count(), lines, "{level:?}");
        }
    }

    #[test]
    fn what_the_runtime_says_of_whole_events_is_never_written() {
        let whole = || tracing::trace!(target: "lambda_runtime::runtime", "body");
        assert_eq!(written(Form::Json, Some("TRACE"), whole), "");
    }
}
