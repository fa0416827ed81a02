//! A list of pages that has a limit: where not all fit, the larger parts of the site stand as one line each.
//!
//! A line is a page, or `/docs/**` with the number of pages below it. Parts are opened from the smallest on, so that
//! what is rare on the site is seen at once, and a part with a thousand pages costs one line until it is asked for. A part
//! that is wide and flat (`/products/a-slug`) is told apart by its letters: `/products/a**`. Each part has the title of its first page, or its path, as an example.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::site::Known;
use crate::text::characters;

/// Of a longer title, this many characters are shown where not all pages fit.
const TITLE: usize = 40;

/// A part is opened when that takes at most so many lines.
const OPENED: usize = 40;

/// Lines for people and models to read, and how many pages found no place in them.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) lines: Vec<String>,
    pub(super) more: usize,
}

/// A page as a line: its route, and its title cut to so many characters; without one for 0.
pub(super) fn line(page: &Known, title: usize) -> String {
    match &page.title {
        Some(text) if title > 0 => format!("{} - {}", page.route.text, cut(text, title)),
        _ => page.route.text.clone().into_owned(),
    }
}

fn cut(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(limit.saturating_sub(1)).collect();
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

/// Lists pages in at most so many characters.
pub(super) fn listing(pages: Vec<&Known>, limit: usize) -> Listing {
    let mut depth = 0;
    let mut entries = by_segment(pages, depth);
    // What they all share says nothing.
    while let [Entry::Part(part)] = &mut entries[..] {
        depth = part.depth;
        entries = by_segment(core::mem::take(&mut part.pages), depth);
    }
    if cost(&entries) > limit {
        entries = by_letters(entries, depth);
    }
    let more = drop_what_is_over(&mut entries, limit);
    open_what_fits(&mut entries, limit);
    Listing { lines: entries.iter().map(Entry::line).collect(), more }
}

enum Entry<'a> {
    Page(&'a Known),
    Part(Part<'a>),
}

/// Pages that share their beginning.
struct Part<'a> {
    /// What to ask for to see them.
    path: String,
    /// How many segments they share for sure.
    depth: usize,
    pages: Vec<&'a Known>,
    /// It was tried, and its pages did not fit.
    closed: bool,
}

impl Entry<'_> {
    fn line(&self) -> String {
        match self {
            Self::Page(page) => line(page, TITLE),
            Self::Part(part) => {
                let first = part.pages.first();
                let like = first.map_or("", |page| page.title.as_deref().unwrap_or(&page.route.text));
                format!("{} - {} pages, like {}", part.path, part.pages.len(), cut(like, TITLE))
            }
        }
    }

    fn count(&self) -> usize {
        match self {
            Self::Page(_) => 1,
            Self::Part(part) => part.pages.len(),
        }
    }
}

/// With what JSON puts around a line.
fn cost(entries: &[Entry<'_>]) -> usize {
    entries.iter().map(|entry| line_cost(&entry.line())).sum()
}

fn line_cost(line: &str) -> usize {
    characters(line) + line.matches(['"', '\\']).count() + 3
}

/// One entry for each segment at a depth, in the order of the pages.
fn by_segment(pages: Vec<&Known>, depth: usize) -> Vec<Entry<'_>> {
    group(pages, |page| {
        let segment = page.route.parts().nth(depth)?;
        let shared = beginning(page, depth);
        Some((segment, format!("{shared}/{segment}/**"), depth + 1))
    })
}

/// One entry for each letter that the segments at a depth go on with, after what they share.
fn by_letters(entries: Vec<Entry<'_>>, depth: usize) -> Vec<Entry<'_>> {
    let pages: Vec<&Known> = entries.into_iter().flat_map(Entry::into_pages).collect();
    let segments = || pages.iter().filter_map(|page| page.route.parts().nth(depth));
    let first = segments().next().unwrap_or_default();
    let shared = segments().map(|segment| shared_characters(segment, first)).min().unwrap_or_default();
    let mut entries = group(pages.clone(), |page| {
        let start = first_characters(page.route.parts().nth(depth)?, shared + 1);
        Some((start, String::new(), depth))
    });
    for entry in &mut entries {
        if let Entry::Part(part) = entry {
            let mut segments = part.pages.iter().filter_map(|page| page.route.parts().nth(depth));
            let first = segments.next().unwrap_or_default();
            let shared = segments.map(|segment| shared_characters(segment, first)).min().unwrap_or_default();
            let beginning = part.pages.first().map(|page| beginning(page, depth)).unwrap_or_default();
            part.path = format!("{beginning}/{}**", first_characters(first, shared));
        }
    }
    entries
}

fn first_characters(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(end, _)| &text[..end])
}

fn shared_characters(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
}

impl<'a> Entry<'a> {
    fn into_pages(self) -> Vec<&'a Known> {
        match self {
            Self::Page(page) => alloc::vec![page],
            Self::Part(part) => part.pages,
        }
    }
}

/// The first segments of a page's route.
fn beginning(page: &Known, depth: usize) -> String {
    page.route.parts().take(depth).flat_map(|part| ["/", part]).collect()
}

/// Puts pages with the same key together. The key comes with the part's path and depth; a page without one, and one that
/// is alone with its own, stands for itself.
fn group<'a>(
    pages: Vec<&'a Known>,
    key: impl Fn(&'a Known) -> Option<(&'a str, String, usize)>,
) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry<'a>> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for page in pages {
        let Some((key, path, depth)) = key(page) else {
            entries.push(Entry::Page(page));
            continue;
        };
        match places.get(key).map(|place| &mut entries[*place]) {
            Some(Entry::Part(part)) => part.pages.push(page),
            Some(entry) => {
                let Entry::Page(first) = *entry else { continue };
                *entry = Entry::Part(Part { path, depth, pages: alloc::vec![first, page], closed: false });
            }
            None => {
                places.insert(key, entries.len());
                entries.push(Entry::Page(page));
            }
        }
    }
    entries
}

/// Drops entries from the end until the rest fits; says how many pages went.
fn drop_what_is_over(entries: &mut Vec<Entry<'_>>, limit: usize) -> usize {
    let mut used = 0;
    let fitting = entries.iter().take_while(|entry| {
        used += line_cost(&entry.line());
        used <= limit
    });
    let fitting = fitting.count();
    entries.drain(fitting..).map(|entry| entry.count()).sum()
}

/// Puts the pages of parts in the place of the parts, the smallest first, as long as all fits.
fn open_what_fits(entries: &mut Vec<Entry<'_>>, limit: usize) {
    let mut used = cost(entries);
    loop {
        let parts = entries.iter().enumerate().filter_map(|(place, entry)| match entry {
            Entry::Part(part) if !part.closed => Some((part.pages.len(), place)),
            _ => None,
        });
        let Some((_, place)) = parts.min() else { return };
        let Entry::Part(part) = &mut entries[place] else { return };
        let opened = by_segment(part.pages.clone(), part.depth);
        let (before, after) = (line_cost(&entries[place].line()), cost(&opened));
        if opened.len() <= OPENED && used - before + after <= limit {
            used = used - before + after;
            entries.splice(place..=place, opened);
        } else if let Entry::Part(part) = &mut entries[place] {
            part.closed = true;
        }
    }
}
