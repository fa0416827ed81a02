//! The stand-in's console, used as a person uses it in a real browser.

use crate::command::Command;
use crate::needs::Need;
use crate::session::{Session, Stop};
use crate::tools;

pub(crate) const NEEDS: &[Need] = &[Need::CCompiler, Need::Npm, Need::NodePackages, Need::Chromium];

/// Plays every scenario; the screenshots are in `console-screenshots` in the target folder.
pub(crate) fn test(session: &mut Session) -> Result<(), Stop> {
    let tests = Command::cargo().words("test --package median-edge-platform --test console");
    let tests = tests.env("MEDIAN_EDGE_CHROMIUM", tools::chromium().unwrap_or_default());
    let tests = tests.env("MEDIAN_EDGE_NODE", tools::node().display().to_string());
    let tests = tests.env("MEDIAN_EDGE_PLAYWRIGHT", tools::playwright().display().to_string());
    session.run("console: scenarios in Chromium", &tests)
}
