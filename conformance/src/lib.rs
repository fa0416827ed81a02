//! The protocol's requirements as a list, and checks that prove any endpoint against them, in any language.
//!
//! ```no_run
//! use median_edge::MedianKey;
//! use median_edge_conformance::http::Http;
//! use median_edge_conformance::{Options, Severity, run};
//! use std::time::Duration;
//!
//! let http = Http::new("http://127.0.0.1:7420/api/median", Duration::from_secs(10))?;
//! let report = run(&http, &MedianKey::local().tool_secret(), &Options::default(), |_| ());
//! for outcome in report.failed(Severity::Must) {
//!     println!("{}: {}", outcome.requirement.id, outcome.requirement.sentence);
//! }
//! # Ok::<(), median_edge_conformance::wire::Trouble>(())
//! ```
//!
//! A *requirement* has an id that stays, a sentence, and the rule of `docs/protocol.md` that it proves. It is a *must*
//! when the platform's public documents say so, and a *should* when it is a choice where they are silent. A *check*
//! proves one requirement over a [`Transport`](wire::Transport): exact bytes in, exact bytes out.
//!
//! # What it sends
//!
//! No tool runs unless [`Options::call`] or [`Options::call_low`] allows it: without them, only requests are sent that
//! must be refused before a tool runs, and inputs that must be refused go to tools of `low` and `medium` risk only. An
//! endpoint that is wrong may still run one of these. Diagnostics are asked for once.

pub mod baseline;
mod check;
mod checks;
pub mod doctor;
pub mod http;
mod in_process;
mod json;
pub mod junit;
mod manifest;
mod plan;
mod probe;
mod report;
mod requirement;
mod run;
pub mod wire;

pub use in_process::{InProcess, SystemHost};
pub use plan::Plan;
pub use report::{Finding, Outcome, Report, Verdict};
pub use requirement::{Area, Requirement, Severity};
pub use run::{Allowed, Ended, Options, run};

/// All requirements, in the order in which they are checked.
pub fn requirements() -> Vec<Requirement> {
    checks::all().map(|check| check.requirement).collect()
}
