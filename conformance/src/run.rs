//! One run: which checks, in which order, and when to stop.

use std::fmt;
use std::time::{Duration, Instant};

use median_edge::key::ToolSecret;

use crate::check::{Check, Run};
use crate::checks;
use crate::probe::Probe;
use crate::report::{Outcome, Report, Verdict};
use crate::requirement::Area;
use crate::wire::Transport;

/// A tool that may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// Its name.
    pub tool: String,
    /// The input to run it with, as JSON; made from its schema when there is none.
    pub input: Option<String>,
}

/// What to check, and within which bounds.
#[derive(Clone, Debug)]
pub struct Options {
    /// These areas only; all of them when there are none.
    pub only: Vec<Area>,
    /// The tools that may run.
    pub call: Vec<Allowed>,
    /// Whether every `low` tool may run.
    pub call_low: bool,
    /// Where the identity is, behind the endpoint's address. Without, it is looked for at `/identity`, and nothing is wrong
    /// when it is not there.
    pub identity: Option<String>,
    /// Whether to measure what a refusal's time tells.
    pub timing: bool,
    /// The time for all of it.
    pub time_limit: Duration,
    /// The most requests.
    pub request_limit: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            only: Vec::new(),
            call: Vec::new(),
            call_low: false,
            identity: None,
            timing: false,
            time_limit: Duration::from_mins(5),
            request_limit: 2_000,
        }
    }
}

/// Why a run ended before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The first request was not answered: there is nothing to check.
    NoAnswer(String),
    /// What answers there is no endpoint: neither a signed `GET` nor a signed `POST` got an answer of the protocol, or
    /// both were told that nothing is there.
    NotAnEndpoint(String),
    /// It answered at first, and then no more.
    WentSilent(String),
    /// The time was up.
    OutOfTime(Duration),
    /// So many requests were sent.
    OutOfRequests(usize),
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAnswer(why) => write!(f, "the endpoint does not answer: {why}"),
            Self::NotAnEndpoint(came) => {
                write!(f, "no endpoint answers at this address: what came is {came}")
            }
            Self::WentSilent(why) => write!(f, "the endpoint stopped answering: {why}"),
            Self::OutOfTime(limit) => write!(f, "the time of {limit:?} was up"),
            Self::OutOfRequests(limit) => {
                write!(f, "{limit} requests were sent, the most that a run may send")
            }
        }
    }
}

/// Checks one endpoint. Each outcome is told as it comes.
pub fn run(
    transport: &dyn Transport,
    signer: &ToolSecret,
    options: &Options,
    mut told: impl FnMut(&Outcome),
) -> Report {
    let started = Instant::now();
    let all: Vec<Check> = checks::all().collect();
    let mut probe = Probe::new(transport, signer, options, &all);
    let mut outcomes: Vec<Outcome> = Vec::new();
    // What watches comes last: it has seen every answer by then.
    let (asking, watching): (Vec<&Check>, Vec<&Check>) =
        all.iter().partition(|check| !matches!(check.run, Run::Watch(_)));
    // To see answers, someone has to ask.
    let watches = watching.iter().any(|check| is_chosen(check, options));
    for check in asking {
        let chosen = is_chosen(check, options);
        let needed = is_needed(check, &all, options);
        if !chosen && !needed && !watches {
            continue;
        }
        let verdict = asked(&mut probe, check, &outcomes);
        // What was not asked for is shown when it fails, and others are skipped for it.
        let shown = chosen || needed && matches!(verdict, Verdict::Failed(_));
        let outcome = Outcome { requirement: check.requirement, verdict, shown };
        if shown {
            told(&outcome);
        }
        outcomes.push(outcome);
    }
    for check in watching.into_iter().filter(|check| is_chosen(check, options)) {
        let id = check.requirement.id;
        let found = probe.watched.iter_mut().find(|(watcher, _)| watcher.requirement.id == id);
        let findings = found.map(|(_, findings)| std::mem::take(findings)).unwrap_or_default();
        let verdict = match &probe.ended {
            _ if !findings.is_empty() => Verdict::Failed(findings),
            Some(ended @ (Ended::NoAnswer(_) | Ended::NotAnEndpoint(_))) => {
                Verdict::Skipped(ended.to_string())
            }
            _ => Verdict::Passed,
        };
        let outcome = Outcome { requirement: check.requirement, verdict, shown: true };
        told(&outcome);
        outcomes.push(outcome);
    }
    outcomes.retain(|outcome| outcome.shown);
    Report {
        target: transport.target(),
        outcomes,
        tools: probe
            .manifest
            .iter()
            .flat_map(|manifest| &manifest.tools)
            .map(|tool| tool.name.clone())
            .collect(),
        requests: probe.requests,
        took: started.elapsed(),
        ended: probe.ended.clone(),
    }
}

fn asked(probe: &mut Probe<'_>, check: &Check, outcomes: &[Outcome]) -> Verdict {
    if let Some(ended) = &probe.ended {
        return Verdict::Skipped(ended.to_string());
    }
    for need in check.needs {
        let needed = outcomes.iter().find(|outcome| outcome.requirement.id == *need);
        match needed.map(|outcome| &outcome.verdict) {
            Some(Verdict::Failed(_)) => return Verdict::Skipped(format!("{need} has to pass first")),
            Some(Verdict::Skipped(_)) => return Verdict::Skipped(format!("{need} was skipped")),
            Some(Verdict::Passed) | None => {}
        }
    }
    probe.findings.clear();
    let result = match check.run {
        Run::Ask(ask) => ask(probe),
        Run::Send(send) => {
            send(probe);
            Ok(())
        }
        Run::Watch(_) => Ok(()),
    };
    let findings = std::mem::take(&mut probe.findings);
    match (result, findings.is_empty(), &probe.ended) {
        (_, false, _) => Verdict::Failed(findings),
        (_, true, Some(ended)) => Verdict::Skipped(ended.to_string()),
        (Err(skip), true, None) => Verdict::Skipped(skip.0),
        (Ok(()), true, None) => Verdict::Passed,
    }
}

fn is_chosen(check: &Check, options: &Options) -> bool {
    options.only.is_empty() || options.only.contains(&check.requirement.area)
}

/// Whether a check that was chosen stands on this one, by itself or through another.
fn is_needed(check: &Check, all: &[Check], options: &Options) -> bool {
    all.iter().any(|other| {
        other.needs.contains(&check.requirement.id)
            && (is_chosen(other, options) || is_needed(other, all, options))
    })
}
