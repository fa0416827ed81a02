//! Pages that are near what was asked for, by their words.

use alloc::vec::Vec;

use super::site::Known;

/// How many pages are offered in the place of one that is not there.
const OFFERED: usize = 6;

/// How many words of what was asked are looked at: the first, within so many characters. It came from outside, and each is
/// compared with each word of the site.
const WORDS: usize = 8;
const CHARACTERS: usize = 256;

/// The pages whose routes and titles share words with what was asked, the nearest first.
pub(super) fn near<'a>(pages: &'a [Known], asked: &str) -> Vec<&'a Known> {
    let end = asked.char_indices().nth(CHARACTERS).map_or(asked.len(), |(end, _)| end);
    let asked: Vec<&str> = words(&asked[..end]).take(WORDS).collect();
    let mut found: Vec<(u32, &Known)> = Vec::new();
    for page in pages {
        let score = asked.iter().map(|word| best(word, page)).sum();
        if score > 0 {
            found.push((score, page));
        }
    }
    // Stable: equals keep the order in which they were declared, shorter routes first.
    found.sort_by_key(|(score, page)| (u32::MAX - score, page.route.text.len()));
    found.into_iter().take(OFFERED).map(|(_, page)| page).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// How near the nearest word of the page is.
fn best(word: &str, page: &Known) -> u32 {
    let title = page.title.as_deref().unwrap_or_default();
    words(&page.route.text).chain(words(title)).map(|other| alike(word, other)).max().unwrap_or_default()
}

/// 3 for the same word in either case, 2 when one begins with the other, 1 when they begin alike.
fn alike(one: &str, other: &str) -> u32 {
    let same = |(one, other): &(char, char)| one.to_lowercase().eq(other.to_lowercase());
    let shared = one.chars().zip(other.chars()).take_while(same).count();
    let ends = |word: &str| word.chars().nth(shared).is_none();
    match (ends(one), ends(other)) {
        (true, true) => 3,
        (false, false) if shared >= 4 => 1,
        (true, false) | (false, true) if shared >= 3 => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{alike, near};
    use crate::navigation::page::Page;
    use crate::navigation::site::Site;
    use alloc::vec::Vec;

    #[test]
    fn words_are_near_by_how_they_begin() {
        assert_eq!(alike("Refund", "refund"), 3);
        assert_eq!(alike("refund", "refunds"), 2);
        assert_eq!(alike("returning", "returns"), 1);
        assert_eq!(alike("re", "refund") + alike("order", "billing"), 0);
    }

    #[test]
    fn the_nearest_pages_come_first_and_strangers_not_at_all() {
        let pages = [
            ("/help/returns", "Send something back"),
            ("/orders/:id/return", "Return an order"),
            ("/jobs", "Jobs"),
        ];
        let (site, _) = Site::check(pages.into_iter().map(Page::from).collect(), &[]);
        let near =
            |asked| near(&site.pages, asked).into_iter().map(|page| &*page.route.text).collect::<Vec<_>>();
        assert_eq!(near("/order/returns"), ["/orders/:id/return", "/help/returns"]);
        assert_eq!(near("https://shop.example/JOBS/"), ["/jobs"]);
        assert!(near("/xyz").is_empty() && near("").is_empty());
    }
}
