//! The book: the Markdown files of `docs/`, and the few beside it that a user reads.
//!
//! Its Rust examples are compiled and run as documentation tests, here (`examples.rs`) or in the crate that a page is about.
//! What else is in it is found by this library, for the tests that hold it to the truth: commands ([`commands`]), files
//! that an example writes, links ([`links`]).

#![warn(missing_docs)]

pub mod block;
pub mod commands;
#[cfg(doctest)]
mod examples;
pub mod links;

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// A Markdown file.
#[derive(Clone, Debug)]
pub struct Page {
    /// Where it is, from the root of the repository, with `/`.
    pub path: String,
    /// What is in it.
    pub text: String,
}

impl Page {
    /// Reads one, by its path from the root.
    ///
    /// # Panics
    ///
    /// When it is not there.
    pub fn read(path: &str) -> Self {
        let text = fs::read_to_string(root().join(path));
        Self { path: path.to_owned(), text: text.unwrap_or_else(|error| panic!("{path}: {error}")) }
    }
}

/// The pages of the book, by name, its table of contents among them.
///
/// # Panics
///
/// When `docs` cannot be read.
pub fn pages() -> Vec<Page> {
    let entries = fs::read_dir(root().join("docs")).expect("docs is there");
    let names =
        entries.map(|entry| entry.expect("docs can be read").file_name().to_string_lossy().into_owned());
    let is_page = |name: &String| Path::new(name).extension().is_some_and(|extension| extension == "md");
    let mut names: Vec<String> = names.filter(is_page).collect();
    names.sort_unstable();
    names.iter().map(|name| Page::read(&format!("docs/{name}"))).collect()
}

/// The book, and what else a user reads of the repository.
pub fn for_users() -> Vec<Page> {
    let mut pages = vec![Page::read("README.md")];
    pages.extend(self::pages());
    pages
}

/// The above, what is for whoever works here, and the READMEs of projects that are made here.
pub fn for_everyone() -> Vec<Page> {
    let mut pages = for_users();
    pages.extend(
        [
            "ARCHITECTURE.md",
            "CONTRIBUTING.md",
            "templates/aws-lambda/README.md.liquid",
            "templates/cloudflare-worker/README.md.liquid",
        ]
        .map(Page::read),
    );
    pages
}
