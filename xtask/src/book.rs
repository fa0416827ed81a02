//! The book: `docs/`, as pages to read in a browser.

use clap::Args;

use crate::needs::Need;
use crate::session::{Session, Stop};
use crate::{setup, tools};

pub(crate) const NEEDS: &[Need] = &[Need::CCompiler, Need::MdBook];

/// What `book` takes.
#[derive(Args)]
pub(crate) struct Options {
    /// Open it in a browser.
    #[arg(long)]
    open: bool,
}

/// Builds it into `target/book`, and shows it when asked to.
pub(crate) fn run(session: &mut Session, options: &Options) -> Result<(), Stop> {
    setup::for_needs(session, NEEDS)?;
    build(session, options.open)
}

/// Builds it. A page that the table of contents has and `docs` does not is an error; that all else is right, tests say.
pub(crate) fn build(session: &mut Session, open: bool) -> Result<(), Stop> {
    let command = tools::mdbook().arg("build");
    let command = if open { command.arg("--open") } else { command };
    session.run("book: into target/book", &command)
}
