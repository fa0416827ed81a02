//! What has to be on a machine before a step can run.

use std::env;
use std::path::Path;

use crate::command::Command;

/// The Python that the vectors are checked with.
pub(crate) const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// The target that has no operating system, and so no `std`.
pub(crate) const BARE_METAL: &str = "thumbv7em-none-eabihf";
/// The target of Workers.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

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
}

impl Need {
    pub(crate) fn name(self) -> String {
        match self {
            Self::CCompiler => "a C compiler".to_owned(),
            Self::Git => "git".to_owned(),
            Self::Python => "Python 3".to_owned(),
            Self::Component(name, _) => name.to_owned(),
            Self::Target(name) => format!("the Rust target {name}"),
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
        }
    }

    /// The command that installs it, for what the project may install by itself.
    pub(crate) fn install(self) -> Option<Command> {
        match self {
            Self::CCompiler | Self::Git | Self::Python => None,
            Self::Component(name, _) => Some(Command::new("rustup").words("component add").arg(name)),
            Self::Target(name) => Some(Command::new("rustup").words("target add").arg(name)),
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
        }
    }
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
