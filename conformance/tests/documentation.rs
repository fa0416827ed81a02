//! The requirements, against the rules that they prove and the document that describes them.

#[path = "support/documented.rs"]
mod documented;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use median_edge_conformance::{Area, Severity, requirements};

/// Published rules of which a check asks more than the page says: they are reported as advice, each for a reason.
const MILDER: [(&str, &str); 2] = [
    ("timing-compare", "it measures, and a busy network can hide what it looks for"),
    ("diagnostics-limits", "the platform cuts off what is too long, and goes on"),
];

/// Each rule of the protocol, and whether it is published.
fn rules() -> BTreeMap<String, bool> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/protocol.md");
    let text = std::fs::read_to_string(path).unwrap();
    let rule = |line: &str| {
        let (id, rest) = line.strip_prefix("**")?.split_once("** (")?;
        Some((id.to_owned(), rest.starts_with("published")))
    };
    text.lines().filter_map(rule).collect()
}

#[test]
fn a_must_is_what_is_published_and_a_should_is_a_choice() {
    let rules = rules();
    for requirement in requirements() {
        let published = rules.get(requirement.rule);
        let published = published.unwrap_or_else(|| panic!("{} cites {}", requirement.id, requirement.rule));
        let milder = MILDER.iter().any(|(id, _)| *id == requirement.id);
        let must = requirement.severity == Severity::Must;
        assert_eq!(must, *published && !milder, "{} ({})", requirement.id, requirement.rule);
    }
}

#[test]
fn every_requirement_says_what_it_is_for() {
    let all = requirements();
    let mut ids: Vec<_> = all.iter().map(|requirement| requirement.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all.len(), "two requirements have one id");
    for requirement in &all {
        let id = requirement.id;
        assert!(
            id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'),
            "{id}"
        );
        for text in [requirement.sentence, requirement.why, requirement.mend] {
            assert!(text.ends_with(['.', '?', '…']) && text.len() > 10, "{id}: {text:?}");
        }
    }
    for area in Area::ALL {
        assert!(all.iter().any(|requirement| requirement.area == *area), "{area} is empty");
    }
}

#[test]
fn the_requirements_are_in_the_documentation() {
    let mut text = String::new();
    for area in Area::ALL {
        let _ = writeln!(text, "### {area}\n\n{}\n", area.about());
        for requirement in requirements().iter().filter(|requirement| requirement.area == *area) {
            let rule = requirement.rule;
            let _ = writeln!(
                text,
                "**`{}`** ({}, {rule}). {} *Why:* {} *How to mend:* {}\n",
                requirement.id, requirement.severity, requirement.sentence, requirement.why, requirement.mend
            );
        }
    }
    documented::assert_section("requirements", text.trim_end());
    let all = requirements();
    let must = all.iter().filter(|requirement| requirement.severity == Severity::Must).count();
    let text = format!("{} requirements: {must} are a *must*, {} a *should*.", all.len(), all.len() - must);
    documented::assert_section("counts", &text);
}
