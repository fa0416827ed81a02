//! Where the programs are that the tests start.
//!
//! Cargo builds the programs of the tests' own package only. `cargo xtask test` builds the others first; whoever runs
//! the tests otherwise would find them missing, or older than what is tested, so they are built here in those cases.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// What the conformance application is made of, from the root of the workspace.
const OF_CONFORMANCE: &[&str] = &["Cargo.lock", "adapters/local", "core", "examples/conformance", "macros"];

/// What the stand-in is made of.
const OF_STAND_IN: &[&str] = &["Cargo.lock", "core", "macros", "platform/Cargo.toml", "platform/src"];

/// The program of the conformance application for this machine, up to date.
///
/// # Panics
///
/// When it cannot be built.
pub(crate) fn conformance_local() -> PathBuf {
    built("conformance-app", "conformance-app-local", OF_CONFORMANCE)
}

/// The program of the stand-in for the platform, up to date.
///
/// # Panics
///
/// When it cannot be built.
pub(crate) fn stand_in() -> PathBuf {
    built("median-edge-platform", "median-edge-stand-in", OF_STAND_IN)
}

fn built(package: &str, name: &str, sources: &[&str]) -> PathBuf {
    // This test is at <target>/<profile>/deps/<name>.
    let test = env::current_exe().expect("a test knows its own path");
    let profile = test.parent().and_then(Path::parent).expect("a test is in its profile's folder");
    let program = profile.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are in the workspace");

    let newest = sources.iter().filter_map(|source| changed(&root.join(source))).max();
    let is_current = |program: &Path| program.metadata().and_then(|data| data.modified()).ok() >= newest;
    if !is_current(&program) {
        build(root, profile, package, name);
    }
    assert!(program.exists(), "{} was not built", program.display());
    program
}

fn build(root: &Path, profile: &Path, package: &str, name: &str) {
    let target = profile.parent().expect("a profile is in the target folder");
    let profile = profile.file_name().and_then(|name| name.to_str()).expect("a profile has a name");
    let profile = if profile == "debug" { "dev" } else { profile };
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args([
        "build",
        "--quiet",
        "--package",
        package,
        "--bin",
        name,
        "--profile",
        profile,
    ]);
    cargo.arg("--target-dir").arg(target);
    let status = cargo.status().expect("cargo can be started");
    assert!(status.success(), "{name} can't be built: {status}");
}

/// When something under a path was last changed.
fn changed(path: &Path) -> Option<SystemTime> {
    let data = path.metadata().ok()?;
    if data.is_file() {
        return data.modified().ok();
    }
    let entries = path.read_dir().ok()?.filter_map(Result::ok);
    entries.filter_map(|entry| changed(&entry.path())).max()
}
