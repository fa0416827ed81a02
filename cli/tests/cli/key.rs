//! Where the key comes from, and that it is never shown.

use crate::{median_edge, shown, stdout};
use insta::assert_snapshot;

const KEY: &str = "median_key_SECRETSECRETSECRETSECRET";

fn sign(arguments: &[&str], variables: &[(&str, &str)]) -> std::process::Output {
    let mut command = median_edge(&["sign", "--get", "--at", "1790000000000"]);
    command.args(arguments).envs(variables.iter().copied()).output().unwrap()
}

#[test]
fn without_a_key_a_note_says_that_the_public_one_is_used() {
    assert_snapshot!(shown(&sign(&[], &[])));
    assert!(sign(&[], &[("MEDIAN_KEY", KEY)]).stderr.is_empty());
}

#[test]
fn a_key_from_a_variable_or_a_file_signs_like_the_same_one_in_median_key() {
    let usual = stdout(&sign(&[], &[("MEDIAN_KEY", KEY)]));
    assert_eq!(stdout(&sign(&["--key-env", "SHOP_KEY"], &[("SHOP_KEY", KEY)])), usual);
    let path = std::env::temp_dir().join(format!("median-edge-key-{}", std::process::id()));
    std::fs::write(&path, format!("{KEY}\n")).unwrap();
    let from_file = sign(&["--key-file", path.to_str().unwrap()], &[("MEDIAN_TOOL_SECRET", &"0".repeat(64))]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(stdout(&from_file), usual);
}

#[test]
fn the_tool_secret_takes_the_place_of_the_derived_one() {
    let secret = "88c3f9e4dc47d0f24d3d54e9774a286bb6047cf929bde4ad83a7bf11e7dd6a31";
    let variables = [("MEDIAN_KEY", KEY), ("MEDIAN_TOOL_SECRET", secret)];
    assert_eq!(stdout(&sign(&[], &variables)), stdout(&sign(&[], &[])));
}

#[test]
fn a_bad_key_says_what_to_do_without_showing_itself() {
    for (name, variables) in [
        ("no_key_at_all", [("MEDIAN_KEY", "sk_SECRET")]),
        ("a_bad_tool_secret", [("MEDIAN_TOOL_SECRET", "SECRET")]),
    ] {
        let output = shown(&sign(&[], &variables));
        assert!(!output.contains("SECRET\n") && !output.contains("sk_"), "{output}");
        assert_snapshot!(name, output);
    }
    assert_snapshot!(shown(&sign(&["--key-env", "SHOP_KEY", "--json"], &[])));
    assert_snapshot!(shown(&sign(&["--key-file", "no-such-file"], &[])));
}
