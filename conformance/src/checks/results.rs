//! What a tool answers. Each of these runs a tool, and needs leave to.

use median_edge::Risk;
use median_edge::limits::{MAX_HIGHLIGHT_CHARACTERS, MAX_NAVIGATE_CHARACTERS};

use crate::check::{Check, MANIFEST, POST, Skip, must, should};
use crate::json::Json;
use crate::plan::Plan;
use crate::probe::{Exchange, Expected, Probe};
use crate::requirement::Area::Results;

/// A good call is answered by the tool.
const RUNS: &str = "result-form";

pub(crate) const CHECKS: &[Check] = &[
    must(Results, RUNS, "OUT-1", "A good call is 200 `{\"result\":…}`, or 200 execution_failed.")
        .why("For any other answer the agent is told that the tool is not answering.")
        .mend("Answer 200 with what the tool returned under `result`, and with execution_failed when it failed.")
        .needs(&[MANIFEST, POST])
        .ask(form),
    must(Results, "result-unverified", "OUT-2", "A visitor who is not verified gets an answer too: a result, or a refusal in it.")
        .why("Most visitors are not signed in. The agent passes a refusal on, and not a 401 or a 500.")
        .mend("Refuse with {\"result\":{\"ok\":false,\"reason\":…,\"detail\":…}}.")
        .needs(&[RUNS])
        .ask(unverified),
    should(Results, "result-refusal", "OUT-3", "A refusal has a `reason`, a short code, and `detail`, one line, and an `outcome` that is blocked or unknown.")
        .why("The agent tells the customer what the refusal says.")
        .mend("Write {\"ok\":false,\"reason\":\"no_such_order\",\"detail\":\"…\"}.")
        .watch(refusal),
    must(Results, "result-directives", "OUT-8", "`medianNavigateTo` is a path of up to 2,048 characters, `medianHighlight` a selector of up to 256.")
        .why("The platform drops others: the customer sees no button.")
        .mend("Give a path that begins with one slash, and a short selector.")
        .watch(directives),
    should(Results, "result-approval", "RISK-3", "A reviewed or high tool does not run without `approvedBy`, whatever `context.risk` says.")
        .why("A tool whose risk was raised would run unapproved until the next sync.")
        .mend("Refuse with the reason approval_required when approvedBy is missing or blank, by the risk that the code declares.")
        .needs(&[RUNS])
        .ask(approval),
];

fn form(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let mut ran = false;
    let mut unfit = Vec::new();
    for (tool, input) in probe.runnable()? {
        let call = probe.call(&tool, &input).json();
        let exchange = probe.send(Plan::post(call));
        let given = probe.options.call.iter().any(|call| call.tool == tool.name && call.input.is_some());
        match exchange.error() {
            // What was made from the schema need not pass the checks that a schema cannot carry.
            Some(("invalid_input", _)) if !given && !tool.fields.is_empty() => unfit.push(tool.name.clone()),
            _ => {
                ran = true;
                is_answer(probe, &format!("a call to {}", tool.name), &exchange);
            }
        }
    }
    if ran {
        return Ok(());
    }
    Skip::because(format!(
        "{} took none of the inputs that were made for it: give one with --call TOOL=JSON",
        unfit.join(", ")
    ))
}

fn is_answer(probe: &mut Probe<'_>, case: &str, exchange: &Exchange) {
    let code = exchange.error().map(|(code, _)| code);
    let good = exchange.status() == Some(200)
        && if exchange.result().is_some() { code.is_none() } else { code == Some("execution_failed") };
    if !good {
        probe.wrong(case, exchange, r#"200 {"result":…}, or 200 execution_failed"#);
    }
}

fn unverified(probe: &mut Probe<'_>) -> Result<(), Skip> {
    for (tool, input) in probe.runnable()? {
        let visitor = r#"{"verified":false,"email":"ana@example.org","name":"Ana"}"#;
        let call = probe.call(&tool, &input).set("context.visitor", visitor).json();
        let exchange = probe.send(Plan::post(call));
        if matches!(exchange.error(), Some(("invalid_input", _))) {
            continue;
        }
        is_answer(probe, &format!("a call to {} for a visitor who is not verified", tool.name), &exchange);
    }
    Ok(())
}

fn approval(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let mut looked = false;
    for (tool, input) in probe.runnable()? {
        if !matches!(tool.risk, Some(Risk::Reviewed | Risk::High)) {
            continue;
        }
        for (case, approved, risk) in [
            ("nobody", None, None),
            ("a blank name", Some("\" \""), None),
            ("nobody, as low", None, Some("\"low\"")),
        ] {
            let mut call = probe.call(&tool, &input).without("context.approvedBy");
            if let Some(name) = approved {
                call = call.set("context.approvedBy", name);
            }
            if let Some(risk) = risk {
                call = call.set("context.risk", risk);
            }
            let exchange = probe.expect(case, Plan::post(call.json()), Expected::Ran);
            looked = true;
            let reason = exchange.result().and_then(|result| result.get("reason")).and_then(Json::text);
            if exchange.status() == Some(200) && reason != Some("approval_required") {
                let case = format!("{} approved by {case}", tool.name);
                probe.wrong(&case, &exchange, "a refusal with the reason approval_required");
            }
        }
    }
    if looked { Ok(()) } else { Skip::because("no reviewed or high tool may run: --call TOOL allows one") }
}

/// Whether the platform reads a result as a refusal.
fn is_refusal(result: &Json) -> bool {
    let is_false = |name| result.get(name) == Some(&Json::Bool(false));
    let outcome = result.get("outcome").and_then(Json::text);
    ["ok", "known", "allowed"].into_iter().any(is_false) || matches!(outcome, Some("blocked" | "unknown"))
}

fn refusal(exchange: &Exchange) -> Option<String> {
    let result = exchange.result().filter(|result| is_refusal(result))?;
    let reason = result.get("reason");
    let code = |text: &str| !text.is_empty() && text.len() <= 64 && !text.contains(char::is_whitespace);
    if reason.is_none_or(|reason| !reason.text().is_some_and(code)) {
        return Some("a reason that is a short code".to_owned());
    }
    let detail = result.get("detail");
    if detail.is_some_and(|detail| detail.text().is_none_or(|text| text.contains('\n'))) {
        return Some("a detail of one line".to_owned());
    }
    let outcome = result.get("outcome").map(Json::text);
    if !matches!(outcome, None | Some(Some("blocked" | "unknown"))) {
        return Some("an outcome that is blocked or unknown".to_owned());
    }
    None
}

fn directives(exchange: &Exchange) -> Option<String> {
    let result = exchange.result()?;
    let fits = |name: &str, most: usize| {
        let value = result.get(name)?;
        let text = value.text().filter(|text| !text.trim().is_empty() && text.encode_utf16().count() <= most);
        Some(text.map(str::to_owned))
    };
    if let Some(path) = fits("medianNavigateTo", MAX_NAVIGATE_CHARACTERS) {
        let own = |path: String| path.starts_with('/') && !path.starts_with("//") && !path.starts_with("/\\");
        if !path.is_some_and(own) {
            return Some("medianNavigateTo, a path on the site of up to 2,048 characters".to_owned());
        }
    }
    match fits("medianHighlight", MAX_HIGHLIGHT_CHARACTERS) {
        Some(None) => Some("medianHighlight, a selector of up to 256 characters".to_owned()),
        _ => None,
    }
}
