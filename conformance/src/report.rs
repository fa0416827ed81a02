//! What came of a run.

use std::time::Duration;

use crate::plan::Plan;
use crate::probe::Exchange;
use crate::requirement::{Requirement, Severity};
use crate::run::Ended;

/// One thing that was wrong.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was tried.
    pub case: String,
    /// The request, when there is one.
    pub request: Option<Plan>,
    /// What should have come.
    pub expected: String,
    /// What came.
    pub came: String,
}

/// Findings are compared by what they say.
impl PartialEq for Finding {
    fn eq(&self, other: &Self) -> bool {
        (&self.case, &self.expected, &self.came) == (&other.case, &other.expected, &other.came)
    }
}

impl Finding {
    pub(crate) fn of(case: &str, exchange: &Exchange, expected: String) -> Self {
        Self { case: case.to_owned(), request: Some(exchange.plan.clone()), expected, came: exchange.shown() }
    }
}

/// How a check ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The endpoint does what is asked.
    Passed,
    /// It does not.
    Failed(Vec<Finding>),
    /// It was not looked at; why.
    Skipped(String),
}

/// A requirement and how its check ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The requirement.
    pub requirement: Requirement,
    /// How its check ended.
    pub verdict: Verdict,
    /// Whether it is part of the report: some are run for others to stand on.
    pub(crate) shown: bool,
}

impl Outcome {
    /// Whether it failed.
    pub fn failed(&self) -> bool {
        matches!(self.verdict, Verdict::Failed(_))
    }
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was checked.
    pub target: String,
    /// Each requirement with how its check ended.
    pub outcomes: Vec<Outcome>,
    /// The names of the endpoint's tools, where they could be read.
    pub tools: Vec<String>,
    /// How many requests were sent.
    pub requests: usize,
    /// How long it took.
    pub took: Duration,
    /// Why it ended early, when it did.
    pub ended: Option<Ended>,
}

impl Report {
    /// What failed, of one severity.
    pub fn failed(&self, severity: Severity) -> impl Iterator<Item = &Outcome> {
        let of = move |outcome: &&Outcome| outcome.failed() && outcome.requirement.severity == severity;
        self.outcomes.iter().filter(of)
    }

    /// The ids of all that failed.
    pub fn failing(&self) -> Vec<&'static str> {
        let failed = self.outcomes.iter().filter(|outcome| outcome.failed());
        failed.map(|outcome| outcome.requirement.id).collect()
    }

    /// How many passed, failed and were skipped.
    pub fn counts(&self) -> (usize, usize, usize) {
        let count = |of: fn(&Verdict) -> bool| self.outcomes.iter().filter(|o| of(&o.verdict)).count();
        (
            count(|verdict| matches!(verdict, Verdict::Passed)),
            count(|verdict| matches!(verdict, Verdict::Failed(_))),
            count(|verdict| matches!(verdict, Verdict::Skipped(_))),
        )
    }
}
