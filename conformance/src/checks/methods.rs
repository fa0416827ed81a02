//! Which methods and paths are answered.

use median_edge::Code;

use crate::check::{Check, GET, POST, Skip, must, should};
use crate::manifest::Manifest;
use crate::plan::Plan;
use crate::probe::{Exchange, Expected, Probe, UNKNOWN_OP};
use crate::requirement::Area::Methods;
use crate::run::Ended;
use crate::wire::Feature;

pub(crate) const CHECKS: &[Check] = &[
    must(Methods, GET, "HTTP-1", "A signed GET is answered 200 with the manifest.")
        .why("Without a manifest the agent has no tools at all.")
        .mend("When the answer is invalid_signature, both sides need the same key, or the same MEDIAN_TOOL_SECRET. Otherwise route GET to the endpoint.")
        .send(get_manifest),
    must(Methods, POST, "HTTP-1", "A signed POST gets in, and is read by its body.")
        .why("Every tool call is a signed POST.")
        .mend("When a signed GET passes and this does not, something parses the body and writes it again before the signature is verified: verify the raw bytes.")
        .send(post_signed),
    must(Methods, "method-others", "HTTP-2", "PUT, PATCH and DELETE are 405 method_not_allowed.")
        .why("A method that runs a tool by accident is a door that nobody guards.")
        .mend("Answer every method but GET and POST with 405 and the code method_not_allowed.")
        .send(others),
    should(Methods, "method-head-options", "HTTP-3", "HEAD and OPTIONS are 405 too.")
        .why("Frameworks answer them on their own, outside the protocol and without its headers.")
        .mend("Turn off the framework's automatic HEAD and OPTIONS for this route; no browser calls it, so it needs no CORS.")
        .send(head_and_options),
    should(Methods, "method-allow", "HTTP-3", "A 405 says `Allow: GET, POST`.")
        .why("HTTP asks for it, and it tells a person at once what the route takes.")
        .mend("Add the Allow header to the 405.")
        .ask(allow),
    should(Methods, "method-before-signature", "ORDER-1", "The method is looked at before the signature.")
        .why("A preflight or a health check has no signature, and 401 would send its owner after the wrong cause.")
        .mend("Check the method first.")
        .send(before_signature),
    should(Methods, "get-body-ignored", "HTTP-4", "A GET is verified over the empty body, whatever body it has.")
        .why("Some fronts add a body to a GET or lose it; neither may change the answer.")
        .mend("Verify a GET over the empty string and leave its body alone.")
        .needs(&[GET])
        .ask(get_body),
    should(Methods, "path-trailing-slash", "HTTP-10", "The address with a trailing slash is answered too, without a redirect.")
        .why("A redirected POST becomes a GET in many clients: the call is lost, and the platform follows none.")
        .mend("Answer both forms of the path, and turn off the framework's redirects for this route.")
        .needs(&[GET])
        .ask(trailing_slash),
    should(Methods, "path-query", "HTTP-10", "A query behind the address changes nothing.")
        .why("The signature does not cover it, so nothing may depend on it.")
        .mend("Leave the query out of routing and of verification.")
        .needs(&[GET])
        .ask(query),
];

fn get_manifest(probe: &mut Probe<'_>) {
    let exchange = probe.expect("a signed GET", Plan::get(), Expected::Manifest);
    if exchange.status() == Some(404) {
        // A path that was forgotten. With a POST that finds something, it is a GET that was not routed.
        let post = probe.send(Plan::post(UNKNOWN_OP));
        if post.status() == Some(404) && is_foreign(&post) && probe.ended.is_none() {
            probe.ended = Some(Ended::NotAnEndpoint(came(&exchange)));
        }
        return;
    }
    if probe.findings.is_empty() {
        probe.manifest = exchange.answer.ok().and_then(|answer| Manifest::read(&answer.body));
    }
}

fn post_signed(probe: &mut Probe<'_>) {
    let exchange =
        probe.expect("a signed POST of an unknown operation", Plan::post(UNKNOWN_OP), Expected::Accepted);
    let is_refused = !probe.findings.is_empty() && probe.ended.is_none();
    if is_foreign(&exchange) && probe.manifest.is_none() && is_refused {
        probe.ended = Some(Ended::NotAnEndpoint(came(&exchange)));
    }
}

/// Whether no tool endpoint answered: it has a code for everything else than a result.
fn is_foreign(exchange: &Exchange) -> bool {
    let code = exchange.error().and_then(|(code, _)| Code::parse(code));
    matches!(code, None | Some(Code::NotFound))
}

/// What came, in words where it has some.
fn came(exchange: &Exchange) -> String {
    match (exchange.status(), exchange.error()) {
        (Some(status), Some((code, message))) => format!("{status} {code}: {message}"),
        _ => exchange.shown(),
    }
}

fn others(probe: &mut Probe<'_>) {
    for method in ["PUT", "PATCH", "DELETE"] {
        probe.code(method, Plan::method(method), Code::MethodNotAllowed);
    }
}

fn head_and_options(probe: &mut Probe<'_>) {
    for method in ["HEAD", "OPTIONS"] {
        probe.code(method, Plan::method(method), Code::MethodNotAllowed);
    }
}

fn allow(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let exchange = probe.send(Plan::method("DELETE"));
    let Some(answer) = exchange.answer.as_ref().ok().filter(|answer| answer.status == 405) else {
        return Skip::because("DELETE is not answered 405");
    };
    let mut allowed: Vec<_> = answer.header("allow").unwrap_or_default().split(',').map(str::trim).collect();
    allowed.sort_unstable();
    if allowed != ["GET", "POST"] {
        let came =
            answer.header("allow").map_or("no Allow header".to_owned(), |value| format!("Allow: {value}"));
        probe.wrong_with("the Allow header of a 405", "Allow: GET, POST", came);
    }
    Ok(())
}

fn before_signature(probe: &mut Probe<'_>) {
    probe.code("an unsigned DELETE", Plan::method("DELETE").unsigned(), Code::MethodNotAllowed);
}

fn get_body(probe: &mut Probe<'_>) -> Result<(), Skip> {
    probe.able(Feature::GetBody)?;
    let mut plan = Plan::get().over("");
    plan.body = b"{\"op\":\"diagnostics\"}".to_vec();
    probe.expect("a GET with a body, signed over nothing", plan, Expected::Manifest);
    Ok(())
}

fn trailing_slash(probe: &mut Probe<'_>) -> Result<(), Skip> {
    probe.able(Feature::Paths)?;
    probe.expect("the address and a slash", Plan::get().suffix("/"), Expected::Manifest);
    Ok(())
}

fn query(probe: &mut Probe<'_>) -> Result<(), Skip> {
    probe.able(Feature::Paths)?;
    probe.expect("the address and a query", Plan::get().suffix("?median-edge=check"), Expected::Manifest);
    Ok(())
}
