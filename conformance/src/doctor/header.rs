//! Whether the signature header arrives as it was sent, and whether it is looked at.

use median_edge::http::SIGNATURE_HEADER;

use super::finding::{Finding, Kind};
use super::patient::{Patient, Said, lets_in};
use crate::plan::Plan;
use crate::probe::Exchange;

/// The ways in which a header's name is written on its way.
const SPELLINGS: [&str; 3] = [SIGNATURE_HEADER, "Median-Signature", "MEDIAN-SIGNATURE"];

/// As many signatures as a header may carry: seven that are none of this key, and the right one.
const EIGHT: &str =
    "t={t},v1={first},v1={first},v1={first},v1={first},v1={first},v1={first},v1={first},v1={v1}";

fn spelled(name: &'static str) -> Plan {
    Plan { header: name, ..Plan::get() }
}

/// Why the endpoint says that no signature came.
pub(super) fn missing(patient: &mut Patient) -> Finding {
    for name in SPELLINGS {
        let exchange = patient.send(spelled(name));
        if exchange.error().is_some_and(|(code, _)| code != "missing_signature") || exchange.is_let_in() {
            return Finding::problem(
                Kind::HeaderCase,
                format!("The header is found as {name}, and not as {SIGNATURE_HEADER}."),
                CASE,
            );
        }
    }
    Finding::problem(
        Kind::HeaderStripped,
        "A request with a median-signature header is answered missing_signature.",
        "Let the header through every hop: a CDN passes on only the headers of its origin request policy, a gateway only \
         those of its mapping, and a proxy may hold an allow list. Then look at the headers where the endpoint reads \
         them.",
    )
}

const CASE: &str = "Look the header up without regard to case: lower the names of all headers first. Events of API \
    Gateway v1 keep the case that the client sent.";

/// Why the endpoint says that the signature is malformed.
pub(super) fn malformed(message: &str) -> Finding {
    Finding::problem(
        Kind::HeaderChanged,
        format!("A header that is well formed is answered malformed_signature: {message}"),
        "Compare what arrives with t=<ms>,v1=<hex>. A proxy that adds a header in place of setting it makes two of it, a \
         framework may cut it at its comma, and two lines joined with a comma have two t. Pass it on once, as it is.",
    )
}

/// Looks at spellings and lengths, once a header gets in.
pub(super) fn look(patient: &mut Patient, findings: &mut Vec<Finding>) {
    let before = findings.len();
    let refused: Vec<_> =
        SPELLINGS.into_iter().filter(|&name| !patient.send(spelled(name)).is_let_in()).collect();
    if !refused.is_empty() {
        findings.push(Finding::problem(
            Kind::HeaderCase,
            format!("The header is not found when it is written {}.", refused.join(" or ")),
            CASE,
        ));
    }
    let long = patient.send(Plan::get().signature(EIGHT));
    if !long.is_let_in() {
        findings.push(Finding::warning(
            Kind::HeaderLong,
            format!("A header of 8 signatures, {} bytes long, the last of them right, is answered {}", length(&long), long.shown()),
            "Take the request when any v1 matches, and raise the limit for the length of a header on the way.",
        ));
    }
    if findings.len() == before {
        findings.push(Finding::good(
            Kind::Header,
            "The signature header arrives in any spelling, and with several signatures in it.",
        ));
    }
}

fn length(exchange: &Exchange) -> usize {
    exchange.ask.headers.first().map_or(0, |(_, value)| value.len())
}

/// Whether the manifest, or the way to a tool, is open to anyone. When it is, no probe says anything.
pub(super) fn is_open(patient: &mut Patient) -> Option<Finding> {
    let first = patient.send(Plan::get().signature("t={t},v1={first}"));
    let none = patient.send(Plan::get().unsigned());
    let wrong = patient.send(Plan::post(crate::probe::UNKNOWN_OP).signature("t={t},v1={last}"));
    let missing = patient.send(Plan::post(crate::probe::UNKNOWN_OP).unsigned());
    for (exchange, what) in [
        (&first, "A GET with a wrong signature"),
        (&none, "A GET without a signature"),
        (&wrong, "A POST with a wrong signature"),
        (&missing, "A POST without a signature"),
    ] {
        let gets_in = match exchange.said() {
            Said::Manifest => true,
            Said::Code(code, _) => lets_in(code),
            Said::Nothing(_) | Said::Foreign(_) => false,
        };
        if !gets_in {
            continue;
        }
        let answer = exchange.answer.as_ref().ok();
        let kept = answer.and_then(|answer| {
            let header = |name| answer.header(name).filter(|value| *value != "0");
            header("age").map(|age| format!("age: {age}")).or_else(|| {
                let hit = header("x-cache").or_else(|| header("cf-cache-status"))?;
                hit.to_ascii_lowercase().contains("hit").then(|| format!("a cache says {hit}"))
            })
        });
        return Some(match kept {
            Some(kept) => Finding::problem(
                Kind::Unprotected,
                format!("{what} is answered out of a cache ({kept})."),
                "Turn caching off for this path, and send Cache-Control: private, no-store with every answer.",
            ),
            None => Finding::problem(
                Kind::Unprotected,
                format!("{what} gets in: {}", exchange.shown()),
                "Verify the signature before anything else, over the bytes as they came, and refuse a request without \
                 one. Where this is meant for development only, see that it is off here.",
            ),
        });
    }
    None
}

/// The header arrives with a `GET`, and not with a `POST`.
pub(super) fn missing_on_post() -> Finding {
    Finding::problem(
        Kind::HeaderStripped,
        "A POST with a median-signature header is answered missing_signature, a GET is not.",
        "Look for what treats the two methods apart: a mapping, a forwarding rule or a redirect for POST only.",
    )
}
