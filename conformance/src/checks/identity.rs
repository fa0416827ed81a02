//! Who is signed in: a route beside the endpoint, which not every endpoint has.

use median_edge::Code;

use crate::check::{Check, POST, Skip, should};
use crate::json::Json;
use crate::plan::Plan;
use crate::probe::{Exchange, Probe};
use crate::requirement::Area::Identity;
use crate::wire::Feature;

/// Where it is looked for, behind the endpoint's address, unless it is said.
const USUAL: &str = "/identity";

const FORM: &str = "identity-form";

pub(crate) const CHECKS: &[Check] = &[
    should(Identity, FORM, "ID-2", "The identity is 200 `{\"visitor\":null}`, or a visitor with publicKey and signature.")
        .why("The widget takes nothing else: its visitor stays unverified, and no tool that needs one runs.")
        .mend("Answer {\"visitor\":null} for nobody. For somebody give an id, the public half of the key, and 64 hex digits.")
        .needs(&[POST])
        .ask(form),
    should(Identity, "identity-slash", "ID-1", "Its path with a trailing slash is answered too, without a redirect.")
        .why("Sites that add a slash to every address would leave their visitors unverified.")
        .mend("Answer both forms of the path.")
        .needs(&[FORM])
        .send(slash),
    should(Identity, "identity-methods", "ID-1", "Any method but GET is 405 method_not_allowed, with `Allow: GET`.")
        .why("The answer is a person's data: what is not needed to get it is a way more to get it.")
        .mend("Answer GET alone.")
        .needs(&[FORM])
        .send(methods),
    should(Identity, "identity-origins", "ID-7", "It gives a page of another origin no leave to read it.")
        .why("Any site that a signed-in customer opens could read who they are, and take their signature.")
        .mend("Send no Access-Control-Allow-Origin; where another origin needs it, name that one origin and no other.")
        .needs(&[FORM])
        .send(origins),
    should(Identity, "identity-sniffing", "ID-7", "It has `X-Content-Type-Options: nosniff`.")
        .why("A browser then loads it as JSON for the page's own origin, and as nothing else for any other.")
        .mend("Add the header.")
        .needs(&[FORM])
        .send(sniffing),
];

/// A request for the identity, as the widget sends it: unsigned.
fn plan(probe: &Probe<'_>) -> Plan {
    Plan::get().unsigned().suffix(probe.options.identity.as_deref().unwrap_or(USUAL))
}

fn form(probe: &mut Probe<'_>) -> Result<(), Skip> {
    probe.able(Feature::Paths)?;
    let exchange = probe.send(plan(probe));
    let is_told = probe.options.identity.is_some();
    let is_there = exchange.json.as_ref().is_some_and(|json| json.get("visitor").is_some())
        || exchange.error().is_some_and(|(code, _)| code == Code::IdentityFailed.as_str());
    if !is_there && !is_told {
        return Skip::because(
            "there is no identity behind the address, at /identity; --identity names another place",
        );
    }
    if !is_good(&exchange) {
        let expected =
            r#"200 {"visitor":null}, or 200 {"visitor":{"id":…},"publicKey":"median_pk_…","signature":"…"}"#;
        probe.wrong("the identity", &exchange, expected);
    }
    Ok(())
}

fn is_good(exchange: &Exchange) -> bool {
    let Some(json) = exchange.json.as_ref().filter(|_| exchange.status() == Some(200)) else { return false };
    let members = json.members().unwrap_or_default();
    match json.get("visitor") {
        Some(Json::Null) => members.len() == 1,
        Some(visitor) => members.len() == 3 && is_somebody(visitor) && is_signed(json),
        None => false,
    }
}

fn is_somebody(visitor: &Json) -> bool {
    let is_text = |(name, value): &(String, Json)| {
        matches!(name.as_str(), "id" | "name" | "email" | "avatarUrl") && value.text().is_some()
    };
    visitor.members().is_some_and(|members| members.iter().all(is_text))
        && visitor.get("id").and_then(Json::text).is_some_and(|id| !id.trim().is_empty())
}

fn is_signed(json: &Json) -> bool {
    let text = |name| json.get(name).and_then(Json::text).unwrap_or_default();
    let signature = text("signature");
    text("publicKey").starts_with("median_pk_")
        && signature.len() == 64
        && signature.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn slash(probe: &mut Probe<'_>) {
    let mut plan = plan(probe);
    plan.suffix.push('/');
    let exchange = probe.send(plan);
    if probe.ended.is_none() && !is_good(&exchange) {
        probe.wrong("the path and a slash", &exchange, "the same as without it");
    }
}

fn methods(probe: &mut Probe<'_>) {
    for method in ["POST", "DELETE"] {
        let mut plan = plan(probe);
        method.clone_into(&mut plan.method);
        let exchange = probe.code(method, plan, Code::MethodNotAllowed);
        let allow = exchange.answer.as_ref().ok().and_then(|answer| answer.header("allow"));
        if exchange.status() == Some(405) && allow.map(str::trim) != Some("GET") {
            probe.wrong_with("the Allow header of a 405", "Allow: GET", allow.unwrap_or("no Allow header"));
        }
    }
}

fn origins(probe: &mut Probe<'_>) {
    let exchange = probe.send(plan(probe).header("origin", "https://median-edge-check.example"));
    let header = |name| exchange.answer.as_ref().ok().and_then(|answer| answer.header(name));
    if let Some(origin) = header("access-control-allow-origin") {
        let came = format!("Access-Control-Allow-Origin: {origin}");
        probe.wrong_with("a request from another origin", "no Access-Control-Allow-Origin", came);
    }
}

fn sniffing(probe: &mut Probe<'_>) {
    let exchange = probe.send(plan(probe));
    let value = exchange.answer.as_ref().ok().and_then(|answer| answer.header("x-content-type-options"));
    if probe.ended.is_none() && value.map(str::trim) != Some("nosniff") {
        probe.wrong("the identity", &exchange, "X-Content-Type-Options: nosniff");
    }
}
