//! One line: the fields of an event, as JSON or as text.

use std::fmt::{self, Write as _};

use median_edge::text::shows_itself;
use serde::Serialize;
use tracing::field::{Field, Visit};

/// The names that a line has by itself.
const OWN: [&str; 4] = ["timestamp", "level", "requestId", "target"];

/// A JSON object that is being written. What is said of a field is what it is, not its debug form in quotes.
pub(super) struct JsonLine(String);

impl JsonLine {
    pub(super) fn begin(timestamp: &str, level: &str, request_id: &str, target: Option<&str>) -> Self {
        let mut line = Self(String::from("{"));
        line.member("timestamp", &timestamp);
        line.member("level", &level);
        if !request_id.is_empty() {
            line.member("requestId", &request_id);
        }
        if let Some(target) = target {
            line.member("target", &target);
        }
        line
    }

    pub(super) fn end(mut self) -> String {
        self.0.push_str("}\n");
        self.0
    }

    fn member(&mut self, name: &str, value: &impl Serialize) {
        // Texts and numbers always serialize.
        let (Ok(name), Ok(value)) = (serde_json::to_string(name), serde_json::to_string(value)) else {
            return;
        };
        let comma = if self.0.len() > 1 { "," } else { "" };
        let _ = write!(self.0, "{comma}{name}:{value}");
    }

    fn field(&mut self, field: &Field, value: &impl Serialize) {
        if OWN.contains(&field.name()) {
            self.member(&format!("{}_", field.name()), value);
        } else {
            self.member(field.name(), value);
        }
    }
}

impl Visit for JsonLine {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.field(field, &format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.field(field, &value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.field(field, &value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.field(field, &value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.field(field, &value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.field(field, &value);
    }
}

/// A line of text that is being written. What would end it, act on a terminal, or pass for another field, is kept from that.
pub(super) struct TextLine {
    head: String,
    message: String,
    fields: String,
}

impl TextLine {
    pub(super) fn begin(level: &str, request_id: &str) -> Self {
        let space = if request_id.is_empty() { "" } else { " " };
        let head = format!("{level}{space}{request_id}");
        Self { head, message: String::new(), fields: String::new() }
    }

    pub(super) fn end(self) -> String {
        let Self { head, message, fields } = self;
        format!("{head}{message}{fields}\n")
    }
}

impl Visit for TextLine {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let text = format!("{value:?}");
        let _ = match field.name() {
            // Its words stand apart as they are; where it holds what a field is made of, it is quoted like one.
            "message" if !text.contains('=') => {
                write!(self.message, " {}", in_quotes_unless(&text, |c| c == ' '))
            }
            "message" => write!(self.message, " {}", quoted(&text)),
            name => write!(self.fields, " {name}={}", in_quotes_unless(&text, |_| false)),
        };
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }
}

/// Text as it is when it can only be read as one value, and in quotes otherwise. `more` are characters that are fine here.
fn in_quotes_unless(text: &str, more: impl Fn(char) -> bool) -> String {
    let is_plain =
        |c: char| more(c) || (shows_itself(c) && !c.is_whitespace() && !matches!(c, '=' | '"' | '\\'));
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    let mut line = String::with_capacity(text.len() + 2);
    line.push('"');
    for c in text.chars() {
        // A string takes everything.
        let _ = match c {
            '"' | '\\' => write!(line, "\\{c}"),
            c if !shows_itself(c) => write!(line, "\\u{{{:x}}}", u32::from(c)),
            c => line.write_char(c),
        };
    }
    line.push('"');
    line
}
