//! A path as browsers, routers and servers would take it: its segments, decoded.
//!
//! Whoever reads a path may decode it, once or more often, before they split it or look for `..`. So each segment is
//! decoded until nothing is left to decode, and whatever could then leave the site or become another segment is refused.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::limits::MAX_NAVIGATE_CHARACTERS;
use crate::text::fits;

/// What is between two slashes of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment<'a> {
    /// As it was written.
    pub(super) raw: &'a str,
    /// Decoded, until nothing is left to decode.
    pub(super) text: Cow<'a, str>,
}

/// Why a text is no path of a site. Shown, it is what the path must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bad {
    TooLong,
    NoSlash,
    Query,
    Control,
    Dots,
    Slash,
    Percent,
    NotText,
}

impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "must have at most 2,048 characters, encoded",
            Self::NoSlash => "must begin with one /, without a scheme or a host before it",
            Self::Query => "must have no ? and no # in it, encoded or not",
            Self::Control => "must have no backslash and no control character in it, encoded or not",
            Self::Dots => "must have no . and no .. between its slashes, encoded or not",
            Self::Slash => {
                "must have no encoded / (%2F) in it: it would be another segment for whoever decodes it"
            }
            Self::Percent => "must have two hex digits after each %; a % itself is written %25",
            Self::NotText => "must be UTF-8 where it is encoded",
        })
    }
}

/// The segments of a path. `/` has none, and a slash at the end adds none; an empty one is empty.
///
/// # Errors
///
/// When it is no path of a site, or not for everyone who reads it.
pub(super) fn segments(path: &str) -> Result<Vec<Segment<'_>>, Bad> {
    if !fits(path, MAX_NAVIGATE_CHARACTERS) {
        return Err(Bad::TooLong);
    }
    let rest = path.strip_prefix('/').filter(|rest| !rest.starts_with('/')).ok_or(Bad::NoSlash)?;
    if rest.is_empty() {
        return Ok(Vec::new());
    }
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    rest.split('/').map(segment).collect()
}

fn segment(raw: &str) -> Result<Segment<'_>, Bad> {
    let text = decoded(raw)?;
    for c in text.chars() {
        match c {
            '?' | '#' => return Err(Bad::Query),
            '/' => return Err(Bad::Slash),
            c if c == '\\' || c.is_control() => return Err(Bad::Control),
            _ => {}
        }
    }
    // Some servers cut a segment at its first semicolon before they look for dots.
    if matches!(without_parameters(&text), "." | "..") {
        return Err(Bad::Dots);
    }
    Ok(Segment { raw, text })
}

/// A segment up to its first semicolon.
pub(super) fn without_parameters(text: &str) -> &str {
    text.split(';').next().unwrap_or_default()
}

/// Decodes until nothing is left to decode, in one pass: what has just been decoded may be the end of another encoding.
fn decoded(raw: &str) -> Result<Cow<'_, str>, Bad> {
    if !raw.contains('%') {
        return Ok(Cow::Borrowed(raw));
    }
    let whole = |after: &str| after.len() >= 2 && after.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
    if !raw.split('%').skip(1).all(whole) {
        return Err(Bad::Percent);
    }
    let mut bytes = Vec::with_capacity(raw.len());
    for byte in raw.bytes() {
        bytes.push(byte);
        while let [.., b'%', high, low] = bytes[..]
            && let (Some(high), Some(low)) = (hex(high), hex(low))
        {
            bytes.truncate(bytes.len() - 3);
            bytes.push(high << 4 | low);
        }
    }
    String::from_utf8(bytes).map(Cow::Owned).map_err(|_| Bad::NotText)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// A segment as a browser writes it: what it would encode is encoded. Encodings that are there stay as they are.
pub(super) fn encode_into(path: &mut String, raw: &str) {
    for byte in raw.bytes() {
        match byte {
            b'"' | b'<' | b'>' | b'^' | b'`' | b'{' | b'}' => push_encoded(path, byte),
            b'!'..=b'~' => path.push(char::from(byte)),
            _ => push_encoded(path, byte),
        }
    }
}

fn push_encoded(path: &mut String, byte: u8) {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    path.push('%');
    path.push(DIGITS[usize::from(byte >> 4)]);
    path.push(DIGITS[usize::from(byte & 15)]);
}

#[cfg(test)]
mod tests {
    use super::{Bad, encode_into, segments};
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    fn texts(path: &str) -> Result<Vec<String>, Bad> {
        Ok(segments(path)?.iter().map(|segment| segment.text.to_string()).collect())
    }

    #[test]
    fn a_path_is_its_segments_decoded() {
        assert_eq!(texts("/").unwrap(), [""; 0]);
        assert_eq!(texts("/a/b%20c/").unwrap(), ["a", "b c"]);
        assert_eq!(texts("/a//").unwrap(), ["a", ""]);
        assert_eq!(texts("/caf%C3%A9/100%25").unwrap(), ["café", "100%"]);
        assert_eq!(texts("/%2561/%252541").unwrap(), ["a", "A"]);
        assert_eq!(texts("/.../a..b/.c;d").unwrap(), ["...", "a..b", ".c;d"]);
    }

    #[test]
    fn what_leaves_the_site_is_refused() {
        for path in ["", "x", "//evil.example", "https://evil.example", "javascript:1", " /x"] {
            assert_eq!(texts(path), Err(Bad::NoSlash), "{path:?}");
        }
    }

    #[test]
    fn dot_segments_are_refused_however_deep_they_are_encoded() {
        for path in [
            "/.",
            "/..",
            "/a/../b",
            "/./a",
            "/%2e%2E/a",
            "/.%2e",
            "/%252e%252e",
            "/%25252e.",
            "/%25%32%65.",
            "/..;x/a",
        ] {
            assert_eq!(texts(path), Err(Bad::Dots), "{path:?}");
        }
    }

    #[test]
    fn what_another_reader_would_split_or_drop_is_refused() {
        for path in [
            "/a\\b",
            "/\\evil.example",
            "/%5Cevil",
            "/%255c",
            "/a\tb",
            "/a%0a",
            "/a%00",
            "/%C2%85",
            "/\u{7f}",
        ] {
            assert_eq!(texts(path), Err(Bad::Control), "{path:?}");
        }
        for path in ["/a?b", "/a#b", "/a%3Fb", "/a%23b", "/a%253fb"] {
            assert_eq!(texts(path), Err(Bad::Query), "{path:?}");
        }
        for path in ["/%2Fevil.example", "/a%2fb", "/a%252Fb"] {
            assert_eq!(texts(path), Err(Bad::Slash), "{path:?}");
        }
    }

    #[test]
    fn an_encoding_is_whole_and_is_text() {
        for path in ["/100%", "/%2", "/%zz", "/%2%35", "/%u002e"] {
            assert_eq!(texts(path), Err(Bad::Percent), "{path:?}");
        }
        for path in ["/%ff", "/%c0%ae%c0%ae", "/%e0%80%af"] {
            assert_eq!(texts(path), Err(Bad::NotText), "{path:?}");
        }
    }

    #[test]
    fn a_path_has_its_limit() {
        let long = |n: usize| "/".to_string() + &"a".repeat(n - 1);
        assert!(texts(&long(2_048)).is_ok());
        assert_eq!(texts(&long(2_049)), Err(Bad::TooLong));
    }

    #[test]
    fn what_a_browser_would_encode_is_encoded() {
        let mut path = String::new();
        encode_into(&mut path, "a b%20é\"<>`{}^|~'");
        assert_eq!(path, "a%20b%20%C3%A9%22%3C%3E%60%7B%7D%5E|~'");
    }
}
