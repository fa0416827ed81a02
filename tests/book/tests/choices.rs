//! The rules of `docs/protocol.md`, and the two places that list which of them are choices.

use std::collections::{BTreeMap, BTreeSet};

use median_edge_book::Page;

/// Each rule, and whether it is a choice, in the order of the page.
fn rules(text: &str) -> Vec<(String, bool)> {
    let rule = |line: &str| {
        let (id, rest) = line.strip_prefix("**")?.split_once("** (")?;
        Some((id.to_owned(), rest.starts_with("choice")))
    };
    text.lines().filter_map(rule).collect()
}

#[test]
fn the_list_of_choices_has_each_choice_once() {
    let page = Page::read("docs/protocol.md");
    let (rules_part, list) = page.text.split_once("\n## The choices in one list\n").unwrap();
    let choices: Vec<String> =
        rules(rules_part).into_iter().filter(|(_, choice)| *choice).map(|(id, _)| id).collect();
    let listed: Vec<String> = list
        .lines()
        .filter_map(|line| line.strip_prefix("- **")?.split_once("**").map(|(id, _)| id.to_owned()))
        .collect();
    let missing: Vec<_> = choices.iter().filter(|id| !listed.contains(id)).collect();
    let extra: Vec<_> = listed.iter().filter(|id| !choices.contains(id)).collect();
    assert!(missing.is_empty() && extra.is_empty(), "not in the list: {missing:?}; not choices: {extra:?}");
    let once: BTreeSet<_> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "one is listed twice");
}

#[test]
fn the_page_of_choices_names_rules_that_are_choices() {
    let rules: BTreeMap<String, bool> = rules(&Page::read("docs/protocol.md").text).into_iter().collect();
    let page = Page::read("docs/choices.md");
    let mut named = 0;
    for (index, line) in page.text.lines().enumerate().filter(|(_, line)| line.starts_with("| ")) {
        let Some((_, cell)) = line.trim_end_matches(" |").rsplit_once("| [") else { continue };
        let (ids, _) = cell.split_once(']').unwrap();
        for id in ids.split(", ").flat_map(|part| part.split(" to ")) {
            assert_eq!(rules.get(id), Some(&true), "docs/choices.md:{}: {id}", index + 1);
            named += 1;
        }
    }
    assert!(named > 20, "the table was not read: {named}");
}
