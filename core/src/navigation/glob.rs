//! Patterns of paths that are left out: `*` within a segment, `**` across.

use alloc::vec::Vec;

use super::path::{Segment, without_parameters};

/// A pattern of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob(Vec<Token>);

/// A path to compare with patterns. Letters count in either case, and what is after a semicolon counts and does not: a
/// server may take it either way, and what is left out must be left out for all of them.
#[derive(Debug)]
pub(super) struct Subject {
    whole: Vec<char>,
    /// Without what is after a semicolon, if there is one.
    cut: Option<Vec<char>>,
}

impl Subject {
    pub(super) fn new(segments: &[Segment<'_>]) -> Self {
        let folded = |cut: fn(&str) -> &str| {
            let texts = segments.iter().map(|segment| cut(&segment.text));
            texts
                .flat_map(|text| ['/'].into_iter().chain(text.chars().flat_map(char::to_lowercase)))
                .collect()
        };
        let has_parameters = segments.iter().any(|segment| segment.text.contains(';'));
        Self { whole: folded(|text| text), cut: has_parameters.then(|| folded(without_parameters)) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// This character.
    Char(char),
    /// Any characters but slashes, or none.
    Star,
    /// Any characters, or none.
    DoubleStar,
    /// `/**` as whole segments: nothing, or a slash and anything.
    Below,
}

impl Glob {
    /// # Errors
    ///
    /// Says what a pattern must be, after its name.
    pub(super) fn parse(pattern: &str) -> Result<Self, &'static str> {
        if !(pattern.starts_with('/') || pattern.starts_with("**")) {
            return Err("must begin with / (or with **), as the paths do");
        }
        if pattern.contains(|c: char| "?#[]{}\\%".contains(c) || c.is_control()) {
            return Err(
                "must be a path, decoded, in which only * and ** mean something: write one pattern for each case",
            );
        }
        let pattern = pattern.strip_suffix('/').unwrap_or(pattern);
        let mut tokens = Vec::new();
        let mut rest = pattern;
        while let Some(first) = rest.chars().next() {
            let after = rest.strip_prefix("/**").filter(|after| after.is_empty() || after.starts_with('/'));
            rest = if let Some(after) = after {
                tokens.push(Token::Below);
                after
            } else if rest.starts_with("**") {
                tokens.push(Token::DoubleStar);
                rest.trim_start_matches('*')
            } else if first == '*' {
                tokens.push(Token::Star);
                &rest[1..]
            } else {
                tokens.extend(first.to_lowercase().map(Token::Char));
                &rest[first.len_utf8()..]
            };
        }
        Ok(Self(tokens))
    }

    /// Whether a path is one that is meant.
    pub(super) fn matches(&self, path: &Subject) -> bool {
        self.matches_text(&path.whole) || path.cut.as_ref().is_some_and(|cut| self.matches_text(cut))
    }

    /// Token by token, with every place in the text that the tokens so far can reach: time is tokens by characters.
    fn matches_text(&self, text: &[char]) -> bool {
        let same = |(token, c): &(&Token, &char)| matches!(token, Token::Char(fixed) if fixed == *c);
        let fixed = self.0.iter().zip(text).take_while(same).count();
        let (tokens, text) = (&self.0[fixed..], &text[fixed..]);
        // Most paths differ at once.
        if matches!(tokens.first(), Some(Token::Char(_))) {
            return false;
        }
        let mut reached = alloc::vec![false; text.len() + 1];
        reached[0] = true;
        for token in tokens {
            let before = reached;
            reached = alloc::vec![false; text.len() + 1];
            let mut below = false;
            for at in 0..=text.len() {
                let last = at.checked_sub(1);
                let came = last.map(|last| text[last]);
                reached[at] = match token {
                    Token::Char(c) => came == Some(*c) && last.is_some_and(|last| before[last]),
                    Token::Star => before[at] || came != Some('/') && last.is_some_and(|last| reached[last]),
                    Token::DoubleStar => before[at] || last.is_some_and(|last| reached[last]),
                    Token::Below => {
                        below |= came == Some('/') && last.is_some_and(|last| before[last]);
                        before[at] || below
                    }
                };
            }
        }
        reached[text.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::{Glob, Subject};
    use crate::navigation::path::segments;
    use alloc::borrow::ToOwned;

    fn matches(pattern: &str, path: &str) -> bool {
        Glob::parse(pattern).unwrap().matches(&Subject::new(&segments(path).unwrap()))
    }

    #[test]
    fn two_stars_go_across_and_cover_what_they_are_below() {
        for path in ["/admin", "/admin/", "/admin/a", "/admin/a/b", "/Admin/a", "/%61dmin/a", "/admin;x=1/a"]
        {
            assert!(matches("/admin/**", path), "{path}");
        }
        for path in ["/", "/administrator", "/a/admin"] {
            assert!(!matches("/admin/**", path), "{path}");
        }
        assert!(matches("/a/**/b", "/a/b") && matches("/a/**/b", "/a/x/y/b") && !matches("/a/**/b", "/a/xb"));
        assert!(
            matches("**/edit", "/edit") && matches("/**/edit", "/a/edit") && !matches("**/edit", "/credit")
        );
        assert!(matches("/a**", "/a") && matches("/a**", "/ab/c") && !matches("/a**", "/b/a"));
        assert!(matches("/**", "/") && matches("**", "/") && matches("/**", "/a/b"));
    }

    #[test]
    fn one_star_stays_within_a_segment() {
        assert!(matches("/a/*", "/a/b") && !matches("/a/*", "/a") && !matches("/a/*", "/a/b/c"));
        assert!(matches("/x-*-y", "/x-1-y") && matches("/x*", "/x") && !matches("/x*", "/x/y"));
        assert!(matches("/*/b", "/a/b") && !matches("/*/b", "/a/c/b"));
    }

    #[test]
    fn a_pattern_without_stars_is_one_path() {
        assert!(matches("/a", "/a") && matches("/a/", "/a") && !matches("/a", "/a/b") && !matches("/a", "/"));
        assert!(matches("/", "/") && !matches("/", "/a"));
        assert!(matches("/a.b", "/a.b") && !matches("/a.b", "/axb"));
    }

    #[test]
    fn a_pattern_of_stars_takes_no_longer_than_its_length_by_the_paths() {
        let pattern = "/".to_owned() + &"*a".repeat(200);
        let path = "/".to_owned() + &"a".repeat(2_000) + "b";
        assert!(!matches(&pattern, &path));
    }

    #[test]
    fn a_pattern_that_would_match_nothing_or_other_things_than_it_seems_is_refused() {
        for pattern in ["admin/**", "", "*", "/{a,b}", "/[id]", "/a?", "/a#b", "/%61", "\\a", "!/a"] {
            assert!(Glob::parse(pattern).is_err(), "{pattern:?}");
        }
    }
}
