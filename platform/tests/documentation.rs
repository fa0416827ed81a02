//! `docs/platform.md` against the code: each test that it names is there, and each message to the letter.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The text of every Rust file below a folder of this package.
fn sources(folder: &str) -> String {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut text = String::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                text += &fs::read_to_string(path).unwrap();
            }
        }
    }
    text
}

/// The rules, each with its id and all that is said of it on one line.
fn rules() -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join("docs/platform.md")).unwrap();
    let paragraphs = text.split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
    let rule = |paragraph: String| {
        let (id, _) = paragraph.strip_prefix("**")?.split_once("** (")?;
        Some((id.to_owned(), paragraph.clone()))
    };
    paragraphs.filter_map(rule).collect()
}

/// What stands between two marks.
fn between<'a>(text: &'a str, mark: &str) -> Vec<&'a str> {
    text.split(mark).skip(1).step_by(2).collect()
}

#[test]
fn each_rule_has_an_id_of_its_own_and_names_tests_that_are_there() {
    let code = sources("src") + &sources("tests");
    let rules = rules();
    assert!(rules.len() > 40, "the rules are found");
    for (at, (id, text)) in rules.iter().enumerate() {
        assert!(rules[..at].iter().all(|(other, _)| other != id), "{id} is there twice");
        let (_, tests) = text.rsplit_once("Test: ").unwrap_or_else(|| panic!("{id} names no test"));
        for test in between(tests, "`") {
            assert!(code.contains(&format!("fn {test}(")), "{id} names {test}, which is no test");
        }
    }
}

#[test]
fn each_message_is_in_the_code_to_the_letter() {
    let code = sources("src");
    let mut found = 0;
    for (id, text) in rules() {
        let (said, _) = text.rsplit_once("Test: ").unwrap_or((&text, ""));
        // What is code is no message.
        let said: String = said.split('`').step_by(2).collect();
        for message in between(&said, "\"") {
            assert!(code.contains(message), "{id} quotes {message:?}, which nothing says");
            found += 1;
        }
    }
    assert!(found > 20, "the messages are found");
}
