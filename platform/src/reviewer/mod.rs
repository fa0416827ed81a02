//! Who stands in for the teammate on a `reviewed` call.

mod chat;
mod prompt;
mod verdict;

use std::future::{Future, pending, ready};
use std::pin::Pin;

pub use chat::{ChatError, ChatReviewer};

use crate::domain::{ReviewCase, Verdict, VerdictKind};

/// A verdict that is on its way.
pub type Reviewing<'a> = Pin<Box<dyn Future<Output = Verdict> + Send + 'a>>;

/// Reads a case, and lets the call run or passes it to the team.
pub trait Reviewer: Send + Sync {
    /// Reads a case. Whoever takes longer than the limit has given no verdict.
    fn review<'a>(&'a self, case: &'a ReviewCase) -> Reviewing<'a>;
}

/// Nobody: there is no verdict, and every request goes to the team.
#[derive(Clone, Copy, Debug)]
pub struct NoReviewer;

impl Reviewer for NoReviewer {
    fn review<'a>(&'a self, _: &'a ReviewCase) -> Reviewing<'a> {
        let reason = "No reviewer is configured.".to_owned();
        Box::pin(ready(Verdict { kind: VerdictKind::None, reason }))
    }
}

/// Somebody who always says the same, for demonstrations and tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptedReviewer {
    /// Lets everything run.
    Approve,
    /// Passes everything to the team.
    Escalate,
    /// Never says anything.
    Silent,
}

impl Reviewer for ScriptedReviewer {
    fn review<'a>(&'a self, _: &'a ReviewCase) -> Reviewing<'a> {
        let (kind, reason) = match self {
            Self::Approve => (VerdictKind::Approve, "This reviewer lets everything run."),
            Self::Escalate => (VerdictKind::Escalate, "This reviewer passes everything to the team."),
            Self::Silent => return Box::pin(pending()),
        };
        Box::pin(ready(Verdict { kind, reason: reason.to_owned() }))
    }
}
