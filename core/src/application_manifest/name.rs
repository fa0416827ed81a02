//! From a tool's name to its name here.

use alloc::string::String;

/// The most characters of a name in the application manifest.
pub(crate) const MAX_NAME_CHARACTERS: usize = 64;

/// A tool's name in `snake_case`, the form that the application manifest has its names in.
///
/// A word begins after an underscore, at a capital that follows something else than a capital, and at the last capital
/// of several that a small letter follows. Digits belong to the word before them. The words, in lower case, are joined
/// with one underscore each; underscores at the ends are dropped.
///
/// ```
/// use median_edge::application_manifest::snake_case;
///
/// assert_eq!(snake_case("orderStatus"), "order_status");
/// assert_eq!(snake_case("getURL"), "get_url");
/// assert_eq!(snake_case("HTTPServer2Start"), "http_server2_start");
/// ```
pub fn snake_case(name: &str) -> String {
    let characters = || name.chars();
    let mut snake = String::with_capacity(name.len() + 4);
    let mut before = None;
    for (character, next) in characters().zip(characters().skip(1).map(Some).chain([None])) {
        let after_other = before.is_none_or(|before: char| !before.is_ascii_uppercase());
        let before_small = next.is_some_and(|next| next.is_ascii_lowercase());
        let begins = before == Some('_') || character.is_ascii_uppercase() && (after_other || before_small);
        if character != '_' {
            if begins && !snake.is_empty() {
                snake.push('_');
            }
            snake.push(character.to_ascii_lowercase());
        }
        before = Some(character);
    }
    snake
}

/// Whether a name is `snake_case`: words of small letters and digits, the first one beginning with a letter, with one
/// underscore between them, 64 characters at most.
pub(crate) fn is_snake_case(name: &str) -> bool {
    let words =
        |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    name.len() <= MAX_NAME_CHARACTERS
        && name.bytes().next().is_some_and(|b| b.is_ascii_lowercase())
        && name.split('_').all(words)
}

#[cfg(test)]
mod tests {
    use super::{is_snake_case, snake_case};
    use proptest::prelude::*;

    const TABLE: [(&str, &str); 14] = [
        ("orderStatus", "order_status"),
        ("order_status", "order_status"),
        ("OrderStatus", "order_status"),
        ("ping", "ping"),
        ("getURL", "get_url"),
        ("getURLOf", "get_url_of"),
        ("HTTPServer", "http_server"),
        ("line2Text", "line2_text"),
        ("line_2_text", "line_2_text"),
        ("iso8601Date", "iso8601_date"),
        ("v2", "v2"),
        ("aBC", "a_bc"),
        ("A_9", "a_9"),
        ("order__status_", "order_status"),
    ];

    #[test]
    fn names_are_mapped_as_the_table_says() {
        for (name, snake) in TABLE {
            assert_eq!(snake_case(name), snake, "{name}");
        }
    }

    #[test]
    fn snake_case_is_told_from_other_forms() {
        for good in ["a", "user_service", "v2", "a_9"] {
            assert!(is_snake_case(good), "{good}");
        }
        for bad in ["", "9a", "_a", "a_", "a__b", "userService", "user-service", "usér"] {
            assert!(!is_snake_case(bad), "{bad}");
        }
        assert!(is_snake_case(&"a".repeat(64)) && !is_snake_case(&"a".repeat(65)));
    }

    proptest! {
        #[test]
        fn every_tools_name_becomes_one_in_snake_case_and_stays_it(name in "[A-Za-z][A-Za-z0-9_]{0,31}") {
            let snake = snake_case(&name);
            prop_assert!(is_snake_case(&snake), "{name} {snake}");
            prop_assert_eq!(snake_case(&snake), snake);
        }
    }
}
