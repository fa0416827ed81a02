//! Counting and cutting text as the platform does: in UTF-16 code units.

use super::limits::{NAME_CHARACTERS, TEXT_CHARACTERS};
use super::problem::{Code, Problem};

/// The length in UTF-16 code units.
pub(crate) fn characters(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

/// The first so many characters, and whether that left something out. A character of two units is not cut in half.
pub(crate) fn first(text: &str, limit: usize) -> (&str, bool) {
    if text.len() <= limit {
        return (text, false);
    }
    let mut units = 0;
    for (at, c) in text.char_indices() {
        units += c.len_utf16();
        if units > limit {
            return (&text[..at], true);
        }
    }
    (text, false)
}

/// Text that a person reads: not blank, and not too long.
pub(crate) fn told(what: &str, text: String) -> Result<String, Problem> {
    if text.trim().is_empty() {
        return Err(Problem::new(Code::InvalidRequest, format!("{what} is empty. Write something.")));
    }
    bounded(what, text, TEXT_CHARACTERS)
}

/// A name, an address, an id: nothing when blank, and not too long.
pub(crate) fn name(what: &str, text: Option<String>) -> Result<Option<String>, Problem> {
    let text = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    text.map(|text| bounded(what, text, NAME_CHARACTERS)).transpose()
}

/// Text that is not too long.
pub(crate) fn bounded(what: &str, text: String, limit: usize) -> Result<String, Problem> {
    let count = characters(&text);
    if count > limit {
        let message = format!("{what} has {count} characters; {limit} is the most.");
        return Err(Problem::new(Code::InvalidRequest, message));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{characters, first};

    #[test]
    fn a_cut_never_splits_a_character() {
        assert_eq!(first("ab😀c", 3), ("ab", true));
        assert_eq!(first("ab😀c", 4), ("ab😀", true));
        assert_eq!(first("ab😀c", 5), ("ab😀c", false));
        assert_eq!(characters("ab😀c"), 5);
    }
}
