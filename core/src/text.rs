//! Counting and quoting text the way the protocol's readers do.

use core::fmt::{self, Write as _};

/// The length in UTF-16 code units.
pub(crate) fn characters(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

/// Whether the text has at most `limit` characters. A text of that many bytes is never counted.
pub(crate) fn fits(text: &str, limit: usize) -> bool {
    text.len() <= limit || characters(text) <= limit
}

/// Text from outside, shown in a message: quoted, escaped, and cut after 64 characters.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 64;
        f.write_char('"')?;
        for (at, c) in self.0.chars().enumerate() {
            if at == SHOWN {
                f.write_char('…')?;
                break;
            }
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                // Control characters, and those that change the order or the look of what is around them.
                c if c.is_control()
                    || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}') =>
                {
                    write!(f, "\\u{{{:x}}}", u32::from(c))?;
                }
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::{Quoted, characters, fits};
    use alloc::format;

    #[test]
    fn characters_are_utf16_code_units() {
        assert_eq!(characters("abc"), 3);
        assert_eq!(characters("é"), 1);
        assert_eq!(characters("😀"), 2);
        assert!(fits("😀", 2) && !fits("😀", 1));
    }

    #[test]
    fn quoting_escapes_and_cuts() {
        assert_eq!(format!("{}", Quoted("a\"b\n\u{202e}")), "\"a\\\"b\\u{a}\\u{202e}\"");
        assert_eq!(format!("{}", Quoted(&"x".repeat(100))).chars().count(), 64 + 3);
    }
}
