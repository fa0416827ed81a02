//! Links of a page, and what they may point to.

use crate::block::without_blocks;

/// A link, with the line it stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// From 1.
    pub line: usize,
    /// What it points to, as it is written.
    pub target: String,
}

impl Link {
    /// Whether it leads somewhere else than to a file of this repository.
    pub fn is_elsewhere(&self) -> bool {
        ["https:", "http:", "mailto:"].iter().any(|scheme| self.target.starts_with(scheme))
    }

    /// The file, empty for the page itself, and the anchor in it.
    pub fn parts(&self) -> (&str, Option<&str>) {
        match self.target.split_once('#') {
            Some((file, anchor)) => (file, Some(anchor)),
            None => (&self.target, None),
        }
    }
}

/// The links of a page: `[text](target)`, where the text is not code.
pub fn links(text: &str) -> Vec<Link> {
    let prose = without_code(&without_blocks(text));
    let mut found = Vec::new();
    for (index, line) in prose.lines().enumerate() {
        for (at, _) in line.match_indices("](") {
            if let Some((target, _)) = line[at + 2..].split_once(')') {
                let target = target.split(' ').next().unwrap_or_default().to_owned();
                found.push(Link { line: index + 1, target });
            }
        }
    }
    found
}

/// The anchors of a page: what GitHub and mdBook make of its headings.
pub fn anchors(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in without_blocks(text).lines() {
        let title = line.trim_start_matches('#');
        let level = line.len() - title.len();
        if !(1..=6).contains(&level) || !title.starts_with(' ') {
            continue;
        }
        let anchor = slug(title.trim());
        let again = found.iter().filter(|other| **other == anchor).count();
        found.push(if again == 0 { anchor } else { format!("{anchor}-{again}") });
    }
    found
}

/// Letters and digits in lower case, with `-` for a space; `-` and `_` stay, the rest goes.
fn slug(title: &str) -> String {
    let kept = |c: char| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        c if c.is_alphanumeric() => Some(c),
        _ => None,
    };
    title.to_lowercase().chars().filter_map(kept).collect()
}

/// Leaves out what is between backticks, over the end of a line too.
fn without_code(text: &str) -> String {
    let mut prose = String::new();
    for (index, part) in text.split('`').enumerate() {
        if index % 2 == 0 {
            prose.push_str(part);
        } else {
            prose.extend(part.chars().filter(|c| *c == '\n'));
        }
    }
    prose
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_in_sentences_and_not_in_code() {
        let text = "a [b](c.md#d) `[e](f)` [`g`](h \"title\")\n```\n[i](j)\n```\n[k](l)\n";
        let found: Vec<_> = links(text).into_iter().map(|link| (link.line, link.target)).collect();
        let expected = [(1, "c.md#d"), (1, "h"), (5, "l")].map(|(line, target)| (line, target.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn anchors_are_those_that_readers_make_of_headings() {
        let text = "# The `key`, and more\n#no\n## 401: why?\n## 401: why?\n```\n# x\n```\n";
        assert_eq!(anchors(text), ["the-key-and-more", "401-why", "401-why-1"]);
    }

    #[test]
    fn a_link_is_a_file_and_an_anchor() {
        let link = |target: &str| Link { line: 1, target: target.to_owned() };
        assert_eq!(link("a.md#b").parts(), ("a.md", Some("b")));
        assert_eq!(link("#b").parts(), ("", Some("b")));
        assert_eq!(link("a.md").parts(), ("a.md", None));
        assert!(link("https://example.com").is_elsewhere() && !link("a.md").is_elsewhere());
    }
}
