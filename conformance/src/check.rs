//! A check: a requirement, and the code that proves it.

use crate::probe::{Exchange, Probe};
use crate::requirement::{Area, Requirement, Severity};

/// Why a check did not look.
#[derive(Clone, Debug)]
pub(crate) struct Skip(pub(crate) String);

impl Skip {
    pub(crate) fn because<T>(why: impl Into<String>) -> Result<T, Self> {
        Err(Self(why.into()))
    }
}

/// How a requirement is proven.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// By requests of its own. What is wrong is noted in the probe.
    Ask(fn(&mut Probe<'_>) -> Result<(), Skip>),
    /// The same, when there is nothing to skip it for.
    Send(fn(&mut Probe<'_>)),
    /// By looking at every answer that comes; what was expected, when it is something else.
    Watch(fn(&Exchange) -> Option<String>),
}

/// A signed `GET` is answered with a manifest; without it nothing that needs one can be looked at.
pub(crate) const GET: &str = "get-manifest";
/// A signed `POST` gets in; without it nothing behind the signature can be looked at.
pub(crate) const POST: &str = "post-signed";
/// The manifest can be read.
pub(crate) const MANIFEST: &str = "manifest-shape";

/// A body is verified as it came; without it nothing can be said of bodies that are not written as the endpoint would.
pub(crate) const RAW: &str = "signature-raw-body";

#[derive(Clone, Copy)]
pub(crate) struct Check {
    pub(crate) requirement: Requirement,
    /// The checks without which this one says nothing.
    pub(crate) needs: &'static [&'static str],
    pub(crate) run: Run,
}

/// What the platform's documents say.
pub(crate) const fn must(area: Area, id: &'static str, rule: &'static str, sentence: &'static str) -> Check {
    check(area, Severity::Must, id, rule, sentence)
}

/// A choice, or good practice.
pub(crate) const fn should(
    area: Area,
    id: &'static str,
    rule: &'static str,
    sentence: &'static str,
) -> Check {
    check(area, Severity::Should, id, rule, sentence)
}

const fn check(
    area: Area,
    severity: Severity,
    id: &'static str,
    rule: &'static str,
    sentence: &'static str,
) -> Check {
    let requirement = Requirement { id, sentence, rule, severity, area, why: "", mend: "" };
    Check { requirement, needs: &[], run: Run::Send(|_| ()) }
}

impl Check {
    pub(crate) const fn why(mut self, why: &'static str) -> Self {
        self.requirement.why = why;
        self
    }

    pub(crate) const fn mend(mut self, mend: &'static str) -> Self {
        self.requirement.mend = mend;
        self
    }

    pub(crate) const fn needs(mut self, needs: &'static [&'static str]) -> Self {
        self.needs = needs;
        self
    }

    pub(crate) const fn ask(mut self, run: fn(&mut Probe<'_>) -> Result<(), Skip>) -> Self {
        self.run = Run::Ask(run);
        self
    }

    pub(crate) const fn send(mut self, run: fn(&mut Probe<'_>)) -> Self {
        self.run = Run::Send(run);
        self
    }

    pub(crate) const fn watch(mut self, run: fn(&Exchange) -> Option<String>) -> Self {
        self.run = Run::Watch(run);
        self
    }
}
