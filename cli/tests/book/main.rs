//! The commands of README and the book: run as they stand, against the demo or against what a page makes.

// They are a shell's.
#![cfg(unix)]

mod served;
mod shell;

use median_edge_book::block::blocks;
use median_edge_book::commands::{Proof, of};
use median_edge_book::{Page, for_users, root};

use crate::shell::Shell;

/// The page that makes a project of its own.
const PROJECT: &str = "docs/first-tool.md";

/// Runs a page from its beginning to its end, in one folder.
fn run(page: &Page, shell: &mut Shell) -> Result<usize, String> {
    let mut ran = 0;
    for block in blocks(&page.text) {
        let place = format!("{}:{}", page.path, block.line);
        if let Some(file) = block.file() {
            shell.write(file, &block.text);
        }
        if block.language != "sh" {
            continue;
        }
        let proof = Proof::of(&block).map_err(|why| format!("{}: {why}", page.path))?;
        let done = match proof {
            Proof::Exit(code) => shell.run(&block.text, code).map(|()| ran += 1),
            Proof::Serve => shell.serve(&block.text).map(|()| ran += 1),
            Proof::RunBy(path) => stands_in(&block.text, path),
            Proof::NotRun(_) => Ok(()),
        };
        done.map_err(|why| format!("{place}: {why}"))?;
    }
    Ok(ran)
}

/// Whether each line of a block is one of a file that is run.
fn stands_in(text: &str, path: &str) -> Result<(), String> {
    let file = std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
    let mut lines = text.lines().map(shell::without_comment).filter(|line| !line.is_empty());
    match lines.find(|line| !file.contains(line)) {
        Some(line) => Err(format!("`{line}` is not in {path}")),
        None => Ok(()),
    }
}

#[test]
fn the_commands_that_users_read_run_against_the_demo() {
    let mut ran = 0;
    let mut failed = Vec::new();
    for page in for_users().iter().filter(|page| page.path != PROJECT && !of(page).is_empty()) {
        match run(page, &mut Shell::new("demo")) {
            Ok(count) => ran += count,
            Err(why) => failed.push(why),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
    assert!(ran > 5, "only {ran} blocks were found");
}

#[test]
fn the_first_tool_is_made_tested_served_and_called_as_its_page_says() {
    let ran = run(&Page::read(PROJECT), &mut Shell::new("first-tool"));
    assert!(ran.as_ref().is_ok_and(|ran| *ran >= 5), "{ran:?}");
}

#[test]
fn every_block_of_commands_is_marked_as_one() {
    for page in for_users() {
        for block in blocks(&page.text) {
            let is_other = ["bash", "console", "shell", "zsh"].contains(&block.language);
            assert!(!is_other, "{}:{}: write `sh`, so that it is run", page.path, block.line);
        }
    }
}

mod mistakes {
    use super::*;

    fn page(name: &str, text: &str) -> Result<usize, String> {
        run(&Page { path: "a.md".to_owned(), text: text.to_owned() }, &mut Shell::new(name))
    }

    #[test]
    fn a_command_that_fails_is_found() {
        let why = page("fails", "```sh\ntrue\necho why; false\ntrue\n```\n").unwrap_err();
        assert!(why.starts_with("a.md:1: ") && why.contains("why"), "{why}");
    }

    #[test]
    fn a_command_that_should_fail_and_does_not_is_found() {
        assert!(page("does-not-fail", "<!-- commands: exit 1 -->\n```sh\ntrue\n```\n").is_err());
    }

    #[test]
    fn a_command_that_no_longer_stands_where_it_is_said_to_is_found() {
        let block = |line: &str| format!("<!-- commands: run by .ci/run -->\n```sh\n{line}\n```\n");
        assert_eq!(page("elsewhere", &block("cargo xtask test   # all of it")), Ok(0));
        assert!(page("elsewhere", &block("cargo xtask nothing")).is_err());
    }
}
