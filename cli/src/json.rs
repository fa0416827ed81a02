//! JSON as it came: members in their order, numbers in their own digits, and text that is safe to show.
//!
//! What an endpoint answers is shown, not interpreted: read into a `Value` and written again, it would have another
//! order and other digits than those that the agent reads.

use std::fmt;
use std::marker::PhantomData;

use median_edge::text::shows_itself;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Past this depth nothing is indented any more, so that nesting cannot make a small text huge.
const DEEPEST_INDENT: usize = 16;

/// What JSON has between tokens.
const BLANK: [char; 4] = [' ', '\t', '\n', '\r'];

/// An object's members in the order they came.
#[derive(Clone, Debug)]
pub(crate) struct Members<T>(pub(crate) Vec<(String, T)>);

impl<T> Default for Members<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Members<T> {
    /// The member of this name. Of several the last, as JavaScript reads it.
    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().rev().find(|(member, _)| member == name).map(|(_, value)| value)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Members<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for InOrder<T> {
            type Value = Members<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder(PhantomData))
    }
}

/// Writes a document of ours.
pub(crate) fn write<T: serde::Serialize>(document: &T) -> String {
    // Our documents are strings, numbers and JSON that was read: nothing in them can fail to serialize.
    serde_json::to_string_pretty(document).unwrap_or_default()
}

/// Writes a document of ours on one line.
pub(crate) fn line<T: serde::Serialize>(document: &T) -> String {
    serde_json::to_string(document).unwrap_or_default()
}

/// The text of a JSON string, or nothing when it is something else.
pub(crate) fn string(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// JSON on one line without white space, each string in its shortest form: how JavaScript writes it, digits of
/// numbers aside.
pub(crate) fn compact(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for token in tokens(json) {
        // Half of a surrogate pair is no Rust string, and stays as it is.
        let shortest = token
            .starts_with('"')
            .then(|| serde_json::from_str::<String>(token).ok())
            .flatten()
            .and_then(|string| serde_json::to_string(&string).ok());
        text.push_str(shortest.as_deref().unwrap_or(token));
    }
    text
}

/// JSON over several lines, for people.
pub(crate) fn pretty(json: &str) -> String {
    let mut text = String::with_capacity(json.len() * 2);
    let mut depth = 0_usize;
    let line = |text: &mut String, depth: usize| {
        text.push('\n');
        text.push_str(&"  ".repeat(depth.min(DEEPEST_INDENT)));
    };
    let mut tokens = tokens(json).peekable();
    while let Some(token) = tokens.next() {
        match token {
            "{" | "[" => {
                text.push_str(token);
                if let Some(end) = tokens.next_if(|next| matches!(*next, "}" | "]")) {
                    text.push_str(end);
                } else {
                    depth += 1;
                    line(&mut text, depth);
                }
            }
            "}" | "]" => {
                depth = depth.saturating_sub(1);
                line(&mut text, depth);
                text.push_str(token);
            }
            "," => {
                text.push(',');
                line(&mut text, depth);
            }
            ":" => text.push_str(": "),
            other => text.push_str(other),
        }
    }
    text
}

/// JSON on one line, with a space where there was white space: each token is as it came.
pub(crate) fn one_line(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let mut rest = json;
    for token in tokens(json) {
        let blank = rest.len() - rest.trim_start_matches(BLANK).len();
        if blank > 0 && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(token);
        rest = &rest[blank + token.len()..];
    }
    text
}

/// JSON whose strings hold nothing that a terminal would act on; it says the same as before.
pub(crate) fn safe(json: &str) -> String {
    let mut units = [0; 2];
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        if shows_itself(c) || c == '\n' {
            safe.push(c);
        } else {
            safe.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    safe
}

/// The tokens of a text that is known to be JSON.
fn tokens(json: &str) -> impl Iterator<Item = &str> {
    let mut rest = json;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(BLANK);
        let length = match rest.bytes().next()? {
            b'"' => string_length(rest),
            b'{' | b'}' | b'[' | b']' | b':' | b',' => 1,
            _ => rest.find([',', ':', ']', '}', ' ', '\t', '\n', '\r']).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        Some(token)
    })
}

/// How many bytes the string takes that the text begins with, its quotation marks included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{Members, compact, one_line, pretty, safe};
    use serde_json::value::RawValue;

    const TEXT: &str = r#" { "z" : 1.50 , "a":[ ], "b" : [1e999, {"c\"}":"\u00e9\ud83d"} ] } "#;

    #[test]
    fn a_compact_text_keeps_order_and_digits_and_shortens_strings() {
        assert_eq!(compact(TEXT), r#"{"z":1.50,"a":[],"b":[1e999,{"c\"}":"\u00e9\ud83d"}]}"#);
        assert_eq!(compact(r#""\u00e9\/""#), "\"é/\"");
    }

    #[test]
    fn a_pretty_text_says_the_same_over_several_lines() {
        assert_eq!(
            pretty(r#"{"a":{},"b":[1,"x"]}"#),
            "{\n  \"a\": {},\n  \"b\": [\n    1,\n    \"x\"\n  ]\n}"
        );
        assert_eq!(compact(&pretty(TEXT)), compact(TEXT));
    }

    #[test]
    fn no_white_space_pushes_a_member_away_and_strings_stay_as_they_are() {
        let text = format!("{{\"a\":{}\"b  c\\u0041\",\n\n\r\t\"d\" : 1.50}}\n", " ".repeat(9_000));
        assert_eq!(one_line(&text), r#"{"a": "b  c\u0041", "d" : 1.50}"#);
    }

    #[test]
    fn deep_nesting_does_not_blow_a_text_up() {
        let deep = format!("{}{}", "[".repeat(2_000), "]".repeat(2_000));
        assert!(pretty(&deep).len() < 40 * deep.len());
    }

    #[test]
    fn a_safe_text_is_the_same_json() {
        let hostile = "\"\u{9b}31m\u{202e}x\u{e0001}\"";
        assert_eq!(safe(hostile), r#""\u009b31m\u202ex\udb40\udc01""#);
        let read = |text: &str| serde_json::from_str::<String>(text).unwrap();
        assert_eq!(read(&safe(hostile)), read(hostile));
    }

    #[test]
    fn members_keep_their_order_and_the_last_of_a_name_counts() {
        let members: Members<&RawValue> = serde_json::from_str(r#"{"z":1,"a":2,"z":3}"#).unwrap();
        let names: Vec<_> = members.0.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["z", "a", "z"]);
        assert_eq!(members.get("z").unwrap().get(), "3");
    }
}
