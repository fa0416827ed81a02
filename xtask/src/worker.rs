//! Workers: building them, and testing them in the runtime itself.

use std::path::Path;

use clap::{Args, ValueEnum};

use crate::command::Command;
use crate::needs::{Need, WASM};
use crate::serve::App;
use crate::session::{Session, Stop};
use crate::{setup, size, tools};

/// What a Worker is built and run with.
pub(crate) const NEEDS: &[Need] = &[
    Need::CCompiler,
    Need::Npm,
    Need::Target(WASM),
    Need::NodePackages,
    Need::WorkerBuild,
    Need::WasmBindgen,
];

/// The Worker that the tests ask for what no example does.
const OF_THE_TESTS: &str = "tests/worker";

/// What `build` takes.
#[derive(Args)]
pub(crate) struct Options {
    /// What it is to run on.
    platform: Platform,
    /// Which application.
    #[arg(long)]
    app: App,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Platform {
    /// Cloudflare Workers.
    Worker,
}

/// Builds an application: what `wrangler.toml` calls.
pub(crate) fn run(session: &mut Session, options: &Options) -> Result<(), Stop> {
    match options.platform {
        Platform::Worker => build(session, &[options.app.worker()]),
    }
}

/// Builds Workers, each into the folder `build` beside its manifest.
pub(crate) fn build(session: &mut Session, folders: &[&str]) -> Result<(), Stop> {
    setup::for_needs(session, NEEDS)?;
    for folder in folders {
        session.run(&format!("worker: build {folder}"), &tools::worker_build(Path::new(folder)))?;
    }
    Ok(())
}

/// Builds a Worker without what its package has on by default.
pub(crate) fn build_bare(session: &mut Session, folder: &str) -> Result<(), Stop> {
    setup::for_needs(session, NEEDS)?;
    let command = tools::worker_build(Path::new(folder)).arg("--no-default-features");
    session.run(&format!("worker: build {folder}, bare"), &command)
}

/// Runs the suites against workerd.
pub(crate) fn test(session: &mut Session) -> Result<(), Stop> {
    build(session, &[App::Conformance.worker(), App::SupportDesk.worker(), OF_THE_TESTS])?;
    let tests = Command::cargo().words("test --package median-edge-tests --all-features --no-fail-fast");
    let tests = tests.words("--test vectors --test navigation --test identity --test connect");
    let tests = tests.words("--test http_rows --test worker --test worker_check --test wrangler");
    let tests = tests.env("MEDIAN_EDGE_WORKERD", tools::workerd().display().to_string());
    let tests = tests.env("MEDIAN_EDGE_WRANGLER", tools::wrangler_line());
    session.run("worker: tests in workerd", &tests)?;
    size::of_worker(session)
}

/// Measures a signed call in workerd, beside the same in JavaScript.
pub(crate) fn bench(session: &mut Session) -> Result<(), Stop> {
    build(session, &[App::Conformance.worker()])?;
    let bench = Command::cargo().words("bench --package median-edge-tests --bench worker_cost");
    let bench = bench.env("MEDIAN_EDGE_WORKERD", tools::workerd().display().to_string());
    session.run("worker: what a call costs", &bench)
}
