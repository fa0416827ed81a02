//! What has to pass before a merge.

use crate::cargo::Workspace;
use crate::session::{Session, Stop};
use crate::test::Part;
use crate::{lint, test};

/// The lints, which fail sooner, and then the tests, once.
pub(crate) fn run(session: &mut Session, workspace: &Workspace, parts: &[Part]) -> Result<(), Stop> {
    lint::run(session, workspace)?;
    test::run(session, parts)
}
