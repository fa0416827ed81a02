//! What has to be on a machine before a step can run.

use std::env;
use std::path::Path;

use crate::command::Command;
use crate::{python, tools};

/// The Python that the vectors are checked with.
pub(crate) const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// The target that has no operating system, and so no `std`.
pub(crate) const BARE_METAL: &str = "thumbv7em-none-eabihf";
/// The target of Workers.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";
/// The target of Lambda's Arm processors.
pub(crate) const ARM: &str = "aarch64-unknown-linux-gnu";

/// Something that a step needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// For crates with C in them.
    CCompiler,
    Git,
    Python,
    /// A component of the Rust toolchain, as rustup names it, and the cargo command that it brings.
    Component(&'static str, &'static str),
    /// The standard library of a target.
    Target(&'static str),
    /// Node's package manager.
    Npm,
    /// What turns a crate into a Worker.
    WorkerBuild,
    /// What writes the JavaScript side of a Worker.
    WasmBindgen,
    /// What makes projects of templates.
    CargoGenerate,
    /// What makes a book of `docs`.
    MdBook,
    /// The runtime of Workers and what else comes from npm.
    NodePackages,
    /// The browser that the console is tested in.
    Chromium,
    /// Linux: the emulator of Lambda is a program for it.
    Linux,
    /// What installs Python's packages.
    PythonInstaller,
    /// What builds Lambda functions, checks their templates, and runs them here.
    PythonPackages,
}

impl Need {
    pub(crate) fn name(self) -> String {
        match self {
            Self::CCompiler => "a C compiler".to_owned(),
            Self::Git => "git".to_owned(),
            Self::Python => "Python 3".to_owned(),
            Self::Component(name, _) => name.to_owned(),
            Self::Target(name) => format!("the Rust target {name}"),
            Self::Npm => "npm".to_owned(),
            Self::WorkerBuild => "worker-build".to_owned(),
            Self::WasmBindgen => "wasm-bindgen".to_owned(),
            Self::CargoGenerate => "cargo-generate".to_owned(),
            Self::MdBook => "mdbook".to_owned(),
            Self::NodePackages => "workerd, wrangler and their packages".to_owned(),
            Self::Chromium => "Chromium".to_owned(),
            Self::Linux => "Linux".to_owned(),
            Self::PythonInstaller => "Python's venv".to_owned(),
            Self::PythonPackages => "sam, cargo-lambda, zig and the emulator of Lambda".to_owned(),
        }
    }

    /// What is there of it, in a few words.
    pub(crate) fn found(self) -> Option<String> {
        let version_of = |program: &str| Command::new(program).arg("--version").ask().map(first_line);
        match self {
            Self::CCompiler => {
                let named = env::var("CC").unwrap_or_default();
                version_of(named.split_whitespace().next().unwrap_or("cc"))
            }
            Self::Git => version_of("git"),
            Self::Python => version_of(PYTHON).filter(|version| version.starts_with("Python 3.")),
            Self::Component(_, command) => {
                Command::cargo().words(command).arg("--version").ask().map(first_line)
            }
            Self::Target(name) => {
                let folder = Command::new("rustc").words("--print target-libdir --target").arg(name).ask()?;
                Path::new(&folder).is_dir().then(|| "installed".to_owned())
            }
            Self::Npm => version_of("npm"),
            Self::WorkerBuild => tools::cargo_tool_found("worker-build", tools::WORKER_BUILD),
            Self::WasmBindgen => tools::cargo_tool_found("wasm-bindgen", &tools::wasm_bindgen_version()?),
            Self::CargoGenerate => tools::cargo_tool_found("cargo-generate", tools::CARGO_GENERATE),
            Self::MdBook => tools::cargo_tool_found("mdbook", tools::MDBOOK),
            Self::NodePackages => tools::node_packages_found(),
            Self::Chromium => tools::chromium(),
            Self::Linux => cfg!(target_os = "linux").then(|| env::consts::ARCH.to_owned()),
            Self::PythonInstaller => python::installer_found(),
            Self::PythonPackages => python::packages_found(),
        }
    }

    /// The command that installs it, for what the project may install by itself.
    pub(crate) fn install(self) -> Option<Command> {
        match self {
            Self::CCompiler | Self::Git | Self::Python | Self::Npm | Self::Linux | Self::PythonInstaller => {
                None
            }
            Self::Component(name, _) => by_rustup("component add", name),
            Self::Target(name) => by_rustup("target add", name),
            Self::WorkerBuild => Some(tools::cargo_install("worker-build", tools::WORKER_BUILD)),
            Self::WasmBindgen => {
                Some(tools::cargo_install("wasm-bindgen-cli", &tools::wasm_bindgen_version()?))
            }
            Self::CargoGenerate => Some(tools::cargo_install("cargo-generate", tools::CARGO_GENERATE)),
            // It is also made to watch and to serve, which takes most of its building.
            Self::MdBook => Some(
                tools::cargo_install("mdbook", tools::MDBOOK)
                    .words("--no-default-features --features search"),
            ),
            Self::NodePackages => Some(tools::npm_install()),
            Self::Chromium => tools::chromium_install(),
            Self::PythonPackages => Some(python::install()),
        }
    }

    /// How a person gets it.
    pub(crate) fn advice(self) -> String {
        match self {
            Self::CCompiler => "install one (Debian: apt-get install gcc; macOS: xcode-select --install), \
                                or point CC at it"
                .to_owned(),
            Self::Git => "install it (Debian: apt-get install git; others: https://git-scm.com)".to_owned(),
            Self::Python => format!(
                "install it as `{PYTHON}` (Debian: apt-get install python3; others: https://www.python.org)"
            ),
            Self::Component(..) | Self::Target(_) => {
                "install rustup, which brings it (https://rustup.rs), or your system's package of it"
                    .to_owned()
            }
            Self::Npm => "install Node.js, which brings it (https://nodejs.org)".to_owned(),
            Self::WorkerBuild
            | Self::WasmBindgen
            | Self::MdBook
            | Self::CargoGenerate
            | Self::NodePackages => "Cargo.lock does not say which: is it committed?".to_owned(),
            Self::Chromium => {
                "install it (Debian: apt-get install chromium; others: https://www.chromium.org), or point \
                               CHROMIUM at it or at Chrome"
                    .to_owned()
            }
            Self::Linux => "AWS's emulator runs there alone".to_owned(),
            Self::PythonInstaller | Self::PythonPackages => {
                "install it, with a Python from 3.10 on (Debian: apt-get install python3-venv)".to_owned()
            }
        }
    }
}

fn by_rustup(command: &str, name: &str) -> Option<Command> {
    Command::new("rustup").arg("--version").ask()?;
    Some(Command::new("rustup").words(command).arg(name))
}

fn first_line(text: String) -> String {
    text.lines().next().map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_that_does_not_exist_is_not_found() {
        assert_eq!(Need::Target("moon-unknown-none").found(), None);
    }

    #[test]
    fn what_rustup_brings_is_installed_and_the_rest_is_asked_for() {
        let installs = |need: Need| need.install().map(|command| command.to_string());
        assert_eq!(installs(Need::Target(WASM)).as_deref(), Some("rustup target add wasm32-unknown-unknown"));
        assert_eq!(
            installs(Need::Component("clippy", "clippy")).as_deref(),
            Some("rustup component add clippy")
        );
        assert_eq!(installs(Need::Python), None);
    }
}
