//! Whether the manifest is acceptable, and which of its limits is near.

use std::time::Duration;

use median_edge::limits::{MAX_FIELDS, MAX_MANIFEST_BYTES, MAX_SCHEMA_CHARACTERS, MAX_TOOLS};

use super::finding::{Finding, Kind};
use super::patient::Patient;
use crate::json::Json;
use crate::report::{Outcome, Verdict};
use crate::requirement::{Area, Severity};
use crate::run::{Options, run};

/// From so many hundredths of a limit on it is near.
const NEAR: usize = 85;

/// Borrows the checks of the manifest, and measures it.
pub(super) fn look(patient: &mut Patient, bytes: &[u8], findings: &mut Vec<Finding>) {
    let before = findings.len();
    if let Some(signer) = patient.signer.clone() {
        let time_limit = Duration::from_mins(1);
        let options = Options { only: vec![Area::Manifest], time_limit, ..Options::default() };
        let report = run(&*patient, &signer, &options, |_| ());
        patient.requests += report.requests;
        for outcome in &report.outcomes {
            findings.extend(failed(outcome));
        }
    }
    let Some(json) = Json::parse(bytes) else {
        return;
    };
    let (near, nearest) = limits(&json, bytes.len());
    findings.extend(near);
    if findings.len() == before {
        findings.push(Finding::good(Kind::Manifest, format!("The manifest is acceptable. {nearest}")));
    }
}

fn failed(outcome: &Outcome) -> Option<Finding> {
    let Verdict::Failed(found) = &outcome.verdict else {
        return None;
    };
    let requirement = outcome.requirement;
    let first = found.first()?;
    let more = match found.len() {
        1 => String::new(),
        count => format!(" And {} more like it.", count - 1),
    };
    let seen = format!(
        "{} {}: expected {}, came {}.{more}",
        requirement.sentence, first.case, first.expected, first.came
    );
    Some(match requirement.severity {
        Severity::Must => Finding::problem(Kind::ManifestRefused, seen, requirement.mend),
        Severity::Should => Finding::warning(Kind::ManifestDoubtful, seen, requirement.mend),
    })
}

/// Those limits that are near, and the nearest in a sentence.
fn limits(json: &Json, bytes: usize) -> (Vec<Finding>, String) {
    let tools = json.get("tools").and_then(Json::list).unwrap_or_default();
    let name =
        |tool: &Json| tool.get("name").and_then(Json::text).unwrap_or("a tool without a name").to_owned();
    let mut uses = vec![
        ("tools".to_owned(), tools.len(), MAX_TOOLS),
        ("bytes of manifest".to_owned(), bytes, MAX_MANIFEST_BYTES),
    ];
    for tool in tools {
        let Some(schema) = tool.get("inputSchema") else {
            continue;
        };
        let fields = schema.get("properties").and_then(Json::members).map_or(0, <[_]>::len);
        let characters = schema.to_string().encode_utf16().count();
        uses.push((format!("fields of {}", name(tool)), fields, MAX_FIELDS));
        uses.push((format!("characters of the schema of {}", name(tool)), characters, MAX_SCHEMA_CHARACTERS));
    }
    let share = |(_, used, limit): &(String, usize, usize)| used * 100 / limit;
    uses.sort_by_key(|used| std::cmp::Reverse(share(used)));
    let shown = |(what, used, limit): &(String, usize, usize)| format!("{used} of {limit} {what}");
    // What is past a limit is a finding of its own already.
    let near = uses.iter().filter(|used| (NEAR..=100).contains(&share(used)) && used.1 <= used.2);
    let near = near.map(|used| {
        Finding::warning(
            Kind::ManifestLimit,
            format!("The manifest has {}.", shown(used)),
            "Join tools, shorten descriptions and choices, or split what is unrelated; the 20 tools count over all \
             endpoints of an organization.",
        )
    });
    let nearest =
        uses.first().map_or_else(String::new, |used| format!("Its nearest limit: {}.", shown(used)));
    (near.collect(), nearest)
}
