//! `new`: the project that it makes.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::{median_edge, shown, stdout};
use insta::assert_snapshot;
use tempfile::TempDir;

/// A folder for one test, empty and in no workspace.
fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn new(folder: &Path, arguments: &[&str]) -> Output {
    median_edge(&["new"]).args(arguments).current_dir(folder).output().unwrap()
}

#[test]
fn a_project_is_made_and_what_comes_next_is_said() {
    let folder = folder();
    let output = new(folder.path(), &["my-shop", "--platform", "workers"]);
    assert_snapshot!(shown(&output));
    let manifest = fs::read_to_string(folder.path().join("my-shop/Cargo.toml")).unwrap();
    assert!(manifest.contains("median-edge = { path = '../median-edge/core' }\n"), "{manifest}");
}

#[test]
fn a_source_that_is_none_or_holds_a_secret_is_refused_and_not_shown() {
    let folder = folder();
    for (option, source) in [
        ("--path", ""),
        ("--git", " "),
        ("--path", "a'b"),
        ("--path", "a\u{202e}b"),
        ("--git", "https://ana:hunter2@git.example/median-edge"),
        ("--git", "https://hunter2@git.example/median-edge"),
        ("--git", "ssh://ana:hunter2@git.example/median-edge"),
    ] {
        let output = new(folder.path(), &["my-shop", "--platform", "workers", option, source]);
        let said = shown(&output);
        assert!(output.status.code() == Some(2) && !said.contains("hunter2"), "{source:?}: {said}");
        assert!(!folder.path().join("my-shop").exists(), "{source:?}");
    }
    let output = new(
        folder.path(),
        &["my-shop", "--platform", "workers", "--git", "ssh://git@git.example/median-edge"],
    );
    assert!(output.status.success(), "{}", shown(&output));
}

#[test]
fn programs_are_told_the_files() {
    let folder = folder();
    let output = new(folder.path(), &["my-shop", "--platform", "workers", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    for file in document["files"].as_array().unwrap() {
        assert!(folder.path().join("my-shop").join(file.as_str().unwrap()).is_file(), "{file}");
    }
}

/// Each option by itself, all at once, and none.
const CHOICES: [(&str, &[&str]); 9] = [
    ("workers", &[]),
    ("workers", &["--storage", "kv"]),
    ("workers", &["--storage", "d1", "--navigation", "--application-manifest"]),
    ("workers", &["--navigation"]),
    ("workers", &["--application-manifest"]),
    ("lambda", &[]),
    ("lambda", &["--storage", "dynamodb", "--navigation", "--application-manifest"]),
    ("lambda", &["--navigation"]),
    ("lambda", &["--application-manifest"]),
];

/// A project, file by file.
fn files(folder: &Path, arguments: &[&str]) -> Vec<(String, String)> {
    let output = new(folder, &[&["my-shop", "--json"], arguments].concat());
    let document: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let names = document["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap().to_owned());
    names.map(|name| (name.clone(), fs::read_to_string(folder.join("my-shop").join(name)).unwrap())).collect()
}

#[test]
fn nothing_of_the_template_is_left_in_the_project() {
    for (platform, options) in CHOICES {
        for (name, source) in
            [("path", &["--path", "../x/"][..]), ("git", &["--git", "u"]), ("registry", &["--registry"])]
        {
            let folder = folder();
            for (file, text) in files(folder.path(), &[&["--platform", platform], source, options].concat()) {
                let known = text.replace("${{ ", "").replace("\"{{resolve:ssm:", "");
                let is_clean = ["{{", "{%", "project-name", "crate_name", "liquid", "cargo-generate"]
                    .iter()
                    .all(|left| !known.contains(left));
                let is_whole = text.ends_with('\n') && !text.ends_with("\n\n") && !text.starts_with('\n');
                let is_spaced = !text.contains("\n\n\n") && !text.contains(" \n");
                assert!(is_clean && is_whole && is_spaced, "{platform} {options:?} {name}: {file}:\n{text}");
            }
        }
    }
}

#[test]
fn what_is_not_asked_for_leaves_no_word_of_itself() {
    let words = [
        "kv",
        "notice",
        "wrangler d1",
        "d1_",
        "mod d1",
        "migrations",
        "sql",
        "dynamodb",
        "aws_sdk",
        "orders_table",
        "gotopage",
        "pages",
        "navigat",
        "agent/manifest",
        "application_manifest",
        "jsonschema",
        "schemars",
    ];
    for platform in ["workers", "lambda"] {
        let folder = folder();
        for (file, text) in files(folder.path(), &["--platform", platform]) {
            let text = text.to_lowercase();
            let left = words.iter().find(|word| text.contains(*word));
            assert_eq!(left, None, "{platform}: {file}");
        }
    }
}

#[test]
fn what_a_platform_has_no_binding_for_is_refused() {
    let folder = folder();
    assert_snapshot!(shown(&new(folder.path(), &["my-shop", "--platform", "lambda", "--storage", "kv"])));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_is_there_is_left_alone() {
    let folder = folder();
    fs::create_dir(folder.path().join("my-shop")).unwrap();
    assert_snapshot!(shown(&new(folder.path(), &["my-shop", "--platform", "workers"])));
    assert_eq!(fs::read_dir(folder.path().join("my-shop")).unwrap().count(), 0);
}

#[test]
fn a_project_goes_beside_a_clone_that_the_command_is_run_in() {
    let folder = folder();
    let clone = folder.path().join("median-edge");
    fs::create_dir_all(clone.join("core")).unwrap();
    fs::write(clone.join("Cargo.toml"), "[workspace]\nmembers = [\"core\"]\n").unwrap();
    fs::write(clone.join("core/Cargo.toml"), "").unwrap();
    let refused = shown(&new(&clone, &["my-shop", "--platform", "workers"]));
    let refused = refused.replace(&fs::canonicalize(folder.path()).unwrap().display().to_string(), "FOLDER");
    assert_snapshot!("inside_a_workspace", refused);
    assert!(!clone.join("my-shop").exists());
    assert_snapshot!("beside_a_workspace", shown(&new(&clone, &["../my-shop", "--platform", "workers"])));
    assert!(folder.path().join("my-shop/Cargo.toml").is_file());
}

#[test]
fn crates_that_are_not_there_yet_are_said() {
    let folder = folder();
    assert_snapshot!(shown(&new(folder.path(), &["my-shop", "--platform", "lambda", "--registry"])));
}

#[test]
fn a_name_that_cannot_be_used_says_why() {
    let folder = folder();
    assert_snapshot!(shown(&new(folder.path(), &["../My Shop", "--platform", "workers"])));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_source_that_would_break_the_manifest_is_refused() {
    let folder = folder();
    assert_snapshot!(shown(&new(folder.path(), &["my-shop", "--platform", "workers", "--path", "it's"])));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
