//! A command that can be run, and shown so that a person can run it again.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process;

/// What `cargo run` sets for the program it starts. Passed on, it would make build scripts that watch these
/// variables run again, and the same command typed by hand would then build everything a second time.
const LEFT_BY_CARGO_RUN: [&str; 2] = ["CARGO_PKG_", "CARGO_MANIFEST_"];

/// A program, its arguments and what it finds in its environment beside ours.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    program: String,
    arguments: Vec<String>,
    environment: Vec<(&'static str, String)>,
    folder: Option<PathBuf>,
}

impl Command {
    pub(crate) fn new(program: impl Into<String>) -> Self {
        Self { program: program.into(), arguments: Vec::new(), environment: Vec::new(), folder: None }
    }

    /// `cargo`, the one that started us.
    pub(crate) fn cargo() -> Self {
        Self::new("cargo")
    }

    /// Adds arguments, split at white space: for the words of a command that is written out in the source.
    pub(crate) fn words(mut self, words: &str) -> Self {
        self.arguments.extend(words.split_whitespace().map(str::to_owned));
        self
    }

    /// Adds one argument as it is.
    pub(crate) fn arg(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds arguments as they are.
    pub(crate) fn args(mut self, arguments: impl IntoIterator<Item = String>) -> Self {
        self.arguments.extend(arguments);
        self
    }

    pub(crate) fn env(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    /// Runs it in a folder of its own, wherever the others run.
    pub(crate) fn at(mut self, folder: &Path) -> Self {
        self.folder = Some(folder.to_owned());
        self
    }

    pub(crate) fn program(&self) -> &str {
        &self.program
    }

    /// The command, ready to run in a folder: its own, if it has one.
    pub(crate) fn in_folder(&self, folder: &Path) -> process::Command {
        let mut command = self.prepare();
        command.current_dir(self.folder.as_deref().unwrap_or(folder));
        command
    }

    /// Runs it where we are and gives what it printed, or nothing if it is not there or fails.
    pub(crate) fn ask(&self) -> Option<String> {
        let output = self.prepare().stdin(process::Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Runs it in a folder and gives all that it printed.
    pub(crate) fn output_in(&self, folder: &Path) -> io::Result<process::Output> {
        self.in_folder(folder).stdin(process::Stdio::null()).stderr(process::Stdio::inherit()).output()
    }

    fn prepare(&self) -> process::Command {
        let mut command = process::Command::new(self.resolved_program());
        for (name, _) in env::vars_os() {
            let text = name.to_string_lossy();
            if LEFT_BY_CARGO_RUN.iter().any(|prefix| text.starts_with(prefix)) {
                command.env_remove(&name);
            }
        }
        command.args(&self.arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    fn resolved_program(&self) -> OsString {
        let ours = if self.program == "cargo" { env::var_os("CARGO") } else { None };
        ours.unwrap_or_else(|| OsString::from(&self.program))
    }
}

/// As it would be typed in a shell.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(folder) = &self.folder {
            write!(f, "cd {} && ", quoted(&folder.display().to_string()))?;
        }
        for (name, value) in &self.environment {
            write!(f, "{name}={} ", quoted(value))?;
        }
        f.write_str(&quoted(&self.program))?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {}", quoted(argument)))
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_it_would_be_typed() {
        let command = Command::cargo().words("doc  --no-deps").env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(command.to_string(), "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps");
    }

    #[test]
    fn a_folder_of_its_own_is_gone_to_first() {
        assert_eq!(Command::new("x").at("a b".as_ref()).to_string(), "cd 'a b' && x");
    }

    #[test]
    fn an_apostrophe_survives_the_quotes() {
        assert_eq!(Command::new("echo").arg("it's").to_string(), r"echo 'it'\''s'");
    }

    #[test]
    fn asking_a_program_that_is_not_there_gives_nothing() {
        assert_eq!(Command::new("no-such-program-anywhere").ask(), None);
    }
}
