//! Strings: their own text without its escapes, and half of a surrogate pair in them.
//!
//! What is given here was read before, so its escapes are sound.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// What is between a string's quotes, without its escapes: borrowed when there are none.
pub(super) fn unescaped(inner: &str) -> Cow<'_, [u8]> {
    if !inner.as_bytes().contains(&b'\\') {
        return Cow::Borrowed(inner.as_bytes());
    }
    let mut pieces = inner.split('\\');
    let first = pieces.next().unwrap_or_default();
    let mut bytes = Vec::with_capacity(inner.len());
    bytes.extend_from_slice(first.as_bytes());
    // The first half of a pair, until it is known what comes right after it.
    let mut high: Option<u32> = None;
    while let Some(piece) = pieces.next() {
        let (escape, mut rest) = piece.split_at_checked(1).unwrap_or_default();
        let unit = match escape.as_bytes() {
            // A backslash that is escaped: nothing is between the two, and what follows is as it is.
            [] => {
                rest = pieces.next().unwrap_or_default();
                0x5C
            }
            b"b" => 0x08,
            b"f" => 0x0C,
            b"n" => 0x0A,
            b"r" => 0x0D,
            b"t" => 0x09,
            b"u" => {
                let (digits, after) = rest.split_at_checked(4).unwrap_or_default();
                rest = after;
                u32::from_str_radix(digits, 16).unwrap_or_default()
            }
            [itself, ..] => u32::from(*itself),
        };
        let point = match (high.take(), unit) {
            (Some(high), 0xDC00..=0xDFFF) => 0x1_0000 + ((high - 0xD800) << 10) + (unit - 0xDC00),
            (Some(alone), _) => {
                push(&mut bytes, alone);
                unit
            }
            _ => unit,
        };
        if matches!(point, 0xD800..=0xDBFF) && rest.is_empty() {
            high = Some(point);
        } else {
            push(&mut bytes, point);
        }
        bytes.extend_from_slice(rest.as_bytes());
    }
    if let Some(alone) = high {
        push(&mut bytes, alone);
    }
    Cow::Owned(bytes)
}

/// Appends a code point as UTF-8; half of a surrogate pair as the three bytes that it would take.
fn push(bytes: &mut Vec<u8>, point: u32) {
    match char::from_u32(point) {
        Some(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        None => {
            let low_bits = |shift: u32| 0x80 | ((point >> shift) & 0x3F) as u8;
            bytes.extend_from_slice(&[0xED, low_bits(6), low_bits(0)]);
        }
    }
}

/// What is in a string, from its own text: `None` when the value is no string.
fn string(raw: &str) -> Option<Cow<'_, [u8]>> {
    Some(unescaped(raw.strip_prefix('"')?.strip_suffix('"')?))
}

/// Reads the text of a string, as a reader gives it: `None` when it is none, or holds half of a surrogate pair.
pub(crate) fn text(raw: &str) -> Option<Cow<'_, str>> {
    match string(raw)? {
        // Nothing is escaped, so the string is its own text.
        Cow::Borrowed(_) => raw.get(1..raw.len() - 1).map(Cow::Borrowed),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    }
}

/// The same, with U+FFFD in the place of each half of a surrogate pair.
pub(crate) fn text_with_replacements(raw: &str) -> Option<Cow<'_, str>> {
    text(raw).or_else(|| string(raw).map(|bytes| Cow::Owned(with_replacements(&bytes))))
}

/// Half of a pair is the three bytes it would take in UTF-8, of which the first is ED: one U+FFFD for the three of them,
/// where the standard library's own replacement would put three.
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
    use super::{text, text_with_replacements};
    use alloc::borrow::Cow;
    use alloc::format;
    use alloc::string::String;
    use proptest::prelude::*;

    #[test]
    fn half_a_surrogate_pair_is_one_replacement() {
        let lossy = |raw: &str| text_with_replacements(raw).unwrap().into_owned();
        assert_eq!(lossy(r#""a\ud83d""#), "a\u{fffd}");
        assert_eq!(lossy(r#""\ude00\ud83db""#), "\u{fffd}\u{fffd}b");
        assert_eq!(lossy(r#""\ud83d\ud83d\ude00\ud83d\\""#), "\u{fffd}😀\u{fffd}\\");
        assert_eq!(lossy(r#""\ud83d\ude00""#), "😀");
        assert_eq!(lossy(r#""\ud83dx\ude00""#), "\u{fffd}x\u{fffd}");
        assert_eq!(text(r#""\ud83d\ude00""#).as_deref(), Some("😀"));
        assert_eq!(text(r#""\ud83d""#), None);
        assert_eq!((text("1"), text_with_replacements("null")), (None, None));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn a_string_is_what_serde_json_reads(inner in r#"([a-z é😀\x7f]|\\["\\/bfnrt]|\\u[dD][89abcdABCD][0-9a-f]{2}|\\u[0-9a-fA-F]{4}){0,9}"#) {
            let raw = format!("\"{inner}\"");
            prop_assert_eq!(text(&raw).map(Cow::into_owned), serde_json::from_str::<String>(&raw).ok());
        }
    }
}
