//! Holding an input to its tool's schema.
//!
//! The text that is checked here is the text that is kept and sent: a member that is there twice is refused, since who
//! approves it and who runs it could read different ones.

use super::json::{Json, quoted};
use super::limits::INPUT_BYTES;
use super::problem::{Code, Problem};
use super::text::first;
use super::tool::{Field, FieldKind};

/// The input as it is kept: a JSON object, without white space around it.
pub(crate) fn object(text: &str) -> Result<(String, Json), Problem> {
    let bad = |message: String| Problem::new(Code::InvalidInput, message);
    if text.len() > INPUT_BYTES {
        return Err(bad(format!("The input has {} bytes; {INPUT_BYTES} is the most.", text.len())));
    }
    let text = text.trim_matches([' ', '\t', '\n', '\r']);
    // A number that no f64 holds makes serde_json refuse the whole text; it is no input either.
    let json: Json = serde_json::from_str(text).map_err(|error| {
        bad(format!("The input is not JSON: {error}. Give an object with the tool's fields."))
    })?;
    if json.members().is_none() {
        return Err(bad(format!(
            "The input is {}, not an object. Give an object with the tool's fields.",
            json.kind()
        )));
    }
    Ok((text.to_owned(), json))
}

/// Checks an input against the fields of its tool. The first mistake is named.
pub(crate) fn check(fields: &[Field], input: &Json) -> Result<(), Problem> {
    let bad = |message: String| Err(Problem::new(Code::InvalidInput, message));
    let members = input.members().unwrap_or_default();
    for field in fields {
        let mut values = members.iter().filter(|(name, _)| *name == field.name).map(|(_, value)| value);
        match (values.next(), values.next()) {
            (None, _) if field.required => return bad(format!("{} is needed to run this.", field.name)),
            (None, _) => {}
            (Some(_), Some(_)) => return bad(format!("{} is there twice.", field.name)),
            (Some(value), None) => {
                if let Some(expected) = unfit(field, value) {
                    return bad(format!("{} must be {expected}, and is {}.", field.name, value.kind()));
                }
            }
        }
    }
    match members.iter().find(|(name, _)| fields.iter().all(|field| field.name != *name)) {
        Some((name, _)) => bad(format!("{} is not a field of this tool.", quoted(first(name, 64).0))),
        None => Ok(()),
    }
}

/// What the field takes, when this is not it.
fn unfit(field: &Field, value: &Json) -> Option<String> {
    let fits = match (field.kind, value) {
        (FieldKind::String, Json::Text(text)) => match &field.choices {
            Some(choices) if !choices.contains(text) => {
                return Some(format!("one of {}", choices.join(", ")));
            }
            _ => true,
        },
        (FieldKind::Number, Json::Number(number)) => number.is_finite(),
        (FieldKind::Integer, Json::Number(number)) => number.is_finite() && number.fract() == 0.0,
        (FieldKind::Boolean, Json::Bool(_)) => true,
        _ => false,
    };
    let expected = match field.kind {
        FieldKind::String => "text",
        FieldKind::Number => "a number",
        FieldKind::Integer => "a whole number",
        FieldKind::Boolean => "true or false",
    };
    (!fits).then(|| expected.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{check, object};
    use crate::domain::tool::{Field, FieldKind};

    fn message(input: &str) -> String {
        let field = |name: &str, kind, required, choices: Option<&[&str]>| Field {
            name: name.to_owned(),
            kind,
            description: None,
            required,
            choices: choices.map(|list| list.iter().map(|text| (*text).to_owned()).collect()),
        };
        let fields = [
            field("orderNumber", FieldKind::String, true, None),
            field("cents", FieldKind::Integer, false, None),
            field("color", FieldKind::String, false, Some(&["red", "blue"])),
            field("sure", FieldKind::Boolean, false, None),
        ];
        let checked = object(input).and_then(|(_, json)| check(&fields, &json));
        checked.map_or_else(|problem| problem.message().to_owned(), |()| "good".to_owned())
    }

    #[test]
    fn an_error_names_the_field() {
        assert_eq!(message("{}"), "orderNumber is needed to run this.");
        assert_eq!(message(r#"{"orderNumber":7}"#), "orderNumber must be text, and is a number.");
        assert_eq!(message(r#"{"orderNumber":null}"#), "orderNumber must be text, and is null.");
        assert_eq!(
            message(r#"{"orderNumber":"a","cents":1.5}"#),
            "cents must be a whole number, and is a number."
        );
        assert_eq!(
            message(r#"{"orderNumber":"a","color":"green"}"#),
            "color must be one of red, blue, and is text."
        );
        assert_eq!(
            message(r#"{"orderNumber":"a","sure":1}"#),
            "sure must be true or false, and is a number."
        );
        assert_eq!(message(r#"{"orderNumber":"a","other":1}"#), "\"other\" is not a field of this tool.");
    }

    #[test]
    fn a_field_that_is_there_twice_is_refused() {
        assert_eq!(message(r#"{"orderNumber":"a","orderNumber":"b"}"#), "orderNumber is there twice.");
    }

    #[test]
    fn what_fits_is_kept_as_it_is_written() {
        let text = " {\"orderNumber\" : \"a\\u0041\", \"cents\":1e2}\n";
        assert_eq!(message(text), "good");
        assert_eq!(object(text).unwrap().0, text.trim());
    }

    #[test]
    fn what_is_no_object_says_so() {
        assert!(message("[]").contains("a list, not an object"));
        assert!(message("{").contains("not JSON"));
        assert!(message(r#"{"orderNumber":"a","cents":1e999}"#).contains("not JSON"));
    }
}
