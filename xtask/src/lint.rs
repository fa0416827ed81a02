//! All that is checked without running the project's own code.
//!
//! No step sets `RUSTFLAGS`: it would build every dependency again. Warnings are denied through clippy's own
//! arguments, and `RUSTDOCFLAGS` reaches the documentation alone.

use crate::cargo::{Package, Workspace};
use crate::command::Command;
use crate::needs::{BARE_METAL, Need, WASM};
use crate::session::{Session, Stop, not_started};
use crate::{book, setup, tidy};

pub(crate) const NEEDS: &[Need] = &[
    Need::Git,
    Need::Component("rustfmt", "fmt"),
    Need::Component("clippy", "clippy"),
    Need::Target(WASM),
    Need::Target(BARE_METAL),
    Need::CCompiler,
    Need::MdBook,
];

/// The package that has to build without a standard library, and for Workers.
const CORE: &str = "median-edge";

/// The packages that are for Workers. They also build, and are looked at above, for this machine.
const WORKERS: [&str; 5] = [
    "median-edge-worker",
    "conformance-app-worker",
    "support-desk-worker",
    "median-edge-tests-worker",
    "hello-worker",
];

const DENY: &str = "-- -D warnings";

/// Runs them all, the quick ones first.
pub(crate) fn run(session: &mut Session, workspace: &Workspace) -> Result<(), Stop> {
    setup::for_lints(session)?;
    tidy::run(session, workspace)?;

    let lock = Command::cargo().words("metadata --locked --format-version 1");
    session.check("Cargo.lock is current", &lock.to_string(), |session| {
        let output = lock.output_in(session.root()).map_err(|error| not_started(&lock, &error))?;
        let stale =
            || "it does not fit the manifests: any cargo command without --locked writes it".to_owned();
        Ok((!output.status.success()).then(stale).into_iter().collect())
    })?;
    session.run("formatting", &Command::cargo().words("fmt --all --check"))?;

    for (title, features) in
        [("default", ""), ("no default", "--no-default-features"), ("all", "--all-features")]
    {
        let every = Command::cargo().words("clippy --workspace --all-targets").words(features).words(DENY);
        session.run(&format!("clippy: {title} features"), &every)?;
    }
    for (title, features) in
        [("default", ""), ("no default", "--no-default-features"), ("all", "--all-features")]
    {
        let wasm = Command::cargo().words("clippy --package").arg(CORE).words("--target").arg(WASM);
        session.run(&format!("clippy: {title} features on {WASM}"), &wasm.words(features).words(DENY))?;
    }
    let mut workers = Command::cargo().words("clippy");
    for package in WORKERS {
        workers = workers.arg("--package").arg(package);
    }
    let workers = workers.words("--target").arg(WASM).words(DENY);
    session.run(&format!("clippy: Workers on {WASM}"), &workers)?;
    for package in workspace.publishable() {
        for feature in package.features_alone() {
            let set = feature.map_or_else(|| "no feature".to_owned(), |name| format!("only {name}"));
            let title = format!("clippy: {} with {set}", package.name);
            session.run(&title, &with_feature_alone(package, feature))?;
        }
    }
    for (title, features) in [
        ("no", "--no-default-features"),
        ("default", ""),
        ("all that need none", "--features application-manifest"),
    ] {
        let build = Command::cargo().words("build --package").arg(CORE).words(features);
        let build = build.words("--target").arg(BARE_METAL).words("--target").arg(WASM);
        session.run(&format!("no_std: {CORE} with {title} features, on bare metal and wasm32"), &build)?;
    }

    // `--lib`, since the command's page and the library's would have the same address.
    let docs = Command::cargo().words("doc --workspace --lib --all-features --no-deps");
    session.run("documentation", &docs.env("RUSTDOCFLAGS", "-D warnings"))?;
    book::build(session, false)?;
    msrv(session, workspace)
}

/// Without the development dependencies, which may turn on features that a user would be missing.
fn with_feature_alone(package: &Package, feature: Option<&str>) -> Command {
    let command =
        Command::cargo().words("clippy --package").arg(&package.name).words("--no-default-features");
    let command = match feature {
        Some(feature) => command.words("--features").arg(feature),
        None => command,
    };
    command.words(DENY)
}

/// How the oldest Rust that the manifest promises compares with the one in use.
#[derive(Debug, PartialEq, Eq)]
enum Promise {
    /// It is the one in use, so every other step proves it.
    Active,
    /// The one in use is newer.
    Older,
    /// The one in use is older: nothing here means anything.
    Newer,
}

fn msrv(session: &mut Session, workspace: &Workspace) -> Result<(), Stop> {
    let promised = workspace.package(CORE)?.rust_version.as_deref();
    let promised = promised.ok_or_else(|| Stop::unable("the workspace's manifest has no rust-version"))?;
    let active = Command::new("rustc").arg("-vV").ask().and_then(|text| release(&text));
    let active = active.ok_or_else(|| Stop::unable("`rustc -vV` does not tell its release"))?;
    let title = format!("MSRV {promised}");
    match compare(promised, &active) {
        Promise::Active => session.check(&title, "cargo xtask lint", |session| {
            session.note(&format!("rustc {active} is in use: every other step proves it"));
            Ok(Vec::new())
        }),
        Promise::Newer => Err(Stop::unable(format!(
            "rustc {active} is older than the rust-version {promised} of the manifest: update it (`rustup update`)"
        ))),
        Promise::Older => {
            let toolchains = Command::new("rustup").words("toolchain list").ask().unwrap_or_default();
            let toolchain = toolchain_for(promised, &toolchains).ok_or_else(|| {
                Stop::unable(format!(
                    "rustc {active} is newer than the rust-version {promised} of the manifest, and Rust {promised} \
                     is not installed: rustup toolchain install {promised} --profile minimal"
                ))
            })?;
            let check = Command::new("rustup").arg("run").arg(toolchain);
            session.run(&title, &check.words("cargo check --locked --workspace --all-targets --all-features"))
        }
    }
}

/// The `release:` line of `rustc -vV`.
fn release(text: &str) -> Option<String> {
    text.lines().find_map(|line| line.strip_prefix("release: ")).map(str::to_owned)
}

/// The numbers of a version, without what follows a hyphen.
fn numbers(version: &str) -> Vec<u32> {
    let plain = version.split('-').next().unwrap_or_default();
    plain.split('.').map_while(|number| number.parse().ok()).collect()
}

/// Compares as many numbers as the manifest names: 1.95.1 keeps a promise of 1.95.
fn compare(promised: &str, active: &str) -> Promise {
    let promised = numbers(promised);
    let mut active = numbers(active);
    active.truncate(promised.len());
    match promised.cmp(&active) {
        std::cmp::Ordering::Equal => Promise::Active,
        std::cmp::Ordering::Less => Promise::Older,
        std::cmp::Ordering::Greater => Promise::Newer,
    }
}

/// The name under which rustup has a version: `1.95-…`, `1.95.0-…`.
fn toolchain_for<'a>(promised: &str, list: &'a str) -> Option<&'a str> {
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    let mut stable = names.filter(|name| name.starts_with(|c: char| c.is_ascii_digit()));
    stable.find(|name| compare(promised, name) == Promise::Active)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo::tests::sample;

    #[test]
    fn a_patch_release_keeps_the_promise_of_its_minor_version() {
        assert_eq!(compare("1.95", "1.95.1"), Promise::Active);
        assert_eq!(compare("1.95", "1.96.0-nightly"), Promise::Older);
        assert_eq!(compare("1.95", "1.94.2"), Promise::Newer);
        assert_eq!(compare("1.95.1", "1.95.0"), Promise::Newer);
    }

    #[test]
    fn the_promised_toolchain_is_found_under_either_name() {
        let list = "stable-x86_64-unknown-linux-gnu (active, default)\n1.95.0-x86_64-unknown-linux-gnu\n";
        assert_eq!(toolchain_for("1.95", list), Some("1.95.0-x86_64-unknown-linux-gnu"));
        assert_eq!(toolchain_for("1.94", list), None);
    }

    #[test]
    fn the_release_is_read_from_what_rustc_says() {
        assert_eq!(release("rustc 1.95.0 (5980 2026)\nrelease: 1.95.0\n").as_deref(), Some("1.95.0"));
    }

    #[test]
    fn a_feature_alone_is_checked_without_the_default_ones() {
        let workspace = sample();
        let command = with_feature_alone(workspace.package("core").unwrap(), Some("std"));
        assert_eq!(
            command.to_string(),
            "cargo clippy --package core --no-default-features --features std -- -D warnings"
        );
    }
}
