//! A tool's input as this document describes it: the same fields as in the endpoint's own manifest, without its limits
//! on what a schema may say.
//!
//! So an integer is an `integer`, and the checks are there. JSON Schema counts a string's Unicode characters and the
//! endpoint counts UTF-16 code units, as the platform does: in a text with emoji the two differ, and the endpoint decides.

use alloc::vec::Vec;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::field::{Bound, FieldSpec, Kind};

/// The whole numbers that every reader of JSON takes exactly.
const SAFE: i128 = (1 << 53) - 1;

pub(super) struct Input<'a>(pub(super) &'a [FieldSpec]);

impl Serialize for Input<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let required: Vec<&str> =
            self.0.iter().filter(|field| field.required).map(|field| field.name.as_ref()).collect();
        let mut schema = serializer.serialize_map(None)?;
        schema.serialize_entry("type", "object")?;
        schema.serialize_entry("properties", &Properties(self.0))?;
        if !required.is_empty() {
            schema.serialize_entry("required", &required)?;
        }
        schema.serialize_entry("additionalProperties", &false)?;
        schema.end()
    }
}

struct Properties<'a>(&'a [FieldSpec]);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|field| (field.name.as_ref(), Property(field))))
    }
}

struct Property<'a>(&'a FieldSpec);

impl Serialize for Property<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let FieldSpec { kind, description, choices, checks, .. } = self.0;
        let (is_integer, range) = match kind {
            Kind::Integer { min, max } => (true, [Some(Bound::Integer(*min)), Some(Bound::Integer(*max))]),
            _ => (false, [None, None]),
        };
        let [least, greatest] = range;
        let mut property = serializer.serialize_map(None)?;
        property.serialize_entry("type", if is_integer { "integer" } else { kind.schema_type() })?;
        if !description.is_empty() {
            property.serialize_entry("description", description.as_ref())?;
        }
        if *kind == Kind::Choice {
            property.serialize_entry("enum", &choices.iter().collect::<Vec<_>>())?;
        }
        if let Some(min) = tighter(checks.min, least, f64::max) {
            property.serialize_entry("minimum", &min)?;
        }
        if let Some(max) = tighter(checks.max, greatest, f64::min) {
            property.serialize_entry("maximum", &max)?;
        }
        if let Some(length) = checks.min_length {
            property.serialize_entry("minLength", &length)?;
        }
        if let Some(length) = checks.max_length {
            property.serialize_entry("maxLength", &length)?;
        }
        if checks.not_blank {
            property.serialize_entry("pattern", r"\S")?;
        }
        property.end()
    }
}

/// The end of the range that leaves less, if it says more than that a number is one.
fn tighter(check: Option<Bound>, kind: Option<Bound>, choose: fn(f64, f64) -> f64) -> Option<Number> {
    let bound = match (check, kind) {
        (Some(check), Some(kind)) => {
            let chosen = choose(check.as_f64(), kind.as_f64());
            #[allow(clippy::float_cmp)] // It is one of the two.
            Some(if chosen == check.as_f64() { check } else { kind })
        }
        (check, kind) => check.or(kind),
    };
    match bound? {
        Bound::Integer(value) if value.abs() <= SAFE => i64::try_from(value).ok().map(Number::Whole),
        Bound::Integer(_) => None,
        Bound::Number(value) => Some(Number::Fraction(value)),
    }
}

#[derive(serde::Serialize)]
#[serde(untagged)]
enum Number {
    Whole(i64),
    Fraction(f64),
}
