//! The input, from what was typed: `orderNumber=1042 amount:=12.50`.

use serde_json::value::RawValue;

use crate::failure::Failure;
use crate::manifest::{Property, Schema};
use crate::text::clean;

/// One field as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Typed {
    name: String,
    value: String,
    /// The value is JSON, and stays as it is.
    raw: bool,
}

impl Typed {
    /// Reads `name=value` or `name:=JSON`.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        let (name, value) = text.split_once('=').ok_or_else(|| {
            Failure::usage(format!("{} is no field.", clean(text)))
                .hint("Write each field as name=value, like orderNumber=1042, or name:=JSON.")
        })?;
        let (name, raw) = name.strip_suffix(':').map_or((name, false), |name| (name, true));
        if name.is_empty() {
            return Err(Failure::usage(format!("{} has no name before the =.", clean(text)))
                .hint("Write each field as name=value, like orderNumber=1042."));
        }
        if raw && serde_json::from_str::<&RawValue>(value).is_err() {
            return Err(Failure::usage(format!("What follows {name}:= is not JSON: {}", clean(value))).hint(
                format!("Write JSON, like {name}:=12 or {name}:='\"text\"', or {name}=… for plain text."),
            ));
        }
        Ok(Self { name: name.to_owned(), value: value.to_owned(), raw })
    }
}

/// The input object, in the order that was typed, and what its author should know of it. Without a schema, the look of
/// a value decides its type.
pub(crate) fn input(typed: &[Typed], schema: Option<&Schema>) -> Result<(String, Vec<String>), Failure> {
    let (mut members, mut notes) = (Vec::<(&str, String)>::new(), Vec::new());
    for field in typed {
        if members.iter().any(|(name, _)| *name == field.name) {
            return Err(Failure::usage(format!("The field {} is there twice.", clean(&field.name)))
                .hint("Give each field once; to send a body like that on purpose, use --input."));
        }
        let property = schema.map(|schema| schema.properties.get(&field.name));
        if property.is_some_and(|property| property.is_none()) {
            notes.push(format!("The tool has no field {}; it is sent all the same.", field.name));
        }
        let value = match property.flatten().map(Property::kind) {
            _ if field.raw => field.value.clone(),
            Some(Some(kind)) => of_kind(field, &kind)?,
            Some(None) | None => by_look(&field.value),
        };
        members.push((&field.name, value));
    }
    let members = members.into_iter().map(|(name, value)| format!("{}:{value}", quoted(name)));
    Ok((format!("{{{}}}", members.collect::<Vec<_>>().join(",")), notes))
}

/// The value in the type that the schema gives the field.
fn of_kind(field: &Typed, kind: &str) -> Result<String, Failure> {
    let Typed { name, value, .. } = field;
    let wanted = match kind {
        "number" | "integer" if is_number(value) => return Ok(value.clone()),
        "boolean" if is_boolean(value) => return Ok(value.clone()),
        "number" | "integer" => "a number",
        "boolean" => "true or false",
        _ => return Ok(quoted(value)),
    };
    Err(Failure::usage(format!("The field {name} takes {wanted}, and {} is not.", shown(value))).hint(
        format!("To send it as text all the same and see the tool refuse it: {name}:='{}'", quoted(value)),
    ))
}

fn by_look(value: &str) -> String {
    if is_number(value) || is_boolean(value) { value.to_owned() } else { quoted(value) }
}

/// Whether it is a number in JSON, which `1e999` is and `0x1` is not.
fn is_number(value: &str) -> bool {
    value.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && value.ends_with(|c: char| c.is_ascii_digit())
        && serde_json::from_str::<&RawValue>(value).is_ok()
}

fn is_boolean(value: &str) -> bool {
    matches!(value, "true" | "false")
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn shown(value: &str) -> String {
    if value.is_empty() { "an empty text".to_owned() } else { clean(value) }
}

#[cfg(test)]
mod tests {
    use super::{Typed, input};
    use crate::manifest::Schema;

    fn schema() -> Schema {
        serde_json::from_str(
            r#"{"properties":{"orderNumber":{"type":"string"},"amount":{"type":"number"},"loud":{"type":"boolean"},
                "size":{"type":"string","enum":["s","m"]},"any":{}}}"#,
        )
        .unwrap()
    }

    fn typed(fields: &[&str]) -> Vec<Typed> {
        fields.iter().map(|field| Typed::parse(field).unwrap()).collect()
    }

    #[test]
    fn the_schema_gives_the_types() {
        let fields = typed(&["amount=12.50", "orderNumber=1042", "loud=true", "size=m", "any=7"]);
        let (text, notes) = input(&fields, Some(&schema())).unwrap();
        assert_eq!(text, r#"{"amount":12.50,"orderNumber":"1042","loud":true,"size":"m","any":7}"#);
        assert!(notes.is_empty());
    }

    #[test]
    fn without_a_schema_the_look_decides() {
        let fields = typed(&["a=1042", "b=true", "c=ORD-1", "d=", "e=01", "f=1e999", "g=-1"]);
        let (text, _) = input(&fields, None).unwrap();
        assert_eq!(text, r#"{"a":1042,"b":true,"c":"ORD-1","d":"","e":"01","f":1e999,"g":-1}"#);
    }

    #[test]
    fn raw_json_stays_as_it_is() {
        let fields = typed(&["orderNumber:=1042", "amount:=\"x\"", "loud:=null", "any:={\"a\":[1]}"]);
        let (text, _) = input(&fields, Some(&schema())).unwrap();
        assert_eq!(text, r#"{"orderNumber":1042,"amount":"x","loud":null,"any":{"a":[1]}}"#);
    }

    #[test]
    fn a_value_may_hold_anything() {
        let fields = typed(&["orderNumber=a=b \"c\"\n"]);
        assert_eq!(input(&fields, Some(&schema())).unwrap().0, r#"{"orderNumber":"a=b \"c\"\n"}"#);
    }

    #[test]
    fn a_value_that_cannot_be_of_its_type_is_refused_with_a_way_to_send_it() {
        let failure = input(&typed(&["amount=twelve"]), Some(&schema())).unwrap_err();
        assert_eq!(failure.message, "The field amount takes a number, and twelve is not.");
        assert!(failure.hint.unwrap().ends_with(r#"amount:='"twelve"'"#));
        assert!(input(&typed(&["loud=yes"]), Some(&schema())).is_err());
        assert!(input(&typed(&["amount="]), Some(&schema())).is_err());
    }

    #[test]
    fn an_unknown_field_is_sent_with_a_note() {
        let (text, notes) = input(&typed(&["x=1"]), Some(&schema())).unwrap();
        assert_eq!(text, r#"{"x":1}"#);
        assert_eq!(notes, ["The tool has no field x; it is sent all the same."]);
    }

    #[test]
    fn what_is_no_field_is_refused() {
        for (text, part) in [("orderNumber", "is no field"), ("=1", "no name"), ("a:={", "not JSON")] {
            let message = Typed::parse(text).unwrap_err().message;
            assert!(message.contains(part), "{message}");
        }
        let twice = input(&typed(&["a=1", "a:=2"]), None).unwrap_err();
        assert_eq!(twice.message, "The field a is there twice.");
    }
}
