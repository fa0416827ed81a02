//! What proxies, gateways and frameworks make of a body: the texts that an endpoint may verify in its place.

use super::finding::Kind;
use crate::json::{Json, quoted};

/// One way to change a body.
pub(super) struct Guess {
    pub(super) kind: Kind,
    /// What the endpoint verifies, to follow "a signature over".
    pub(super) what: &'static str,
    /// What becomes of a body, or nothing when it cannot be changed like this.
    pub(super) make: fn(&[u8]) -> Option<Vec<u8>>,
}

const fn guess(kind: Kind, what: &'static str, make: fn(&[u8]) -> Option<Vec<u8>>) -> Guess {
    Guess { kind, what, make }
}

/// The plain ones first: what merely trims a body also does what a JSON writer does to some.
pub(super) const GUESSES: &[Guess] = &[
    guess(Kind::BodyBase64, "the body in base64", |body| Some(base64(body).into_bytes())),
    guess(Kind::BodyNotRead, "an empty body", |_| Some(Vec::new())),
    guess(Kind::BodyMark, "the body without its byte order mark", |body| {
        Some(body.strip_prefix("\u{feff}".as_bytes())?.to_vec())
    }),
    guess(Kind::BodyTrimmed, "the body without the white space around it", |body| {
        Some(body.trim_ascii().to_vec())
    }),
    guess(Kind::BodyTrimmed, "the body without the white space at its end", |body| {
        Some(body.trim_ascii_end().to_vec())
    }),
    guess(Kind::BodyTrimmed, "the body with a line break behind it", |body| Some([body, b"\n"].concat())),
    guess(Kind::BodyLineEnds, "the body with the line ends of Unix", |body| {
        Some(text(body)?.replace("\r\n", "\n").into_bytes())
    }),
    guess(Kind::BodyLineEnds, "the body with the line ends of Windows", |body| {
        Some(text(body)?.replace("\r\n", "\n").replace('\n', "\r\n").into_bytes())
    }),
    guess(Kind::BodyCharset, "the body with U+FFFD for what is not UTF-8", |body| {
        Some(String::from_utf8_lossy(body).into_owned().into_bytes())
    }),
    guess(Kind::BodyCharset, "the body read as Latin-1", |body| {
        Some(body.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes())
    }),
    guess(Kind::BodyCharset, "the body written as Latin-1", |body| {
        text(body)?.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect()
    }),
    guess(Kind::BodyCharset, "the body with ? for what is not ASCII", |body| {
        Some(text(body)?.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect::<String>().into_bytes())
    }),
    guess(Kind::BodyUrl, "the body decoded like a form", unescaped),
    guess(Kind::BodyReserialized, "the JSON as JavaScript writes it", |body| write(body, &COMPACT)),
    guess(Kind::BodyReserialized, "the JSON as Python writes it", |body| write(body, &PYTHON)),
    guess(Kind::BodyReserialized, "the JSON with its members sorted", |body| {
        write(body, &Style { sorted: true, ..COMPACT })
    }),
    guess(Kind::BodyReserialized, "the JSON as Go writes it", |body| {
        write(body, &Style { sorted: true, escaped: |c| "<>&\u{2028}\u{2029}".contains(c), ..COMPACT })
    }),
    guess(Kind::BodyReserialized, "the JSON as PHP writes it", |body| {
        write(body, &Style { slashes: true, escaped: |c| !c.is_ascii(), ..COMPACT })
    }),
    guess(Kind::BodyReserialized, "the JSON as Python writes it, with its members sorted", |body| {
        write(body, &Style { sorted: true, ..PYTHON })
    }),
    guess(Kind::BodyReserialized, "the JSON with a space behind each comma and colon", |body| {
        write(body, &Style { escaped: |_| false, ..PYTHON })
    }),
    guess(Kind::BodyReserialized, "the JSON over several lines", |body| {
        write(body, &Style { indented: true, colon: ": ", ..COMPACT })
    }),
    guess(Kind::BodyReserialized, "the body as one JSON string", |body| {
        Some(quoted(std::str::from_utf8(body).ok()?).into_bytes())
    }),
    guess(Kind::BodyDecompressed, "the body unpacked", |body| {
        (body == PACKED).then(|| UNPACKED.as_bytes().to_vec())
    }),
];

/// A body that gets in and runs nothing, and the same packed by gzip.
pub(super) const UNPACKED: &str = crate::probe::UNKNOWN_OP;
pub(super) const PACKED: &[u8] = &[
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xab, 0x56, 0xca, 0x2f, 0x50, 0xb2, 0x52,
    0xca, 0x4d, 0x4d, 0xc9, 0x4c, 0xcc, 0x73, 0x4d, 0x49, 0x4f, 0x75, 0xce, 0x48, 0x4d, 0xce, 0xf6, 0xcb,
    0x4f, 0xca, 0x4f, 0xa9, 0x54, 0xaa, 0x05, 0x00, 0x7b, 0x0b, 0xc6, 0x68, 0x1e, 0x00, 0x00, 0x00,
];

fn text(body: &[u8]) -> Option<&str> {
    std::str::from_utf8(body).ok()
}

/// How JSON is written.
#[derive(Clone, Copy)]
struct Style {
    comma: &'static str,
    colon: &'static str,
    sorted: bool,
    indented: bool,
    slashes: bool,
    escaped: fn(char) -> bool,
}

const COMPACT: Style =
    Style { comma: ",", colon: ":", sorted: false, indented: false, slashes: false, escaped: |_| false };
const PYTHON: Style = Style { comma: ", ", colon: ": ", escaped: |c| !c.is_ascii(), ..COMPACT };

fn write(body: &[u8], style: &Style) -> Option<Vec<u8>> {
    let mut text = String::new();
    written(&Json::parse(body)?, style, 0, &mut text);
    Some(text.into_bytes())
}

fn written(json: &Json, style: &Style, depth: usize, out: &mut String) {
    let line = |depth: usize, out: &mut String| {
        if style.indented {
            out.push('\n');
            out.push_str(&"  ".repeat(depth));
        }
    };
    match json {
        Json::Text(text) => string(text, style, out),
        Json::List(items) if !items.is_empty() => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { style.comma } else { "" });
                line(depth + 1, out);
                written(item, style, depth + 1, out);
            }
            line(depth, out);
            out.push(']');
        }
        Json::Object(members) if !members.is_empty() => {
            let mut members: Vec<_> = members.iter().collect();
            if style.sorted {
                members.sort_by(|(one, _), (other, _)| one.cmp(other));
            }
            out.push('{');
            for (at, (name, value)) in members.into_iter().enumerate() {
                out.push_str(if at > 0 { style.comma } else { "" });
                line(depth + 1, out);
                string(name, style, out);
                out.push_str(style.colon);
                written(value, style, depth + 1, out);
            }
            line(depth, out);
            out.push('}');
        }
        other => out.push_str(&other.to_string()),
    }
}

fn string(text: &str, style: &Style, out: &mut String) {
    for c in quoted(text).chars() {
        match c {
            '/' if style.slashes => out.push_str("\\/"),
            c if (style.escaped)(c) => {
                let mut units = [0; 2];
                out.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
            }
            c => out.push(c),
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let value = (bits >> (18 - 6 * digit)) & 63;
            text.push(if digit > three.len() { '=' } else { char::from(DIGITS[value as usize]) });
        }
    }
    text
}

/// `+` as a space, and `%xx` as a byte.
fn unescaped(body: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = body;
    while let [first, others @ ..] = rest {
        rest = others;
        match (first, others) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, after @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                bytes.push(u8::from_str_radix(std::str::from_utf8(&others[..2]).ok()?, 16).ok()?);
                rest = after;
            }
            _ => bytes.push(*first),
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{COMPACT, PYTHON, Style, base64, unescaped, write};

    fn as_text(style: &Style, json: &str) -> String {
        String::from_utf8(write(json.as_bytes(), style).unwrap()).unwrap()
    }

    #[test]
    fn json_is_written_as_others_write_it() {
        let json = r#"{ "b":"é😀/", "a":[1.0,{}] }"#;
        assert_eq!(as_text(&COMPACT, json), r#"{"b":"é😀/","a":[1,{}]}"#);
        assert_eq!(as_text(&PYTHON, json), r#"{"b": "\u00e9\ud83d\ude00/", "a": [1, {}]}"#);
        let sorted = Style { sorted: true, slashes: true, ..COMPACT };
        assert_eq!(as_text(&sorted, json), r#"{"a":[1,{}],"b":"é😀\/"}"#);
        let lines = Style { indented: true, colon: ": ", ..COMPACT };
        assert_eq!(as_text(&lines, r#"{"a":[1]}"#), "{\n  \"a\": [\n    1\n  ]\n}");
    }

    #[test]
    fn base64_and_forms_are_as_they_are() {
        let texts: Vec<_> = ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes())).into();
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
        assert_eq!(unescaped(b"a+b%25%zz%").unwrap(), b"a b%%zz%");
    }
}
