//! What pip installs, into a folder of the project: `.tools/python`, made by `xtask/python/install.py`.

use std::env;
use std::fs;
use std::path::PathBuf;

use crate::command::Command;
use crate::needs::PYTHON;
use crate::tools;

/// Ends well when packages can be installed into a folder of their own. Debian has both ways in packages of their own.
const ABLE: &str = "import importlib.util as u, sys\n\
                    ways = [name for name in ('ensurepip', 'pip') if u.find_spec('venv') and u.find_spec(name)]\n\
                    print('venv and', ways[0]) if ways and sys.version_info >= (3, 10) else sys.exit(1)";

fn folder() -> PathBuf {
    tools::root().join(".tools/python")
}

fn sources() -> PathBuf {
    tools::root().join("xtask/python")
}

/// How Python would install packages, if it can.
pub(crate) fn installer_found() -> Option<String> {
    Command::new(PYTHON).arg("-c").arg(ABLE).ask()
}

/// What is installed, when it is what is asked for and the Python that it was installed for is still there.
pub(crate) fn packages_found() -> Option<String> {
    let wanted = fs::read_to_string(sources().join("requirements.txt")).ok()?;
    let installed = fs::read_to_string(folder().join("requirements.txt")).ok()?;
    program("python").arg("--version").ask()?;
    (wanted == installed).then(|| versions(&wanted, &["aws-sam-cli", "cargo-lambda", "ziglang"]))
}

/// Some of the versions in a list of pip's.
fn versions(requirements: &str, of: &[&str]) -> String {
    let pinned = requirements.lines().filter_map(|line| line.split_once("=="));
    let version = |rest: &str| rest.split_whitespace().next().unwrap_or_default().to_owned();
    let chosen = pinned.filter(|(name, _)| of.contains(name));
    chosen.map(|(name, rest)| format!("{name} {}", version(rest))).collect::<Vec<_>>().join(", ")
}

pub(crate) fn install() -> Command {
    let script = sources().join("install.py");
    Command::new(PYTHON).arg(script.display().to_string()).arg(folder().display().to_string())
}

/// A program that came with the packages.
pub(crate) fn program(name: &str) -> Command {
    Command::new(folder().join("bin").join(name).display().to_string())
}

/// The emulator of the Lambda runtime.
pub(crate) fn emulator() -> String {
    program("aws-lambda-rie").program().to_owned()
}

/// `PATH` with the packages' programs first: `cargo lambda` is found there, and so is the zig that it links with.
pub(crate) fn path() -> String {
    let before = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder().join("bin")).chain(env::split_paths(&before));
    let joined = env::join_paths(folders).unwrap_or(before);
    joined.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_versions_are_those_of_the_list() {
        let list = "cargo-lambda==1.9.2 \\\n    --hash=sha256:00\nziglang==0.17.1 \\\n    --hash=sha256:01\n";
        assert_eq!(versions(list, &["ziglang", "aws-sam-cli"]), "ziglang 0.17.1");
        assert_eq!(versions(list, &["ziglang", "cargo-lambda"]), "cargo-lambda 1.9.2, ziglang 0.17.1");
    }

    #[test]
    fn the_packages_programs_come_first() {
        assert!(path().starts_with(&folder().join("bin").display().to_string()));
    }
}
