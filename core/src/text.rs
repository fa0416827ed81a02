//! Counting and quoting text the way the protocol's readers do, and what of it a log or a terminal can be shown.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::{self, Write as _};

/// The length in UTF-16 code units.
pub(crate) fn characters(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

/// Whether the text has at most `limit` characters. A text of that many bytes is never counted.
pub(crate) fn fits(text: &str, limit: usize) -> bool {
    text.len() <= limit || characters(text) <= limit
}

/// Whether a character does nothing but show itself, in a log or on a terminal: it is no control character, ends no line or
/// paragraph, is not unseen, and does not change the order of what is around it. Text from outside is shown with an escape
/// in the place of each other one.
///
/// ```
/// use median_edge::text::shows_itself;
///
/// assert!("it's 5 €, שלום".chars().all(shows_itself));
/// assert!("\n\u{1b}\u{202e}\u{200b}".chars().all(|c| !shows_itself(c)));
/// ```
pub fn shows_itself(c: char) -> bool {
    match c {
        // They choose how the character before is drawn: an emoji in colour has one.
        '\u{fe00}'..='\u{fe0f}' => true,
        '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}' => false,
        c => !c.is_control() && !is_shapeless(c),
    }
}

/// Whether nothing in a text can be seen: it is empty, or made of white space, control characters and characters that
/// have no shape. Who is named by such a text is named by nobody.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c.is_control() || is_shapeless(c))
}

/// Characters without a shape of their own: Unicode's default ignorable ones, and two blanks that it counts as letters
/// and symbols.
fn is_shapeless(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// What ends a line, for someone who reads it or for a program.
pub(crate) const LINE_ENDS: [char; 7] = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

/// An error's text and that of its sources, each said once: many show their source in their own text.
pub(crate) fn chain(error: &dyn core::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        source = error.source();
    }
    text
}

/// Texts in one, with something between them.
pub(crate) fn list<'a>(between: &str, texts: impl Iterator<Item = &'a str>) -> String {
    let mut list = String::new();
    for (at, text) in texts.enumerate() {
        list.push_str(if at == 0 { "" } else { between });
        list.push_str(text);
    }
    list
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
                c => escaped(f, c)?,
            }
        }
        f.write_char('"')
    }
}

/// Text from outside, on one line of a log: what would move the cursor, or change the look of what is around it, is
/// escaped.
pub(crate) struct OneLine<'a>(pub(crate) &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| escaped(f, c))
    }
}

fn escaped(f: &mut fmt::Formatter<'_>, c: char) -> fmt::Result {
    if c.is_control() || is_shapeless(c) || LINE_ENDS.contains(&c) {
        write!(f, "\\u{{{:x}}}", u32::from(c))
    } else {
        f.write_char(c)
    }
}

#[cfg(test)]
mod tests {
    use super::{OneLine, Quoted, characters, fits, is_blank, shows_itself};
    use alloc::format;

    #[test]
    fn characters_are_utf16_code_units() {
        assert_eq!(characters("abc"), 3);
        assert_eq!(characters("é"), 1);
        assert_eq!(characters("😀"), 2);
        assert!(fits("😀", 2) && !fits("😀", 1));
    }

    #[test]
    fn what_cannot_be_seen_is_blank() {
        for blank in [
            "",
            " \t\n",
            "\u{feff}",
            "\u{200b}\u{2060}",
            "\u{ad}",
            "\0",
            "\u{3164}",
            "\u{2800}",
            "\u{200e}\u{200f}",
        ] {
            assert!(is_blank(blank), "{blank:?}");
        }
        for text in ["a", "é", "👩\u{200d}👩", "\u{200f}ש"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }

    #[test]
    fn what_is_unseen_does_not_show_itself() {
        for c in "a é ש 😀\u{fe0f}\u{a0}\u{3000}".chars() {
            assert!(shows_itself(c), "{c:?}");
        }
        for number in [
            0x0, 0x1b, 0x85, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180e, 0x200b, 0x200f, 0x2028,
            0x202e, 0x2060, 0x2066, 0x2800, 0x3164, 0xfeff, 0xffa0, 0xfff9, 0x1_bca0, 0x1_d173, 0xe_0041,
            0xe_0100,
        ] {
            let c = char::from_u32(number).unwrap();
            assert!(!shows_itself(c), "{number:x}");
        }
    }

    #[test]
    fn quoting_escapes_and_cuts() {
        assert_eq!(format!("{}", Quoted("a\"b\n\u{202e}")), "\"a\\\"b\\u{a}\\u{202e}\"");
        assert_eq!(format!("{}", Quoted(&"x".repeat(100))).chars().count(), 64 + 3);
        assert_eq!(format!("{}", OneLine("it's\n\u{1b}[1m\u{2028}é")), "it's\\u{a}\\u{1b}[1m\\u{2028}é");
    }
}
