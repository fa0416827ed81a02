//! What compiles, and what the compiler says of what does not.
//!
//! `TRYBUILD=overwrite cargo test -p median-edge --test ui` writes the messages anew: read the difference by eye. One
//! mistake is one error, on the token that is wrong.

/// The words around our messages are the compiler's, so they are compared on the one version that the crates ask for.
fn is_pinned_compiler() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = std::process::Command::new(rustc).arg("--version").output().expect("rustc runs");
    String::from_utf8_lossy(&version.stdout).starts_with(concat!(
        "rustc ",
        env!("CARGO_PKG_RUST_VERSION"),
        "."
    ))
}

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*.rs");
    if is_pinned_compiler() {
        cases.compile_fail("tests/ui/fail/*.rs");
    } else {
        // Nothing is skipped silently.
        assert!(
            std::env::var_os("UI_SKIP").is_some(),
            "The failing cases are compared with Rust {} only. Run `rustup run {0} cargo test -p median-edge --test ui`, or \
             set UI_SKIP to leave them out.",
            env!("CARGO_PKG_RUST_VERSION")
        );
    }
}
