//! The manifest: what a signed GET answers, made once.

use alloc::vec::Vec;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::field::{Choices, FieldSpec, Kind};
use crate::risk::Risk;
use crate::tool::Tool;

/// The manifest's bytes.
pub(crate) fn manifest<S>(tools: &[Tool<S>], diagnostics: bool) -> Result<Vec<u8>, serde_json::Error> {
    #[derive(serde::Serialize)]
    struct Manifest<'a> {
        version: u8,
        tools: Vec<Entry<'a>>,
        #[serde(skip_serializing_if = "core::ops::Not::not")]
        diagnostics: bool,
    }
    #[derive(serde::Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Entry<'a> {
        name: &'a str,
        description: &'a str,
        risk: Risk,
        input_schema: Schema<'a>,
    }
    fn entry<S>(tool: &Tool<S>) -> Entry<'_> {
        let Tool { name, description, risk, fields, .. } = tool;
        Entry { name, description, risk: *risk, input_schema: Schema(fields) }
    }
    serde_json::to_vec(&Manifest { version: 1, tools: tools.iter().map(entry).collect(), diagnostics })
}

/// A tool's input schema: a flat, closed object in the subset that the platform accepts, and no keyword beyond it.
pub(crate) struct Schema<'a>(pub(crate) &'a [FieldSpec]);

impl Serialize for Schema<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Closed(self.0, Property).serialize(serializer)
    }
}

/// An object with a property for each field, in the order of declaration, and with no other; what a property says is up to
/// the document that it is for.
pub(crate) struct Closed<'a, P>(pub(crate) &'a [FieldSpec], pub(crate) fn(&'a FieldSpec) -> P);

impl<P: Serialize> Serialize for Closed<'_, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let required: Vec<&str> =
            self.0.iter().filter(|field| field.required).map(|field| field.name.as_ref()).collect();
        let mut schema = serializer.serialize_map(None)?;
        schema.serialize_entry("type", "object")?;
        schema.serialize_entry("properties", &Properties(self.0, self.1))?;
        if !required.is_empty() {
            schema.serialize_entry("required", &required)?;
        }
        schema.serialize_entry("additionalProperties", &false)?;
        schema.end()
    }
}

struct Properties<'a, P>(&'a [FieldSpec], fn(&'a FieldSpec) -> P);

impl<P: Serialize> Serialize for Properties<'_, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|field| (field.name.as_ref(), (self.1)(field))))
    }
}

struct Property<'a>(&'a FieldSpec);

impl Serialize for Property<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let field = self.0;
        let mut property = serializer.serialize_map(None)?;
        property.serialize_entry("type", field.kind.schema_type())?;
        if !field.description.is_empty() {
            property.serialize_entry("description", field.description.as_ref())?;
        }
        if field.kind == Kind::Choice {
            property.serialize_entry("enum", &Texts(&field.choices))?;
        }
        property.end()
    }
}

struct Texts<'a>(&'a Choices);

impl Serialize for Texts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter())
    }
}
