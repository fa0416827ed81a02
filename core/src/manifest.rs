//! The manifest: what a signed GET answers, made once.

//!
//! Its bytes are put together by hand: what `serde` derives for it makes a Worker 1 KB larger. Texts are written by
//! `serde_json` all the same.

use alloc::vec::Vec;

use crate::field::{FieldSpec, Kind};
use crate::risk::Risk;
use crate::text::characters;
use crate::tool::Tool;

/// The manifest's bytes.
pub(crate) fn manifest<S>(tools: &[Tool<S>], diagnostics: bool) -> Vec<u8> {
    let tools = tools.iter().map(|tool| (&*tool.name, &*tool.description, tool.risk, &*tool.fields));
    let mut json = Json::default();
    json.raw(r#"{"version":1,"tools":["#);
    for (at, (name, description, risk, fields)) in tools.enumerate() {
        json.comma(at);
        json.entry(name, description, risk, fields);
    }
    json.raw(if diagnostics { r#"],"diagnostics":true}"# } else { "]}" });
    json.0
}

/// How many characters a tool's input schema has.
pub(crate) fn schema_characters(fields: &[FieldSpec]) -> usize {
    let mut json = Json::default();
    json.schema(fields);
    // It is made of texts.
    core::str::from_utf8(&json.0).map_or(0, characters)
}

#[derive(Default)]
struct Json(Vec<u8>);

impl Json {
    fn raw(&mut self, json: &str) {
        self.0.extend_from_slice(json.as_bytes());
    }

    fn comma(&mut self, at: usize) {
        if at > 0 {
            self.raw(",");
        }
    }

    fn text(&mut self, text: &str) {
        // A text can always be written.
        self.raw(&serde_json::to_string(text).unwrap_or_default());
    }

    fn texts(&mut self, texts: &mut dyn Iterator<Item = &str>) {
        self.raw("[");
        for (at, text) in texts.enumerate() {
            self.comma(at);
            self.text(text);
        }
        self.raw("]");
    }

    fn entry(&mut self, name: &str, description: &str, risk: Risk, fields: &[FieldSpec]) {
        self.raw(r#"{"name":"#);
        self.text(name);
        self.raw(r#","description":"#);
        self.text(description);
        self.raw(r#","risk":"#);
        self.text(risk.as_str());
        self.raw(r#","inputSchema":"#);
        self.schema(fields);
        self.raw("}");
    }

    /// A flat, closed object in the subset that the platform accepts, and no keyword beyond it.
    fn schema(&mut self, fields: &[FieldSpec]) {
        self.raw(r#"{"type":"object","properties":{"#);
        for (at, field) in fields.iter().enumerate() {
            self.comma(at);
            self.text(&field.name);
            self.raw(r#":{"type":"#);
            self.text(field.kind.schema_type());
            if !field.description.is_empty() {
                self.raw(r#","description":"#);
                self.text(&field.description);
            }
            if field.kind == Kind::Choice {
                self.raw(r#","enum":"#);
                self.texts(&mut field.choices.iter());
            }
            self.raw("}");
        }
        self.raw("}");
        if fields.iter().any(|field| field.required) {
            self.raw(r#","required":"#);
            self.texts(&mut fields.iter().filter(|field| field.required).map(|field| &*field.name));
        }
        self.raw(r#","additionalProperties":false}"#);
    }
}
