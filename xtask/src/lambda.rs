//! AWS Lambda: building functions, and testing them in AWS's own emulator.

use std::fs;
use std::path::PathBuf;

use crate::cargo::Workspace;
use crate::command::Command;
use crate::needs::{ARM, Need};
use crate::serve::App;
use crate::session::{Session, Stop};
use crate::{python, setup, size};

/// What a function is built and run with.
pub(crate) const NEEDS: &[Need] =
    &[Need::Linux, Need::CCompiler, Need::Python, Need::PythonInstaller, Need::PythonPackages];

/// What the tests need on top of it.
pub(crate) const TEST_NEEDS: &[Need] = &[
    Need::Linux,
    Need::CCompiler,
    Need::Python,
    Need::PythonInstaller,
    Need::PythonPackages,
    Need::Target(ARM),
];

/// What stands between HTTP and the emulator.
pub(crate) const BRIDGE: &str = "median-edge-emulator";

/// The function that the tests ask for what no example does.
const OF_THE_TESTS: &str = "median-edge-tests-lambda";

/// One that says hello, as the library that most functions stand on makes it.
const HELLO: &str = "hello-lambda";

/// Where `sam` keeps what it builds and what it knows, in the target folder: it asks no cloud, and no home.
struct Sam {
    target: PathBuf,
}

impl Sam {
    fn command(&self, words: &str) -> Command {
        let own = self.target.join("sam");
        python::program("sam")
            .words(words)
            .env("PATH", python::path())
            .env("CARGO_TARGET_DIR", self.target.display().to_string())
            .env("__SAM_CLI_APP_DIR", own.join("home").display().to_string())
            .env("SAM_CLI_TELEMETRY", "0")
            .env("AWS_EC2_METADATA_DISABLED", "true")
            .env("AWS_DEFAULT_REGION", "eu-central-1")
    }

    fn build(&self) -> Command {
        self.command("build").arg("--build-dir").arg(self.target.join("sam/build").display().to_string())
    }
}

/// Builds functions for this machine's kind of processor as they are deployed, and gives the folder that they are in, each
/// in one of its own name.
pub(crate) fn build(session: &mut Session, packages: &[&str]) -> Result<PathBuf, Stop> {
    build_with(session, packages, "")
}

/// Builds a function without what its package has on by default.
pub(crate) fn build_bare(session: &mut Session, package: &str) -> Result<PathBuf, Stop> {
    build_with(session, &[package], "--no-default-features")
}

fn build_with(session: &mut Session, packages: &[&str], words: &str) -> Result<PathBuf, Stop> {
    setup::for_needs(session, NEEDS)?;
    let mut command = Command::cargo().words("lambda build --release").words(words);
    for package in packages {
        command = command.arg("--package").arg(*package);
    }
    let command = command.env("PATH", python::path());
    session.run(&format!("lambda: build {}", packages.join(", ")), &command)?;
    Ok(Workspace::load()?.target_directory.join("lambda"))
}

/// Measures the size of a function and how long it takes to start, beside ones that say hello.
pub(crate) fn bench(session: &mut Session) -> Result<(), Stop> {
    let ours = App::Conformance.function();
    // Each by itself: built together, they would have one another's features.
    let functions = build_bare(session, ours)?;
    let program = |name: &str| functions.join(name).join("bootstrap");
    build_with(session, &[HELLO], "--features every-event")?;
    let every_event = functions.join(HELLO).join("every-event");
    fs::copy(program(HELLO), &every_event)
        .map_err(|error| Stop::unable(format!("{}: {error}", every_event.display())))?;
    build(session, &[HELLO])?;

    let compared = format!(
        "{ours}={}\nhello, one kind of event={}\nhello, every kind={}",
        program(ours).display(),
        program(HELLO).display(),
        every_event.display()
    );
    // What is measured are other programs, so this one need not be optimized.
    let bench = Command::cargo().words("bench --profile dev --package median-edge-tests --all-features");
    let bench = bench.words("--bench lambda_start");
    let bench = bench.env("MEDIAN_EDGE_LAMBDA_BENCH", compared);
    let bench = bench.env("MEDIAN_EDGE_LAMBDA_EMULATOR", python::emulator());
    session.run("lambda: what a start costs", &bench)
}

/// Runs the suites against AWS's emulator, and checks the template.
pub(crate) fn test(session: &mut Session) -> Result<(), Stop> {
    let target = Workspace::load()?.target_directory;
    let sam = Sam { target };
    session.run("lambda: lint template.yaml", &python::program("cfn-lint").arg("template.yaml"))?;
    session
        .run("lambda: validate template.yaml", &sam.command("validate --lint --template template.yaml"))?;
    session.run("lambda: expand template.yaml", &python::program("python").arg("tests/template.py"))?;

    // Exactly what a user runs before `sam deploy`: it calls `cargo lambda build --release --arm64`.
    session.run("lambda: sam build, for Arm", &sam.build())?;
    // After it: for either processor, a function is put in the same place.
    let functions =
        build(session, &[App::Conformance.function(), App::SupportDesk.function(), OF_THE_TESTS])?;

    let tests = Command::cargo().words("test --package median-edge-tests --all-features --no-fail-fast");
    let tests =
        tests.words("--test vectors --test navigation --test identity --test connect --test http_rows");
    let tests = tests.words("--test lambda --test lambda_events --test lambda_tools");
    let tests = tests.env("MEDIAN_EDGE_LAMBDA_EMULATOR", python::emulator());
    let tests = tests.env("MEDIAN_EDGE_LAMBDA_FUNCTIONS", functions.display().to_string());
    let tests = tests.env("MEDIAN_EDGE_LAMBDA_PATH", python::path());
    let tests = tests.env("MEDIAN_EDGE_SAM_BUILD", sam.target.join("sam/build").display().to_string());
    session.run("lambda: tests in AWS's emulator", &tests)?;
    size::of_function(session)
}
