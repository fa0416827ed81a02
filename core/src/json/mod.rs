//! Reading JSON without building it.
//!
//! A text is walked once, each value kept as its own text: a value is only parsed by whoever knows what it has to be.
//! Nesting is skipped without recursion, so any depth of it is safe, and the time is linear in the text.
//!
//! Why not `serde_json`, which writes all that this crate writes: what the protocol asks for on the way in (a member that
//! is there twice, half of a surrogate pair, a number of any size, each value's own text) is what it has no words for, and
//! what it has instead, a parser of numbers with its tables and the words for every type, makes a Worker larger by 9 KB.

mod strings;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use self::strings::unescaped;
pub(crate) use self::strings::{text, text_with_replacements, with_replacements};

/// A text is not JSON, or goes on after it: where, as line and column, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotJson {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// Where in a JSON text the reading is.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

/// Reads the value of a member, whose name it is given.
pub(crate) type Member<'m, 'a, E> = dyn FnMut(Cow<'a, [u8]>, &mut Reader<'a>) -> Result<(), E> + 'm;

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Reads an object: its members' names, unescaped, each with the reader before its value, which `member` has to
    /// read. Half of a surrogate pair in a name is three bytes that are not UTF-8.
    pub(crate) fn object<E: From<NotJson>>(&mut self, member: &mut Member<'_, 'a, E>) -> Result<(), E> {
        self.expect(b'{')?;
        if self.next() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            let name = match self.name()? {
                (name, false) => Cow::Borrowed(name.as_bytes()),
                (name, true) => unescaped(name),
            };
            member(name, self)?;
            match self.next() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.not_json().into()),
            }
        }
        self.at += 1;
        Ok(())
    }

    /// Reads a value of any kind: its own text.
    pub(crate) fn value(&mut self) -> Result<&'a str, NotJson> {
        let mut closing = Vec::new();
        let _ = self.next();
        let begin = self.at;
        loop {
            match self.next() {
                Some(open @ (b'{' | b'[')) => {
                    // The closing bracket is two after the opening one, for both.
                    let close = open + 2;
                    self.at += 1;
                    if self.next() == Some(close) {
                        self.at += 1;
                    } else {
                        closing.push(close);
                        if close == b'}' {
                            self.name()?;
                        }
                        continue;
                    }
                }
                _ => self.scalar()?,
            }
            // A value has ended, and maybe some that it is in.
            loop {
                let Some(close) = closing.last() else { return Ok(self.between(begin, self.at)) };
                let next = self.next();
                if next == Some(*close) {
                    self.at += 1;
                    closing.pop();
                } else if next == Some(b',') {
                    self.at += 1;
                    if *close == b'}' {
                        self.name()?;
                    }
                    break;
                } else {
                    return Err(self.not_json());
                }
            }
        }
    }

    /// The kind of the value that comes next, if it is one.
    pub(crate) fn kind(&mut self) -> Type {
        let _ = self.next();
        Type::of(self.between(self.at, self.text.len()))
    }

    /// Nothing but white space may be left.
    pub(crate) fn end(&mut self) -> Result<(), NotJson> {
        if self.next().is_none() { Ok(()) } else { Err(self.not_json()) }
    }

    /// A member's name as [`Reader::string`] gives it, and the colon after it.
    fn name(&mut self) -> Result<(&'a str, bool), NotJson> {
        let _ = self.next();
        let name = self.string()?;
        self.expect(b':')?;
        Ok(name)
    }

    fn scalar(&mut self) -> Result<(), NotJson> {
        match self.next() {
            Some(b'"') => self.string().map(drop),
            Some(b't') => self.literal("true"),
            Some(b'f') => self.literal("false"),
            Some(b'n') => self.literal("null"),
            _ => self.number(),
        }
    }

    /// What is between the quotes, and whether anything in it is escaped.
    fn string(&mut self) -> Result<(&'a str, bool), NotJson> {
        self.expect(b'"')?;
        let begin = self.at;
        let mut escaped = false;
        loop {
            self.at += plain(&self.text.as_bytes()[self.at..]);
            match self.byte() {
                Some(b'"') => break,
                Some(b'\\') => self.at += 1,
                _ => return Err(self.not_json()),
            }
            escaped = true;
            match self.byte() {
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
                Some(b'u') => {
                    self.at += 1;
                    for _ in 0..4 {
                        self.one(|byte| byte.is_ascii_hexdigit())?;
                    }
                }
                _ => return Err(self.not_json()),
            }
        }
        self.at += 1;
        Ok((self.between(begin, self.at - 1), escaped))
    }

    fn number(&mut self) -> Result<(), NotJson> {
        self.skip(b"-");
        if !self.skip(b"0") {
            self.digits()?;
        }
        if self.skip(b".") {
            self.digits()?;
        }
        if self.skip(b"eE") {
            self.skip(b"+-");
            self.digits()?;
        }
        Ok(())
    }

    /// At least one.
    fn digits(&mut self) -> Result<(), NotJson> {
        self.one(|byte| byte.is_ascii_digit())?;
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn literal(&mut self, literal: &str) -> Result<(), NotJson> {
        literal.bytes().try_for_each(|expected| self.one(|byte| byte == expected))
    }

    fn one(&mut self, is_it: impl Fn(u8) -> bool) -> Result<(), NotJson> {
        if !self.byte().is_some_and(is_it) {
            return Err(self.not_json());
        }
        self.at += 1;
        Ok(())
    }

    /// Skips one of these bytes, if it is there.
    fn skip(&mut self, bytes: &[u8]) -> bool {
        let is_there = self.byte().is_some_and(|byte| bytes.contains(&byte));
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, expected: u8) -> Result<(), NotJson> {
        let _ = self.next();
        self.one(|byte| byte == expected)
    }

    /// The next byte that is no white space.
    fn next(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    /// What was read between two places, which are beside bytes of ASCII: it is always there. An index would bring along
    /// the words for when it is not, with tables of all that can be printed.
    fn between(&self, begin: usize, end: usize) -> &'a str {
        self.text.get(begin..end).unwrap_or_default()
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The byte that should not be here, or the last one when there should be more.
    fn not_json(&self) -> NotJson {
        let read = &self.text.as_bytes()[..self.text.len().min(self.at + 1)];
        let before = &read[..read.len().saturating_sub(1)];
        let line_begins = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = before.split(|byte| *byte == b'\n').count();
        NotJson { line, column: read.len() - line_begins }
    }
}

/// How many bytes come before one that a string has to be looked at for: a quote, a backslash, a control character. Eight
/// at a time: most of a large body is in its strings.
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    // The highest bit of each byte that is 0, and maybe of some after it.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut at = 0;
    for word in words {
        let word = u64::from_le_bytes(*word);
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        let found =
            control | zeros(word ^ (ONES * u64::from(b'"'))) | zeros(word ^ (ONES * u64::from(b'\\')));
        let found = found & (ONES << 7);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | ..0x20);
    at + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// Walks an object: each member's name, unescaped, and its value's own text.
pub(crate) fn walk<'a>(text: &'a str, mut member: impl FnMut(&[u8], &'a str)) -> Result<(), NotJson> {
    Reader::new(text).object(&mut |name, reader| {
        let value = reader.value()?;
        member(&name, value);
        Ok(())
    })
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
    /// `text` begins with a JSON value.
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

#[cfg(test)]
mod tests {
    use super::{NotJson, Reader, Type, plain, walk, with_replacements};
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    fn members(text: &str) -> Result<Vec<(String, String)>, NotJson> {
        let mut seen = Vec::new();
        walk(text, |name, value| seen.push((with_replacements(name), value.to_string()))).map(|()| seen)
    }

    /// A whole text that is one value.
    fn value(text: &str) -> Result<&str, NotJson> {
        let mut reader = Reader::new(text);
        let value = reader.value()?;
        reader.end().map(|()| value)
    }

    #[test]
    fn members_come_with_their_own_text() {
        let seen = members(r#" {"a": 1.50, "\u0062" : [1, {"x":2}], "c":"\n"} "#).unwrap();
        let expected = [("a", "1.50"), ("b", r#"[1, {"x":2}]"#), ("c", r#""\n""#)];
        assert_eq!(seen, expected.map(|(n, v)| (n.to_string(), v.to_string())));
    }

    #[test]
    fn what_is_not_json_says_where() {
        for (text, line, column) in [
            ("", 1, 0),
            ("{", 1, 1),
            ("{}\nx", 2, 1),
            ("{\"a\":01}", 1, 7),
            ("{\n  a", 2, 3),
            ("\n\n[1,]", 3, 4),
            ("nul", 1, 3),
            ("\"\\x\"", 1, 3),
            ("\"a\nb\"", 1, 3),
        ] {
            assert_eq!(value(text), Err(NotJson { line, column }), "{text:?}");
        }
    }

    #[test]
    fn nesting_of_any_depth_is_read() {
        let deep = "[".repeat(400_000) + &"]".repeat(400_000);
        let text = alloc::format!("{{\"a\":{deep}}}");
        assert_eq!(members(&text).unwrap()[0].1, deep);
        assert!(members(&"{\"a\":".repeat(200_000)).is_err());
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

    #[test]
    fn a_byte_to_look_at_is_found_at_any_place() {
        for special in ['"', '\\', '\0', '\u{1f}'] {
            for at in 0..40 {
                let text = "é~\u{7f} ".repeat(8) + &"x".repeat(40);
                let text: String =
                    text.chars().take(at).chain([special, '"', 'x']).chain("x".repeat(20).chars()).collect();
                assert_eq!(plain(text.as_bytes()), text.find(special).unwrap(), "{text:?}");
            }
        }
        assert_eq!(plain("é\u{7f}~ #[!".repeat(9).as_bytes()), "é\u{7f}~ #[!".repeat(9).len());
    }

    /// Texts that are nearly JSON.
    fn nearly_json() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[\\[\\]{},: \n\t\"]",
            "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{0,3})?([eE][+-]?[0-9]{0,3})?",
            "(true|false|null|tru|nulll)",
            r#""([a-z"é😀]|\\["\\/bfnrtux]|\\u[dD][89abcdABCD][0-9a-f]{2}|\\u[0-9a-fA-F]{3,5}){0,6}""#,
            r#""[a-c]":"#,
        ];
        proptest::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn json_is_what_serde_json_takes_for_it(text in prop_oneof![nearly_json(), ".{0,100}"]) {
            let theirs = serde_json::from_str::<&RawValue>(&text);
            prop_assert_eq!(value(&text).ok(), theirs.ok().map(RawValue::get), "{}", text);
        }

        #[test]
        fn an_object_is_what_serde_json_reads(text in r#"\{("[a-c]":(1|"x"|\[\]|null|\{\}),?){0,4}\}"#) {
            let theirs = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&text);
            prop_assert_eq!(members(&text).is_ok(), theirs.is_ok());
        }
    }
}
