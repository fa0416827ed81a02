//! Steps one after the other: a heading before each, its time after it, a table at the end.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anstream::eprintln;
use anstyle::{AnsiColor, Style};

use crate::command::Command;

const HEADING: Style = AnsiColor::Cyan.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// Why a chore ends early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// A step ran and found something wrong.
    Failed {
        /// Its heading.
        step: String,
        /// What to type to run it alone.
        again: String,
    },
    /// It could not run: something is missing, or was asked for wrongly.
    Unable(String),
}

impl Stop {
    pub(crate) fn unable(message: impl Into<String>) -> Self {
        Self::Unable(message.into())
    }

    pub(crate) fn report(&self) {
        match self {
            Self::Failed { step, again } => {
                eprintln!("{BAD}failed:{BAD:#} {step}\n  run it again with: {again}");
            }
            Self::Unable(message) => eprintln!("{BAD}cannot run:{BAD:#} {message}"),
        }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Failed { .. } => 1,
            Self::Unable(_) => 2,
        })
    }
}

/// A step that is over.
struct Done {
    title: String,
    took: Duration,
    passed: bool,
}

/// The steps of one chore.
pub(crate) struct Session {
    started: Instant,
    root: PathBuf,
    done: Vec<Done>,
}

impl Session {
    pub(crate) fn start() -> Self {
        Self { started: Instant::now(), root: PathBuf::from("."), done: Vec::new() }
    }

    /// Every step runs in this folder.
    pub(crate) fn enter(&mut self, root: &Path) {
        root.clone_into(&mut self.root);
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Something a reader of the log should know.
    #[expect(clippy::unused_self, reason = "it belongs to the session's output, wherever that goes")]
    pub(crate) fn note(&self, text: &str) {
        eprintln!("    {text}");
    }

    /// Runs a command as a step, its output passing through.
    pub(crate) fn run(&mut self, title: &str, command: &Command) -> Result<(), Stop> {
        let root = self.root.clone();
        let status = self.step(title, |session| {
            session.note(&command.to_string());
            let status = command.in_folder(&root).status();
            let passed = status.as_ref().is_ok_and(std::process::ExitStatus::success);
            (passed, status)
        });
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => Err(Stop::Failed { step: title.to_owned(), again: command.to_string() }),
            Err(error) => Err(not_started(command, &error)),
        }
    }

    /// Runs a check of our own as a step: what it finds is printed, a line each, and fails the step.
    pub(crate) fn check(
        &mut self,
        title: &str,
        again: &str,
        check: impl FnOnce(&Self) -> Result<Vec<String>, Stop>,
    ) -> Result<(), Stop> {
        let found = self.step(title, |session| {
            let found = check(session);
            (matches!(&found, Ok(list) if list.is_empty()), found)
        })?;
        if found.is_empty() {
            return Ok(());
        }
        for finding in &found {
            eprintln!("    {BAD}-{BAD:#} {finding}");
        }
        Err(Stop::Failed { step: title.to_owned(), again: again.to_owned() })
    }

    fn step<T>(&mut self, title: &str, body: impl FnOnce(&Self) -> (bool, T)) -> T {
        eprintln!("\n{HEADING}==> {title}{HEADING:#} ({} so far)", shown(self.started.elapsed()));
        let began = Instant::now();
        let (passed, value) = body(self);
        let took = began.elapsed();
        self.note(&format!("{} in {}", if passed { "done" } else { "failed" }, shown(took)));
        self.done.push(Done { title: title.to_owned(), took, passed });
        value
    }

    /// Prints what ran and how long it took, if more than one step did.
    pub(crate) fn summarize(&self) {
        if self.done.len() > 1 {
            eprintln!("\n{}", table(&self.done, self.started.elapsed()));
        }
    }
}

/// Why a command did not even start.
pub(crate) fn not_started(command: &Command, error: &io::Error) -> Stop {
    Stop::unable(format!("`{}` could not be started: {error}", command.program()))
}

fn table(done: &[Done], total: Duration) -> String {
    let mut text = String::new();
    for Done { title, took, passed } in done {
        let (style, word) = if *passed { (GOOD, "ok    ") } else { (BAD, "FAILED") };
        let _ = writeln!(text, "  {style}{word}{style:#} {:>9}  {title}", shown(*took));
    }
    let _ = write!(text, "  total  {:>9}", shown(total));
    text
}

/// A time as a person reads it: `0.4s`, `1m 07s`.
fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1}s", time.as_secs_f64())
    } else {
        format!("{}m {:02}s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_in_the_unit_a_person_would_use() {
        assert_eq!(shown(Duration::from_millis(420)), "0.4s");
        assert_eq!(shown(Duration::from_secs(67)), "1m 07s");
    }

    #[cfg(unix)]
    #[test]
    fn a_command_that_fails_names_itself_to_be_run_again() {
        let command = Command::new("false").arg("--now");
        let stop = Session::start().run("a step", &command).unwrap_err();
        assert!(matches!(&stop, Stop::Failed { again, .. } if again == "false --now"), "{stop:?}");
    }

    #[test]
    fn a_program_that_is_not_there_is_not_a_failed_step() {
        let stop = Session::start().run("a step", &Command::new("no-such-program-anywhere")).unwrap_err();
        assert!(matches!(stop, Stop::Unable(_)), "{stop:?}");
    }

    #[test]
    fn a_check_that_finds_something_fails() {
        let mut session = Session::start();
        let outcome = session.check("a check", "cargo xtask tidy", |_| Ok(vec!["found".to_owned()]));
        assert!(matches!(outcome, Err(Stop::Failed { .. })));
        assert!(table(&session.done, Duration::ZERO).contains("FAILED"));
    }
}
