//! The input of `goToPage`, as the agent is shown it.
//!
//! The pages are in the description of `path`, where the agent looks when it writes one, and so within the limit that
//! the protocol sets a schema. A list of all pages may fill that limit, since with it the agent finds a page at once. One
//! that cannot be whole is kept to a part of it: it only has to show where to look.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::listing::{line, listing};
use super::site::Known;
use crate::field::{FieldSpec, choice, string};
use crate::limits::MAX_SCHEMA_CHARACTERS;
use crate::manifest::schema_characters;

/// How many characters of a title are shown, from the best on, as there is room.
const TITLES: [usize; 3] = [80, 32, 0];

/// The most characters of a list that is not whole.
const PARTS: usize = 3_000;

/// The most characters that the field for highlights takes of the schema.
const HIGHLIGHTS: usize = 2_000;

/// The input: the page, and what to highlight on it where anything can be.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) fields: Vec<FieldSpec>,
    /// Whether every page is in the list.
    pub(super) whole: bool,
}

pub(super) fn input(pages: &[Known]) -> Input {
    let highlight = highlight(pages);
    let with = |path: FieldSpec| -> Vec<FieldSpec> { [path].into_iter().chain(highlight.clone()).collect() };
    for titles in TITLES {
        let fields = with(whole(pages, titles));
        if schema_characters(&fields) <= MAX_SCHEMA_CHARACTERS {
            return Input { fields, whole: true };
        }
    }
    Input { fields: with(parts(pages)), whole: false }
}

/// All the pages: a choice when none of them varies, else in words.
fn whole(pages: &[Known], titles: usize) -> FieldSpec {
    if pages.iter().all(|page| page.route.is_fixed()) {
        let named = pages.iter().filter(|page| titles > 0 && page.title.is_some());
        let lines: Vec<String> = named.map(|page| line(page, titles)).collect();
        let words = if lines.is_empty() { "The page's path." } else { "The page's path. What they are:" };
        let description = described(words, &lines);
        return choice("path", pages.iter().map(|page| page.route.text.to_string())).description(description);
    }
    let lines: Vec<String> = pages.iter().map(|page| line(page, titles)).collect();
    let words = "The page's path: one of these, with a value in the place of each name that has a colon.";
    string("path").description(described(words, &lines))
}

/// The parts of a site that has too many pages to list.
fn parts(pages: &[Known]) -> FieldSpec {
    let all = pages.len();
    let listing = listing(pages.iter().collect(), PARTS);
    let words = format!(
        "The page's path, with a value in the place of each name that has a colon. The site has {all} pages. A path that \
         ends in ** stands for those that begin so: call with it to be told them, or with a few words of what the page \
         is about to be told what is near, and then with the page's own path."
    );
    let mut lines = listing.lines;
    if listing.more > 0 {
        lines.push(format!("and {} more pages", listing.more));
    }
    string("path").description(described(&words, &lines))
}

fn described(words: &str, lines: &[String]) -> String {
    let mut text = String::from(words);
    for line in lines {
        text.push('\n');
        text.push_str(line);
    }
    text
}

/// What can be highlighted: a choice of selectors, or a text where they are too many to list.
fn highlight(pages: &[Known]) -> Option<FieldSpec> {
    let mut selectors: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for page in pages {
        for highlight in &page.highlights {
            if !selectors.iter().any(|selector| *selector == highlight.selector) {
                selectors.push(highlight.selector.to_string());
            }
            lines.push(format!("{} on {} - {}", highlight.selector, page.route.text, highlight.shows));
        }
    }
    if lines.is_empty() {
        return None;
    }
    let words =
        "What to highlight on the page, as a CSS selector. Leave it out where nothing is to be pointed at.";
    let listed = choice("highlight", selectors).optional().description(described(words, &lines));
    if schema_characters(core::slice::from_ref(&listed)) <= HIGHLIGHTS {
        return Some(listed);
    }
    let words = format!("{words} What a page has is in the answer to a call without this.");
    Some(string("highlight").optional().description(words))
}
