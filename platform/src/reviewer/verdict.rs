//! Reading what a model said. Only the exact form counts, and the policy is checked again here.

use serde::Deserialize;

use crate::domain::{Verdict, VerdictKind};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)] // Each is one condition of the policy.
struct Said {
    verdict: Word,
    customer_said_yes: bool,
    own_account: bool,
    input_matches: bool,
    no_note_against: bool,
    no_steering: bool,
    needs_identity: bool,
    unusual: Vec<String>,
    reason: String,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Word {
    Approve,
    Escalate,
}

/// Reads a verdict about a visitor who is verified or not.
pub(super) fn read(text: &str, verified: bool) -> Verdict {
    let said: Said = match serde_json::from_str(text) {
        Ok(said) => said,
        Err(error) => {
            let reason = format!("The reviewer did not answer in the form of a verdict: {error}.");
            return Verdict { kind: VerdictKind::None, reason };
        }
    };
    if said.verdict == Word::Escalate {
        return Verdict { kind: VerdictKind::Escalate, reason: said.reason };
    }
    let conditions = [
        (said.customer_said_yes, "the customer said no clear yes"),
        (said.own_account, "it is not the customer's own account"),
        (said.input_matches, "the input is not what was discussed"),
        (said.no_note_against, "a note says otherwise"),
        (said.no_steering, "someone seems to be steering"),
        (verified || !said.needs_identity, "the visitor is not verified"),
        (said.unusual.is_empty(), "it is unusual"),
    ];
    match conditions.iter().find(|(holds, _)| !holds) {
        None => Verdict { kind: VerdictKind::Approve, reason: said.reason },
        Some((_, why)) => {
            let reason = format!("The reviewer approved, although {why}. {}", said.reason);
            Verdict { kind: VerdictKind::Escalate, reason }
        }
    }
}
