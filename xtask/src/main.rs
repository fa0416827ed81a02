//! The project's own chores: `cargo xtask --help`.
//!
//! One file a chore. They all go through [`session::Session`], which prints a heading before each step and a
//! table of times after the last, and they all fail in one of the two ways of [`session::Stop`].

mod bench;
mod book;
mod cargo;
mod ci;
mod command;
mod console;
mod lambda;
mod lint;
mod needs;
mod python;
mod serve;
mod session;
mod setup;
mod size;
mod templates;
mod test;
mod tidy;
mod tools;
mod worker;

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::cargo::Workspace;
use crate::session::{Session, Stop};
use crate::test::Part;

const EXAMPLES: &str = "\
Examples:
  cargo xtask test                    everything there is to test
  cargo xtask test --only native      the Rust tests alone
  cargo xtask ci                      the lints, then everything `test` does
  cargo xtask serve local --app conformance --port 8787

Exit codes: 0 all is well, 1 a step failed, 2 it could not run (something is missing, or wrong usage).";

/// The chores of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run every test, after setting up what they need.
    Test(Parts),
    /// Run the lints and then the tests: what has to pass before a merge.
    Ci(Parts),
    /// Run all that `ci` runs except the tests: formatting, clippy, docs, the book, features, `no_std`, MSRV.
    Lint,
    /// Check the tree for what no compiler looks at: leftovers, paths of one machine, versions.
    Tidy,
    /// Install what the other chores need; what is there already is left as it is.
    #[command(after_help = "With --only, just what those test parts need; without, what the lints need too.")]
    Setup(Parts),
    /// Measure what a call costs, beside its floor; in workerd, beside JavaScript; or what a Lambda function's start costs.
    Bench(bench::Options),
    /// Build the book of docs/ into target/book.
    Book(book::Options),
    /// Build an example application as what its platform takes.
    Build(worker::Options),
    /// Measure how large a Worker and a Lambda function are, beside ones that say hello, and hold them to their ceilings.
    Size,
    /// Build an example application and serve it on 127.0.0.1 until Ctrl-C.
    #[command(after_help = serve::HELP)]
    Serve(serve::Options),
}

#[derive(Args)]
struct Parts {
    /// Leave out every test part but these (several: separate them with commas).
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PART")]
    only: Vec<Part>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut session = Session::start();
    let outcome = run(cli.chore, &mut session);
    session.summarize();
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => {
            stop.report();
            stop.exit_code()
        }
    }
}

fn run(chore: Chore, session: &mut Session) -> Result<(), Stop> {
    let workspace = Workspace::load()?;
    session.enter(&workspace.root);
    match chore {
        Chore::Test(parts) => test::run(session, &test::chosen(&parts.only)),
        Chore::Ci(parts) => ci::run(session, &workspace, &test::chosen(&parts.only)),
        Chore::Lint => lint::run(session, &workspace),
        Chore::Tidy => tidy::run(session, &workspace),
        Chore::Setup(parts) if parts.only.is_empty() => setup::everything(session),
        Chore::Setup(parts) => setup::for_parts(session, &parts.only),
        Chore::Bench(options) => bench::run(session, &workspace, &options),
        Chore::Book(options) => book::run(session, &options),
        Chore::Build(options) => worker::run(session, &options),
        Chore::Size => size::run(session),
        Chore::Serve(options) => serve::run(session, &options),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use median_edge_book::commands::lines_of;
    use median_edge_book::for_everyone;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_line_of_the_documents_is_understood() {
        let mut count = 0;
        for page in for_everyone() {
            for line in lines_of(&page, "cargo xtask") {
                let words = std::iter::once("xtask".to_owned()).chain(line.words);
                if let Err(error) = Cli::try_parse_from(words) {
                    let is_help = error.kind() == clap::error::ErrorKind::DisplayHelp;
                    assert!(is_help, "{}:{}: {error}", page.path, line.line);
                }
                count += 1;
            }
        }
        assert!(count > 10, "only {count} command lines were found");
    }

    #[test]
    fn several_parts_can_be_named_at_once() {
        let cli = Cli::try_parse_from(["xtask", "test", "--only", "native,vectors"]).ok();
        let Some(Cli { chore: Chore::Test(parts) }) = cli else { panic!("not read as `test`") };
        assert_eq!(parts.only, [Part::Native, Part::Vectors]);
    }

    #[test]
    fn a_part_that_does_not_exist_is_refused() {
        assert!(Cli::try_parse_from(["xtask", "test", "--only", "moon"]).is_err());
    }
}
