//! Text from outside: what a terminal would act on is taken out of it, and it is counted as the platform counts.

use median_edge::text::shows_itself;

/// Text on one line that does nothing but show itself.
pub(crate) fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => clean.push_str("\\n"),
            '\r' => {}
            '\t' => clean.push(' '),
            c if shows_itself(c) => clean.push(c),
            c => clean.extend(c.escape_unicode()),
        }
    }
    clean
}

/// The first characters of a clean text.
pub(crate) fn start_of(text: &str, characters: usize) -> String {
    let mut start: String = text.chars().take(characters).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    clean(&start)
}

/// The length in UTF-16 code units, as JavaScript counts.
pub(crate) fn characters(text: &str) -> usize {
    text.encode_utf16().count()
}

/// As much of a text as fits into so many UTF-16 code units.
pub(crate) fn first_characters(text: &str, limit: usize) -> &str {
    let mut units = 0;
    let end = text.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units > limit
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{characters, clean, first_characters, grouped, start_of};

    #[test]
    fn escape_sequences_do_not_reach_the_terminal() {
        assert_eq!(
            clean("a\u{1b}[31mb\u{9b}c\u{7}\u{202e}d\r\n\te"),
            "a\\u{1b}[31mb\\u{9b}c\\u{7}\\u{202e}d\\n e"
        );
        assert_eq!(clean("Ünïcode 😀 stays"), "Ünïcode 😀 stays");
    }

    #[test]
    fn characters_are_utf16_code_units_and_a_pair_is_not_cut() {
        assert_eq!(characters("a😀"), 3);
        assert_eq!(first_characters("a😀b", 2), "a");
        assert_eq!(first_characters("a😀b", 3), "a😀");
        assert_eq!(first_characters("a😀b", 9), "a😀b");
    }

    #[test]
    fn a_long_text_is_shown_from_its_start() {
        assert_eq!(start_of("abc", 3), "abc");
        assert_eq!(start_of("abcd", 3), "abc…");
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(grouped(4), "4");
        assert_eq!(grouped(4_000), "4,000");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
