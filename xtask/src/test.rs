//! The tests, by what they run on: each part of them can be left out, and is set up only when it runs.

use std::fmt;

use clap::ValueEnum;

use crate::command::Command;
use crate::needs::{Need, PYTHON};
use crate::session::{Session, Stop};
use crate::{console, lambda, setup, templates, worker};

/// A part of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Rust on this machine: unit, end-to-end and documentation tests.
    Native,
    /// The protocol's vectors, computed again by a second implementation.
    Vectors,
    /// Cloudflare Workers: the suites against workerd, and wrangler's own commands.
    Worker,
    /// AWS Lambda: the suites against AWS's emulator, `sam`'s and cargo-lambda's own commands, the template.
    Lambda,
    /// The stand-in's console in a real browser.
    Console,
    /// Projects made of the templates, on every platform that they are for.
    Templates,
}

impl Part {
    pub(crate) fn needs(self) -> &'static [Need] {
        match self {
            // An endpoint in Python is checked too.
            Self::Native => &[Need::CCompiler, Need::Python],
            Self::Vectors => &[Need::Python],
            Self::Worker => worker::NEEDS,
            Self::Lambda => lambda::TEST_NEEDS,
            Self::Console => console::NEEDS,
            Self::Templates => templates::NEEDS,
        }
    }

    /// The other parts, as `--only` takes them.
    pub(crate) fn others(self) -> String {
        let others = Self::value_variants().iter().filter(|part| **part != self);
        others.map(Self::to_string).collect::<Vec<_>>().join(",")
    }

    fn run(self, session: &mut Session) -> Result<(), Stop> {
        match self {
            Self::Native => native(session),
            Self::Vectors => {
                let command = Command::new(PYTHON).words("tests/vectors/generate.py --check");
                session.run("vectors: computed again in Python", &command)
            }
            Self::Worker => worker::test(session),
            Self::Lambda => lambda::test(session),
            Self::Console => console::test(session),
            Self::Templates => templates::test(session),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| f.write_str(value.get_name()))
    }
}

/// The parts that were asked for: all of them unless some were named, the quickest to fail first.
pub(crate) fn chosen(only: &[Part]) -> Vec<Part> {
    let mut parts: Vec<_> = Part::value_variants().to_vec();
    parts.retain(|part| only.is_empty() || only.contains(part));
    parts.sort_by_key(|part| match part {
        Part::Vectors => 0,
        Part::Native => 1,
        Part::Worker => 2,
        Part::Lambda => 3,
        Part::Console => 4,
        Part::Templates => 5,
    });
    parts
}

/// Sets up the parts and runs them.
pub(crate) fn run(session: &mut Session, parts: &[Part]) -> Result<(), Stop> {
    for part in Part::value_variants().iter().filter(|part| !parts.contains(part)) {
        session.note(&format!("left out by --only: {part}"));
    }
    setup::for_parts(session, parts)?;
    parts.iter().try_for_each(|part| part.run(session))
}

/// The same packages, features and profile in every step, so that the later ones find everything built.
pub(crate) const EVERYTHING: &str = "--workspace --all-features";

fn native(session: &mut Session) -> Result<(), Stop> {
    // The end-to-end tests start the other packages' programs; cargo by itself builds only a package's own.
    let build = Command::cargo().words("build --bins --tests").words(EVERYTHING);
    session.run("native: build the programs and the tests", &build)?;

    let nextest = Command::cargo().words("nextest --version").ask().is_some();
    let (runner, command) = if nextest { ("cargo-nextest", "nextest run") } else { ("cargo test", "test") };
    if !nextest {
        session.note("cargo-nextest is not installed: plain `cargo test` runs the tests");
    }
    let tests = Command::cargo().words(command).words("--tests --no-fail-fast").words(EVERYTHING);
    session.run(&format!("native: tests, run by {runner}"), &tests)?;

    let examples = Command::cargo().words("test --doc").words(EVERYTHING).words("-- --quiet");
    session.run("native: examples in the documentation", &examples)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_runs_unless_some_are_named() {
        let every = [Part::Vectors, Part::Native, Part::Worker, Part::Lambda, Part::Console, Part::Templates];
        assert_eq!(chosen(&[]), every);
        assert_eq!(chosen(&[Part::Native]), [Part::Native]);
    }

    #[test]
    fn a_part_knows_how_to_be_left_out() {
        assert_eq!(Part::Vectors.others(), "native,worker,lambda,console,templates");
        assert_eq!(Part::Native.others(), "vectors,worker,lambda,console,templates");
    }
}
