//! Walking JSON without building it.
//!
//! An object is walked once, each value kept as its own text: a value is only parsed by whoever knows what it has to
//! be. `serde_json` skips such a value without recursion, so nesting of any depth is safe, and each byte is looked at a
//! fixed number of times.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer as _, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Why a walk stopped.
#[derive(Debug, PartialEq)]
pub(crate) enum Stopped<E> {
    /// The text is not JSON, or goes on after it: where, as line and column.
    NotJson { line: usize, column: usize },
    /// The text is another kind of value.
    NotAnObject,
    /// Whoever looks at the members stopped it.
    ByVisitor(E),
}

/// Walks an object: `name` says what a key (unescaped; a half of a surrogate pair is three bytes that are not UTF-8)
/// is, `member` takes that and the value's text.
pub(crate) fn walk<'a, K, E>(
    text: &'a str,
    name: impl FnMut(&[u8]) -> K,
    member: impl FnMut(K, &'a str) -> Result<(), E>,
) -> Result<(), Stopped<E>> {
    let mut stopped = None;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let walked = deserializer
        .deserialize_map(Walk { name, member, stopped: &mut stopped })
        .and_then(|()| deserializer.end());
    match (stopped, walked) {
        (Some(error), _) => Err(Stopped::ByVisitor(error)),
        (None, Ok(())) => Ok(()),
        (None, Err(error)) if error.is_data() => Err(Stopped::NotAnObject),
        (None, Err(error)) => Err(Stopped::NotJson { line: error.line(), column: error.column() }),
    }
}

/// Whether a text is JSON, to the last character of its strings. Reading strings as bytes does not look at those.
pub(crate) fn is_json(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}

struct Walk<'s, N, M, E> {
    name: N,
    member: M,
    stopped: &'s mut Option<E>,
}

impl<'de, K, N, M, E> Visitor<'de> for Walk<'_, N, M, E>
where
    N: FnMut(&[u8]) -> K,
    M: FnMut(K, &'de str) -> Result<(), E>,
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(Name(Strings::AsBytes, &mut self.name))? {
            let value: &RawValue = map.next_value()?;
            if let Err(error) = (self.member)(key, value.get()) {
                *self.stopped = Some(error);
                return Err(A::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

/// How a string is read.
///
/// Half of a surrogate pair is the one thing that a JSON string may hold and a Rust string may not. Reading strings as
/// text is the faster way, and stops there; reading them as bytes goes on, with three bytes that are not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strings {
    AsText,
    AsBytes,
}

impl Strings {
    fn read<'de, D: serde::Deserializer<'de>, V: Visitor<'de>>(
        self,
        deserializer: D,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        match self {
            Self::AsText => deserializer.deserialize_str(visitor),
            Self::AsBytes => deserializer.deserialize_bytes(visitor),
        }
    }
}

/// Reads a member's name through a function of its bytes, unescaped.
pub(crate) struct Name<N>(pub(crate) Strings, pub(crate) N);

impl<'de, K, N: FnMut(&[u8]) -> K> DeserializeSeed<'de> for Name<N> {
    type Value = K;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<K, D::Error> {
        self.0.read(deserializer, self)
    }
}

impl<K, N: FnMut(&[u8]) -> K> Visitor<'_> for Name<N> {
    type Value = K;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member's name")
    }

    fn visit_str<E>(mut self, name: &str) -> Result<K, E> {
        Ok((self.1)(name.as_bytes()))
    }

    fn visit_bytes<E>(mut self, name: &[u8]) -> Result<K, E> {
        Ok((self.1)(name))
    }
}

/// The kind of a value, told by the first byte of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl Type {
    /// `text` is a JSON value.
    pub(crate) fn of(text: &str) -> Self {
        match text.as_bytes().first() {
            Some(b'"') => Self::String,
            Some(b'{') => Self::Object,
            Some(b'[') => Self::Array,
            Some(b't' | b'f') => Self::Boolean,
            Some(b'-' | b'0'..=b'9') => Self::Number,
            _ => Self::Null,
        }
    }

    /// With its article, for a sentence.
    pub(crate) fn named(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// Reads a member's name, unescaped.
pub(crate) struct NameBytes(pub(crate) Strings);

impl<'de> DeserializeSeed<'de> for NameBytes {
    type Value = Cow<'de, [u8]>;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        self.0.read(deserializer, Bytes)
    }
}

/// Reads an optional text, with U+FFFD in the place of each half of a surrogate pair.
pub(crate) struct OptionalText(pub(crate) Strings);

impl<'de> DeserializeSeed<'de> for OptionalText {
    type Value = Option<Cow<'de, str>>;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for OptionalText {
    type Value = Option<Cow<'de, str>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or null")
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let bytes = self.0.read(deserializer, Bytes)?;
        Ok(Some(match bytes {
            Cow::Borrowed(bytes) => match core::str::from_utf8(bytes) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => Cow::Owned(with_replacements(bytes)),
            },
            Cow::Owned(bytes) => Cow::Owned(with_replacements(&bytes)),
        }))
    }
}

/// Takes a string as bytes, and nothing else: an array of numbers would do for bytes in general.
struct Bytes;

impl<'de> Visitor<'de> for Bytes {
    type Value = Cow<'de, [u8]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text.as_bytes()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.as_bytes().to_vec()))
    }

    fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(bytes))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(Cow::Owned(bytes.to_vec()))
    }
}

/// A string without half of a surrogate pair in it: borrowed when nothing in it is escaped.
pub(crate) struct Whole<'a>(pub(crate) Cow<'a, str>);

impl<'de> Deserialize<'de> for Whole<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrowing;

        impl<'de> Visitor<'de> for Borrowing {
            type Value = Whole<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Whole(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Whole(Cow::Owned(String::from(text))))
            }
        }

        deserializer.deserialize_str(Borrowing)
    }
}

/// Reads the text of a JSON value, as a walk gives it: `None` when it is no string, or holds half of a surrogate pair.
pub(crate) fn text(raw: &str) -> Option<Cow<'_, str>> {
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    if !inner.contains('\\') {
        // Nothing is escaped, so the string is its own text.
        return Some(Cow::Borrowed(inner));
    }
    serde_json::from_str(raw).ok().map(|Whole(text)| text)
}

/// `serde_json` gives a half as the three bytes it would take in UTF-8, of which the first is ED: one U+FFFD for the
/// three of them, where the standard library's own replacement would put three.
pub(crate) fn with_replacements(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if let [0xED] = chunk.invalid() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{OptionalText, Stopped, Strings, Type, text, walk};
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;
    use proptest::prelude::*;
    use serde::de::DeserializeSeed as _;

    fn members(text: &str) -> Result<Vec<(String, String)>, Stopped<()>> {
        let mut seen = Vec::new();
        walk(
            text,
            |name| String::from_utf8_lossy(name).into_owned(),
            |name, value| {
                seen.push((name, value.to_string()));
                Ok(())
            },
        )
        .map(|()| seen)
    }

    #[test]
    fn members_come_with_their_own_text() {
        let seen = members(r#" {"a": 1.50, "\u0062" : [1, {"x":2}], "c":"\n"} "#).unwrap();
        let expected = [("a", "1.50"), ("b", r#"[1, {"x":2}]"#), ("c", r#""\n""#)];
        assert_eq!(seen, expected.map(|(n, v)| (n.to_string(), v.to_string())));
    }

    #[test]
    fn what_is_no_object_is_told_from_what_is_no_json() {
        assert_eq!(members("[1]"), Err(Stopped::NotAnObject));
        assert_eq!(members("null"), Err(Stopped::NotAnObject));
        for text in ["", "{", "{\"a\":}", "{} x", "{\"a\":01}", "{a:1}", "\u{feff}{}", "{\"a\":1,}"] {
            assert!(matches!(members(text), Err(Stopped::NotJson { .. })), "{text:?}");
        }
    }

    #[test]
    fn nesting_of_any_depth_is_walked() {
        let deep = "[".repeat(400_000) + &"]".repeat(400_000);
        let text = alloc::format!("{{\"a\":{deep}}}");
        assert_eq!(members(&text).unwrap()[0].1, deep);
        assert!(members(&"{\"a\":".repeat(200_000)).is_err());
    }

    #[test]
    fn half_a_surrogate_pair_is_one_replacement() {
        let lossy = |raw: &str| {
            let mut deserializer = serde_json::Deserializer::from_str(raw);
            OptionalText(Strings::AsBytes).deserialize(&mut deserializer).unwrap().unwrap().into_owned()
        };
        assert_eq!(lossy(r#""a\ud83d""#), "a\u{fffd}");
        assert_eq!(lossy(r#""\ude00\ud83db""#), "\u{fffd}\u{fffd}b");
        assert_eq!(lossy(r#""\ud83d\ude00""#), "😀");
        assert_eq!(text(r#""\ud83d\ude00""#).as_deref(), Some("😀"));
        assert_eq!(text(r#""\ud83d""#), None);
        assert_eq!(text("1"), None);
    }

    #[test]
    fn half_a_surrogate_pair_in_a_name_is_let_by() {
        assert_eq!(members(r#"{"\ud83d":1}"#).unwrap().len(), 1);
    }

    #[test]
    fn a_type_is_told_by_the_first_byte() {
        let types = ["null", "true", "-1", "\"\"", "[]", "{}"].map(Type::of);
        assert_eq!(types, [Type::Null, Type::Boolean, Type::Number, Type::String, Type::Array, Type::Object]);
    }

    proptest! {
        #[test]
        fn any_text_is_walked_or_refused(text in ".{0,200}") {
            let _ = members(&text);
        }

        #[test]
        fn what_serde_json_reads_we_walk(text in r#"\{("[a-c]":(1|"x"|\[\]|null),?){0,4}\}"#) {
            let ours = members(&text).is_ok();
            let theirs = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&text).is_ok();
            prop_assert_eq!(ours, theirs);
        }
    }
}
