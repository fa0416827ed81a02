//! Every link leads somewhere, the table of contents is whole, and every Rust example is compiled.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use median_edge_book::block::blocks;
use median_edge_book::links::{anchors, links};
use median_edge_book::{Page, for_everyone, pages, root};

/// What a link of a page leads to, from the root of the repository.
fn target(page: &Page, file: &str) -> String {
    if file.is_empty() {
        return page.path.clone();
    }
    let mut parts: Vec<&str> = page.path.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn every_link_to_a_file_or_a_heading_leads_there() {
    let mut wrong = Vec::new();
    for page in for_everyone() {
        for link in links(&page.text).iter().filter(|link| !link.is_elsewhere()) {
            let (file, anchor) = link.parts();
            let path = target(&page, file);
            let there = root().join(&path);
            let place = format!("{}:{}: {}", page.path, link.line, link.target);
            if !there.exists() {
                wrong.push(format!("{place}: there is no {path}"));
            } else if let Some(anchor) = anchor {
                let text = fs::read_to_string(there).unwrap_or_default();
                if !anchors(&text).iter().any(|known| known == anchor) {
                    wrong.push(format!("{place}: {path} has no such heading"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The book is also read without the repository.
#[test]
fn a_page_of_the_book_links_to_pages_of_the_book() {
    for page in pages() {
        for link in links(&page.text).iter().filter(|link| !link.is_elsewhere()) {
            let path = target(&page, link.parts().0);
            let is_page =
                path.starts_with("docs/") && Path::new(&path).extension().is_some_and(|e| e == "md");
            assert!(
                is_page,
                "{}:{}: {path} is not in the book: name it without a link",
                page.path, link.line
            );
        }
    }
}

#[test]
fn every_page_is_in_the_table_of_contents_once() {
    const CONTENTS: &str = "docs/SUMMARY.md";
    let listed: Vec<String> =
        links(&Page::read(CONTENTS).text).iter().map(|link| format!("docs/{}", link.target)).collect();
    let once: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "a page is listed twice");
    let pages = pages();
    let there: BTreeSet<&String> =
        pages.iter().map(|page| &page.path).filter(|path| *path != CONTENTS).collect();
    assert_eq!(there, once, "docs/SUMMARY.md lists the pages of docs");
}

/// Any crate may include a page in its documentation tests.
#[test]
fn the_rust_examples_of_every_page_are_compiled_by_somebody() {
    let mut sources = String::new();
    for folder in ["adapters", "cli", "conformance", "core", "examples", "tests"] {
        collect(&root().join(folder), &mut sources);
    }
    for page in pages() {
        let name = page.path.trim_start_matches("docs/");
        let has_rust = blocks(&page.text).iter().any(|block| block.language == "rust");
        let included = [format!("docs/{name}\")"), format!("\"{name}\");")];
        let is_included = included.iter().any(|text| sources.contains(text));
        assert!(
            !has_rust || is_included,
            "nobody compiles the examples of {}: add it to tests/book/src/examples.rs",
            page.path
        );
    }
}

fn collect(folder: &Path, sources: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && name != "build" && name != "node_modules" {
            collect(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}
