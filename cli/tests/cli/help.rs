//! The help, whole: it is the command's documentation.

use crate::{output, stdout};
use insta::assert_snapshot;

fn help(arguments: &[&str]) -> String {
    let output = output(arguments);
    assert!(output.status.success() && output.stderr.is_empty());
    stdout(&output)
}

#[test]
fn the_command() {
    assert_snapshot!(help(&["--help"]));
}

#[test]
fn dev() {
    assert_snapshot!(help(&["dev", "--help"]));
}

#[test]
fn sign() {
    assert_snapshot!(help(&["sign", "--help"]));
}

#[test]
fn call() {
    assert_snapshot!(help(&["call", "--help"]));
}

#[test]
fn manifest() {
    assert_snapshot!(help(&["manifest", "--help"]));
}

#[test]
fn check() {
    assert_snapshot!(help(&["check", "--help"]));
}

#[test]
fn doctor() {
    assert_snapshot!(help(&["doctor", "--help"]));
}

#[test]
fn new() {
    assert_snapshot!(help(&["new", "--help"]));
}

#[test]
fn h_is_help_too() {
    for command in [&["-h"][..], &["call", "-h"]] {
        assert!(help(command).contains("Exit codes"), "{command:?}");
    }
}

#[test]
fn every_command_says_its_exit_codes_and_gives_examples() {
    for command in ["dev", "sign", "call", "manifest", "check", "doctor", "new"] {
        let text = help(&[command, "--help"]);
        assert!(text.contains("Exit codes:") && text.contains("Examples:"), "{command}");
    }
}

#[test]
fn the_version_is_the_packages() {
    assert_eq!(help(&["--version"]), concat!("median-edge ", env!("CARGO_PKG_VERSION"), "\n"));
}
