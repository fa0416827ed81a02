//! How long answers take, how they are labelled, and diagnostics.

use std::time::Duration;

use median_edge::limits::DIAGNOSTICS_KEPT_CHARACTERS;

use super::Options;
use super::finding::{Finding, Kind};
use super::patient::Patient;
use crate::plan::Plan;
use crate::wire::Answer;

/// Compares the first answer, and a few more, with what the platform waits.
pub(super) fn look(patient: &mut Patient, first: Duration, options: &Options, findings: &mut Vec<Finding>) {
    let more: Vec<Duration> =
        (0..3).filter_map(|_| Some(patient.send(Plan::get()).answer.ok()?.took)).collect();
    let slowest = more.iter().copied().max().unwrap_or(first);
    let fastest = more.iter().copied().min().unwrap_or(first);
    let limit = options.sync_limit;
    let times =
        format!("The first manifest took {}, later ones {} to {}", ms(first), ms(fastest), ms(slowest));
    let worst = first.max(slowest);
    if worst >= limit / 2 {
        let seen = format!("{times}; the platform waits {}.", ms(limit));
        let advice = "Make the bytes of the manifest once, when the endpoint starts, and ask no database for it. Look at \
             the gateway, the region and the size of the machine; keep one instance warm.";
        findings.push(if worst >= limit {
            Finding::problem(Kind::Slow, seen, advice)
        } else {
            Finding::warning(Kind::Slow, seen, advice)
        });
    } else if first >= limit / 10 && first >= fastest * 4 {
        findings.push(Finding::warning(
            Kind::ColdStart,
            format!("{times}: it was started for this."),
            "Make the start shorter (a smaller binary, no connections before they are needed), or keep one instance warm.",
        ));
    } else {
        findings.push(Finding::good(Kind::Time, format!("{times}; the platform waits {}.", ms(limit))));
    }
}

fn ms(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}

/// How an answer is labelled.
pub(super) fn labels(answer: &Answer) -> Finding {
    let mut wrong = Vec::new();
    let cache = answer.header("cache-control").unwrap_or_default().to_ascii_lowercase();
    if !cache.contains("no-store") {
        wrong.push(match cache.as_str() {
            "" => "there is no Cache-Control".to_owned(),
            cache => format!("Cache-Control is {cache}"),
        });
    }
    let kind = answer.header("content-type").unwrap_or_default().to_ascii_lowercase();
    if !kind.starts_with("application/json") {
        wrong.push(match kind.as_str() {
            "" => "there is no Content-Type".to_owned(),
            kind => format!("Content-Type is {kind}"),
        });
    }
    if let Some(coding) = answer.header("content-encoding").filter(|coding| *coding != "identity") {
        wrong.push(format!("Content-Encoding is {coding}, and nobody asked for that"));
    }
    if wrong.is_empty() {
        return Finding::good(Kind::Answers, "Answers are JSON, and no cache may keep them.");
    }
    Finding::warning(
        Kind::AnswerHeaders,
        format!("Of an answer, {}.", wrong.join("; ")),
        "Send Cache-Control: private, no-store and Content-Type: application/json with every answer, errors too, and see \
         that no front replaces them.",
    )
}

/// Asks for diagnostics once.
pub(super) fn diagnostics(patient: &mut Patient, options: &Options) -> Finding {
    let exchange = patient.send(Plan::post(r#"{"op":"diagnostics"}"#));
    let advice = "Collect less, and let what is collected have a time limit of its own. The endpoint's log has the details.";
    let Ok(answer) = &exchange.answer else {
        return Finding::problem(Kind::DiagnosticsTrouble, format!("{}.", exchange.shown()), advice);
    };
    let took = answer.took;
    if exchange.code() == Some("diagnostics_unsupported") {
        return Finding::good(Kind::Diagnostics, "The endpoint collects none, and says so.");
    }
    let Some(result) = exchange.result() else {
        let seen = format!("Diagnostics are answered {}", exchange.shown());
        return Finding::problem(Kind::DiagnosticsTrouble, seen, advice);
    };
    let characters = result.to_string().encode_utf16().count();
    let seen = format!(
        "Diagnostics took {} of {}, and have {characters} characters of {DIAGNOSTICS_KEPT_CHARACTERS} that are kept.",
        ms(took),
        ms(options.diagnostics_limit)
    );
    if took >= options.diagnostics_limit {
        Finding::problem(Kind::DiagnosticsTrouble, seen, advice)
    } else if took >= options.diagnostics_limit / 2 || characters > DIAGNOSTICS_KEPT_CHARACTERS {
        Finding::warning(Kind::DiagnosticsTrouble, seen, advice)
    } else {
        Finding::good(Kind::Diagnostics, seen)
    }
}
