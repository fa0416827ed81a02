//! `sign`: the header, and nothing else on standard output.

use crate::{output, shown, stdout, with_input};
use insta::assert_snapshot;

/// The vectors that every implementation of the protocol can be held to.
const EMPTY: &str = "t=1790000000000,v1=528a3b61c78498ebe496c77cc4c33c32f27331661b17a17e3e6884c32dbb35a3\n";
const DIAGNOSTICS: &str =
    "t=1790000000000,v1=39ce33d89ff30ab12543f6ea8208b7b0673e80bd207e747dab8a41b314f50109\n";

#[test]
fn a_get_is_signed_as_an_empty_body() {
    assert_eq!(stdout(&output(&["sign", "--get", "--at", "1790000000000"])), EMPTY);
    assert_eq!(stdout(&with_input(&["sign", "--at", "1790000000000"], "")), EMPTY);
}

#[test]
fn standard_input_is_signed_as_it_is() {
    let body = r#"{"op":"diagnostics"}"#;
    for arguments in [&["sign", "--at", "1790000000000"][..], &["sign", "-", "--at", "1790000000000"]] {
        assert_eq!(stdout(&with_input(arguments, body)), DIAGNOSTICS);
    }
    // A line break is part of the body.
    let with_line_break = with_input(&["sign", "--at", "1790000000000"], &format!("{body}\n"));
    assert_ne!(stdout(&with_line_break), DIAGNOSTICS);
}

#[test]
fn a_file_is_signed_byte_for_byte() {
    let path = std::env::temp_dir().join(format!("median-edge-sign-{}.json", std::process::id()));
    std::fs::write(&path, r#"{"op":"diagnostics"}"#).unwrap();
    let output = output(&["sign", path.to_str().unwrap(), "--at", "1790000000000"]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(stdout(&output), DIAGNOSTICS);
}

#[test]
fn the_whole_header_line_and_json_are_there_when_asked_for() {
    let line = output(&["sign", "--get", "--header", "--at", "1790000000000"]);
    assert_eq!(stdout(&line), format!("median-signature: {EMPTY}"));
    assert_snapshot!(shown(&output(&["sign", "--get", "--json", "--at", "1790000000000"])));
}

#[test]
fn without_a_time_it_is_signed_for_now() {
    let text = stdout(&output(&["sign", "--get"]));
    let t: u128 = text[2..].split(',').next().unwrap().parse().unwrap();
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_millis();
    assert!(now.abs_diff(t) < 60_000, "{text}");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    assert_snapshot!(shown(&output(&["sign", "no-such-file.json"])));
    assert_snapshot!(shown(&output(&["sign", "no-such-file.json", "--json"])));
}

#[test]
fn a_time_that_no_header_can_carry_is_refused() {
    assert_snapshot!(shown(&output(&["sign", "--get", "--at", "10000000000000000"])));
}
