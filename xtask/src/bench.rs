//! The benchmarks.

use clap::Args;

use crate::cargo::Workspace;
use crate::command::Command;
use crate::session::{Session, Stop};

const PACKAGE: &str = "median-edge-benches";

/// What `bench` takes.
#[derive(Args)]
pub(crate) struct Options {
    /// For the benchmarks themselves: a filter, or their own options.
    #[arg(last = true)]
    arguments: Vec<String>,
}

/// Runs every benchmark, and nothing else: the package's library would not know the options.
pub(crate) fn run(session: &mut Session, workspace: &Workspace, options: &Options) -> Result<(), Stop> {
    let mut names = workspace.package(PACKAGE)?.targets_of("bench").peekable();
    if names.peek().is_none() {
        return Err(Stop::unable(format!("{PACKAGE} has no [[bench]] target")));
    }
    let mut command = Command::cargo().words("bench --package").arg(PACKAGE);
    for name in names {
        command = command.words("--bench").arg(name);
    }
    if !options.arguments.is_empty() {
        command = command.arg("--").args(options.arguments.iter().cloned());
    }
    session.run("benchmarks", &command)
}
