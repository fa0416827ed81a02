//! `new`: the project that it makes.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::{env, fs};

use crate::{median_edge, shown, stdout};
use insta::assert_snapshot;

/// A folder for one test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("new").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn new(folder: &Path, arguments: &[&str]) -> Output {
    median_edge(&["new"]).args(arguments).current_dir(folder).output().unwrap()
}

#[test]
fn a_project_is_made_and_what_comes_next_is_said() {
    let folder = folder("made");
    let output = new(&folder, &["my-shop", "--platform", "workers"]);
    assert_snapshot!(shown(&output));
    let manifest = fs::read_to_string(folder.join("my-shop/Cargo.toml")).unwrap();
    assert!(manifest.contains("median-edge = { path = '../median-edge/core' }\n"), "{manifest}");
}

#[test]
fn programs_are_told_the_files() {
    let folder = folder("json");
    let output = new(&folder, &["my-shop", "--platform", "workers", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    for file in document["files"].as_array().unwrap() {
        assert!(folder.join("my-shop").join(file.as_str().unwrap()).is_file(), "{file}");
    }
}

#[test]
fn nothing_of_the_template_is_left_in_the_project() {
    for (name, source) in
        [("path", &["--path", "../x/"][..]), ("git", &["--git", "u"]), ("registry", &["--registry"])]
    {
        let folder = folder(&format!("left-{name}"));
        let mut arguments = vec!["my-shop", "--platform", "workers", "--json"];
        arguments.extend(source);
        let document: serde_json::Value = serde_json::from_str(&stdout(&new(&folder, &arguments))).unwrap();
        for file in document["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()) {
            let text = fs::read_to_string(folder.join("my-shop").join(file)).unwrap();
            let text = text.replace("${{ secrets.", "");
            let is_clean = ["{{", "{%", "project-name", "crate_name", "liquid", "cargo-generate"]
                .iter()
                .all(|left| !text.contains(left));
            assert!(is_clean && text.ends_with('\n') && !text.ends_with("\n\n"), "{name}: {file}:\n{text}");
        }
    }
}

#[test]
fn a_folder_that_is_there_is_left_alone() {
    let folder = folder("there");
    fs::create_dir(folder.join("my-shop")).unwrap();
    assert_snapshot!(shown(&new(&folder, &["my-shop", "--platform", "workers"])));
    assert_eq!(fs::read_dir(folder.join("my-shop")).unwrap().count(), 0);
}

#[test]
fn a_name_that_cannot_be_used_says_why() {
    let folder = folder("name");
    assert_snapshot!(shown(&new(&folder, &["../My Shop", "--platform", "workers"])));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn a_source_that_would_break_the_manifest_is_refused() {
    let folder = folder("source");
    assert_snapshot!(shown(&new(&folder, &["my-shop", "--platform", "workers", "--path", "it's"])));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}
