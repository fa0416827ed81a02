//! A project's name: it becomes a package, a crate and a part of a host's name.

use crate::failure::Failure;

/// The longest name that Workers take in an address.
const MAX_NAME_CHARACTERS: usize = 54;

/// Names that cargo has a meaning of its own for, or that the project depends on.
const TAKEN: [&str; 24] = [
    "alloc",
    "aws-config",
    "aws-sdk-dynamodb",
    "aws-smithy-http-client",
    "build",
    "core",
    "deps",
    "examples",
    "incremental",
    "lambda",
    "local",
    "median-edge",
    "median-edge-conformance",
    "median-edge-lambda",
    "median-edge-local",
    "median-edge-worker",
    "proc-macro",
    "schemars",
    "serde",
    "serde-json",
    "std",
    "test",
    "tokio",
    "worker",
];

/// Whether a project can have the name.
pub(super) fn check(name: &str) -> Result<(), Failure> {
    let is_allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let problem = if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        "it does not begin with a small letter"
    } else if !name.bytes().all(is_allowed) || name.ends_with('-') || name.contains("--") {
        "it has something else than small letters, digits and single dashes between them"
    } else if name.len() > MAX_NAME_CHARACTERS {
        "it is longer than 54 characters"
    } else if TAKEN.contains(&name) || syntax(name) {
        "it has a meaning of its own in Rust, or is a package that the project needs"
    } else {
        return Ok(());
    };
    Err(Failure::usage(format!("The name cannot be used: {problem}.")).hint("Take a name like my-shop."))
}

/// Whether it is a word of the language.
fn syntax(name: &str) -> bool {
    const WORDS: [&str; 50] = [
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
        "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
        "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self",
        "static", "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
        "virtual", "where", "while",
    ];
    name == "yield" || WORDS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_package_a_crate_and_a_host() {
        let longest = "a".repeat(MAX_NAME_CHARACTERS);
        for name in ["my-shop", "a1", "shop-2-go", &longest] {
            assert!(check(name).is_ok(), "{name}");
        }
        let too_long = "a".repeat(MAX_NAME_CHARACTERS + 1);
        for name in [
            "", "1a", "-a", "a-", "a--b", "A", "my_shop", "a/b", "..", "ü", "serde", "test", "match",
            &too_long,
        ] {
            assert!(check(name).is_err(), "{name}");
        }
    }
}
