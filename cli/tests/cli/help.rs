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
fn tools() {
    assert_snapshot!(help(&["tools", "--help"]));
}

#[test]
fn tools_test() {
    assert_snapshot!(help(&["tools", "test", "--help"]));
}

#[test]
fn tools_approvals() {
    assert_snapshot!(help(&["tools", "approvals", "--help"]));
}

#[test]
fn logs() {
    assert_snapshot!(help(&["logs", "--help"]));
}

#[test]
fn h_is_help_too() {
    for command in [&["-h"][..], &["call", "-h"]] {
        assert!(help(command).contains("Exit codes"), "{command:?}");
    }
}

#[test]
fn every_command_says_its_exit_codes_and_gives_examples() {
    let tools = [
        "tools",
        "tools endpoint",
        "tools endpoint add",
        "tools endpoint list",
        "tools endpoint remove",
        "tools sync",
        "tools list",
        "tools enable",
        "tools disable",
        "tools test",
        "tools approvals",
        "tools approvals approve",
        "tools approvals deny",
    ];
    let others = ["dev", "sign", "call", "manifest", "check", "doctor", "new", "logs"];
    for command in tools.into_iter().chain(others) {
        let words: Vec<_> = command.split(' ').chain(["--help"]).collect();
        let text = help(&words);
        assert!(text.contains("Exit codes:") && text.contains("Examples:"), "{command}");
    }
}

#[test]
fn the_version_is_the_packages() {
    assert_eq!(help(&["--version"]), concat!("median-edge ", env!("CARGO_PKG_VERSION"), "\n"));
}
