//! What is attached to a report.

use std::time::Duration;

use crate::check::{Check, POST, must, should};
use crate::json::Json;
use crate::plan::Plan;
use crate::probe::{Exchange, Probe};
use crate::requirement::Area::Diagnostics;

/// The platform gives up after so long.
const PATIENCE: Duration = Duration::from_secs(8);
/// It keeps so much.
const KEPT: usize = median_edge::limits::DIAGNOSTICS_KEPT_CHARACTERS;

const ANSWERED: &str = "diagnostics-form";

pub(crate) const CHECKS: &[Check] = &[
    must(
        Diagnostics,
        ANSWERED,
        "DIAG-1",
        "Diagnostics are 200 `{\"result\":…}`, or a 200 error: diagnostics_unsupported, execution_failed.",
    )
    .why("Another answer looks like an endpoint that is down, in the report of a customer's problem.")
    .mend("Answer {\"op\":\"diagnostics\"} with a result, or with 200 diagnostics_unsupported.")
    .needs(&[POST])
    .send(form),
    must(
        Diagnostics,
        "diagnostics-said",
        "MAN-1",
        "The manifest says `diagnostics` if the endpoint has them, and only then.",
    )
    .why("The platform asks the endpoints that say so, and no others.")
    .mend("Write \"diagnostics\":true exactly when there is a diagnostics function.")
    .needs(&[ANSWERED, crate::check::MANIFEST])
    .send(said),
    should(
        Diagnostics,
        "diagnostics-limits",
        "DIAG-3",
        "They come within 8 seconds and have at most 2,000 characters.",
    )
    .why("The platform gives up then, and cuts the rest off.")
    .mend("Collect less, and stop in time.")
    .needs(&[ANSWERED])
    .send(limits),
];

fn ask(probe: &mut Probe<'_>) -> Exchange {
    probe.send(Plan::post(r#"{"op":"diagnostics"}"#))
}

fn form(probe: &mut Probe<'_>) {
    let exchange = ask(probe);
    let code = exchange.error().map(|(code, _)| code);
    let good = match code {
        None => exchange.result().is_some() && exchange.status() == Some(200),
        // Their statuses have a check of their own.
        Some(code) => matches!(code, "diagnostics_unsupported" | "execution_failed"),
    };
    if !good {
        probe.wrong("diagnostics", &exchange, r#"200 {"result":…}, or 200 diagnostics_unsupported"#);
    }
}

fn said(probe: &mut Probe<'_>) {
    let says = probe.manifest.as_ref().and_then(|manifest| manifest.json.get("diagnostics"));
    let says = says == Some(&Json::Bool(true));
    let exchange = ask(probe);
    let has = !matches!(exchange.error(), Some(("diagnostics_unsupported", _)));
    if says != has {
        let expected = if says {
            "diagnostics, as the manifest says"
        } else {
            "diagnostics_unsupported, as the manifest says"
        };
        probe.wrong("diagnostics", &exchange, expected);
    }
}

fn limits(probe: &mut Probe<'_>) {
    let exchange = ask(probe);
    if exchange.answer.as_ref().is_ok_and(|answer| answer.took > PATIENCE) {
        probe.wrong("diagnostics", &exchange, "an answer within 8 seconds");
    }
    let text = exchange.result().map(|result| match result {
        Json::Text(text) => text.clone(),
        other => other.to_string(),
    });
    let characters = text.unwrap_or_default().encode_utf16().count();
    if characters > KEPT {
        probe.wrong("diagnostics", &exchange, format!("at most 2,000 characters, and not {characters}"));
    }
}
