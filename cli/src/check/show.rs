//! The report, for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use median_edge_conformance::baseline::Baseline;
use median_edge_conformance::{Finding, Outcome, Report, Requirement, Severity, Verdict};
use serde::Serialize;

use super::curl;
use crate::json;
use crate::keys::Signing;
use crate::table::table;
use crate::terminal::{BAD, BOLD, CAUTION, DIM, GOOD, styled, width};
use crate::text::{clean, grouped, start_of};

/// What is shown of an answer.
const LONGEST: usize = 400;

/// A report, and how it is to be read.
pub(crate) struct Shown<'a> {
    pub(crate) report: &'a Report,
    pub(crate) baseline: &'a Baseline,
    pub(crate) strict: bool,
    pub(crate) url: &'a str,
    pub(crate) signing: &'a Signing,
}

impl Shown<'_> {
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        let failed = |severity| {
            let unexpected = |outcome: &&Outcome| !self.baseline.expects(outcome.requirement.id);
            self.report.failed(severity).filter(unexpected)
        };
        for outcome in failed(Severity::Must).chain(failed(Severity::Should)) {
            self.failure(&mut text, outcome);
        }
        self.skipped(&mut text);
        let compared = self.baseline.compare(self.report);
        if !compared.expected.is_empty() {
            let _ = writeln!(
                text,
                "{}: {}",
                styled(DIM, "expected to fail, and does"),
                compared.expected.join(", ")
            );
        }
        for id in &compared.stale {
            let _ =
                writeln!(text, "{} {id} is in the baseline, and passes: take it out.", styled(BAD, "stale"));
        }
        if let Some(ended) = &self.report.ended {
            let _ =
                writeln!(text, "{} {}.", styled(BAD, "ended early:"), start_of(&ended.to_string(), LONGEST));
        }
        let (must, should) = (failed(Severity::Must).count(), failed(Severity::Should).count());
        text.push_str(&self.summary(must, should));
        text
    }

    fn summary(&self, must: usize, should: usize) -> String {
        let (passed, _, skipped) = self.report.counts();
        let seconds = self.report.took.as_secs_f64();
        let mut text = format!("{} passed", grouped(passed));
        let mut count = |number: usize, style, what: &str| {
            if number > 0 {
                let _ = write!(text, ", {}", styled(style, &format!("{number} {what}")));
            }
        };
        count(must, BAD, "must failed");
        count(should, if self.strict { BAD } else { CAUTION }, "should failed");
        count(skipped, DIM, "skipped");
        let _ = writeln!(text, "; {} requests in {seconds:.1} s.", grouped(self.report.requests));
        if must + should == 0 && self.report.ended.is_none() {
            let _ = writeln!(text, "{}", styled(GOOD, "The endpoint does what was asked of it."));
        } else if must == 0 && should > 0 && !self.strict {
            text.push_str("What the platform asks for is there. A should counts with --strict.\n");
        }
        text
    }

    fn failure(&self, text: &mut String, outcome: &Outcome) {
        let Verdict::Failed(findings) = &outcome.verdict else {
            return;
        };
        let Requirement { id, sentence, rule, severity, why, mend, .. } = outcome.requirement;
        let style = if severity == Severity::Must || self.strict { BAD } else { CAUTION };
        let _ = writeln!(
            text,
            "{} {} {}",
            styled(style, &format!("{severity} failed")),
            styled(BOLD, id),
            styled(DIM, rule)
        );
        let _ = writeln!(text, "  {sentence}");
        for (at, finding) in findings.iter().enumerate() {
            self.finding(text, finding, at == 0);
        }
        let _ = writeln!(text, "  {} {why}\n  {} {mend}\n", styled(DIM, "why     "), styled(DIM, "mend    "));
    }

    fn finding(&self, text: &mut String, finding: &Finding, first: bool) {
        let mut line = |name: &str, value: &str| {
            let _ = writeln!(text, "  {} {value}", styled(DIM, &format!("{name:<8}")));
        };
        line("tried", &start_of(&finding.case, LONGEST));
        if first && let Some(plan) = &finding.request {
            match curl::line(self.url, plan, self.signing) {
                Ok(curl) => line("request", &clean(&curl)),
                Err(why) => line("request", &why),
            }
        }
        line("expected", &start_of(&finding.expected, LONGEST));
        line("came", &start_of(&finding.came, LONGEST));
    }

    /// By reason: most are skipped for one and the same.
    fn skipped(&self, text: &mut String) {
        let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for outcome in &self.report.outcomes {
            if let Verdict::Skipped(why) = &outcome.verdict {
                reasons.entry(why).or_default().push(outcome.requirement.id);
            }
        }
        for (why, ids) in &reasons {
            let _ =
                writeln!(text, "{} {}: {}", styled(DIM, "skipped"), start_of(why, LONGEST), ids.join(", "));
        }
        if !reasons.is_empty() {
            text.push('\n');
        }
    }

    pub(crate) fn to_json(&self) -> String {
        let Report { target, outcomes, requests, took, ended, .. } = self.report;
        let (passed, failed, skipped) = self.report.counts();
        let compared = self.baseline.compare(self.report);
        json::write(&Document {
            target,
            requests: *requests,
            duration_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            ended: ended.as_ref().map(ToString::to_string),
            passed,
            failed,
            skipped,
            stale: compared.stale,
            requirements: outcomes.iter().map(|outcome| self.entry(outcome)).collect(),
        })
    }

    fn entry(&self, outcome: &Outcome) -> Entry {
        let finding = |finding: &Finding| Found {
            case: finding.case.clone(),
            curl: finding.request.as_ref().and_then(|plan| curl::line(self.url, plan, self.signing).ok()),
            expected: finding.expected.clone(),
            came: finding.came.clone(),
        };
        let id = outcome.requirement.id;
        let mut entry = Entry {
            requirement: Listed::of(&outcome.requirement),
            verdict: "passed",
            expected_to_fail: self.baseline.expects(id),
            reason: None,
            findings: Vec::new(),
        };
        match &outcome.verdict {
            Verdict::Passed => {}
            Verdict::Skipped(why) => (entry.verdict, entry.reason) = ("skipped", Some(why.clone())),
            Verdict::Failed(findings) => {
                (entry.verdict, entry.findings) = ("failed", findings.iter().map(finding).collect());
            }
        }
        entry
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    target: &'a str,
    requests: usize,
    duration_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<String>,
    passed: usize,
    failed: usize,
    skipped: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stale: Vec<String>,
    requirements: Vec<Entry>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    #[serde(flatten)]
    requirement: Listed,
    verdict: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    expected_to_fail: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    case: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    curl: Option<String>,
    expected: String,
    came: String,
}

#[derive(Serialize)]
struct Listed {
    id: &'static str,
    severity: &'static str,
    area: &'static str,
    rule: &'static str,
    sentence: &'static str,
    why: &'static str,
    mend: &'static str,
}

impl Listed {
    fn of(requirement: &Requirement) -> Self {
        let Requirement { id, sentence, rule, severity, area, why, mend } = *requirement;
        Self { id, severity: severity.as_str(), area: area.as_str(), rule, sentence, why, mend }
    }
}

/// The requirements, as a table.
pub(super) fn list_text(requirements: &[Requirement]) -> String {
    let row = |requirement: &Requirement| {
        let Requirement { id, sentence, rule, severity, area, .. } = *requirement;
        vec![area.to_string(), id.to_owned(), severity.to_string(), rule.to_owned(), sentence.to_owned()]
    };
    table(&["area", "id", "", "rule", "requirement"], requirements.iter().map(row), width())
}

/// The requirements, for programs.
pub(super) fn list_json(requirements: &[Requirement]) -> String {
    #[derive(Serialize)]
    struct List {
        requirements: Vec<Listed>,
    }
    json::write(&List { requirements: requirements.iter().map(Listed::of).collect() })
}
