//! The benchmarks.

use clap::{Args, ValueEnum};

use crate::cargo::Workspace;
use crate::command::Command;
use crate::session::{Session, Stop};
use crate::{lambda, worker};

const PACKAGE: &str = "median-edge-benches";

/// What `bench` takes.
#[derive(Args)]
pub(crate) struct Options {
    /// Measure a runtime, in place of the core.
    runtime: Option<Runtime>,
    /// For the benchmarks themselves: a filter, or their own options.
    #[arg(last = true)]
    arguments: Vec<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Runtime {
    /// A signed call in workerd, beside the same in JavaScript.
    Worker,
    /// A Lambda function's size and how long it takes to start, beside one that says hello.
    Lambda,
    /// Calls through the stand-in for the platform at a rate, and whether any is lost. Takes --rate, --seconds, --callers.
    Platform,
}

/// Runs every benchmark of the core, or the one of a runtime.
pub(crate) fn run(session: &mut Session, workspace: &Workspace, options: &Options) -> Result<(), Stop> {
    match options.runtime {
        None => core(session, workspace, options),
        Some(Runtime::Worker) => worker::bench(session),
        Some(Runtime::Lambda) => lambda::bench(session),
        Some(Runtime::Platform) => platform(session, options),
    }
}

/// The stand-in's program is built by the benchmark itself, like this one: optimized.
fn platform(session: &mut Session, options: &Options) -> Result<(), Stop> {
    let mut command = Command::cargo().words("bench --package median-edge-tests --bench platform_rate");
    if !options.arguments.is_empty() {
        command = command.arg("--").args(options.arguments.iter().cloned());
    }
    session.run("platform: calls at a rate", &command)
}

/// And nothing else: the package's library would not know the options.
fn core(session: &mut Session, workspace: &Workspace, options: &Options) -> Result<(), Stop> {
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
