//! What holds of every answer. These checks send nothing: they look at what comes to the others.

use median_edge::Code;

use crate::check::{Check, must, should};
use crate::json::Json;
use crate::probe::Exchange;
use crate::requirement::Area::{Errors, Headers, Secrets};

pub(crate) const CHECKS: &[Check] = &[
    must(Headers, "header-cache-control", "HTTP-5", "Every answer has `Cache-Control: private, no-store`.")
        .why("A cache that keeps an answer hands one customer's data to another.")
        .mend("Set the header in one place, on errors too.")
        .watch(cache_control),
    should(Headers, "header-content-type", "HTTP-6", "Every answer has `Content-Type: application/json`.")
        .why("Fronts and clients decide by it what to do with a body.")
        .mend("Set the header in one place, on errors too.")
        .watch(content_type),
    should(Headers, "header-once", "HTTP-6", "Content-Type and Cache-Control are there once.")
        .why("Of two lines, one layer reads the first and the next one the last.")
        .mend("Replace the framework's header, and do not add a second one.")
        .watch(once),
    should(Headers, "header-no-encoding", "HTTP-6", "No answer is compressed: none was asked to be.")
        .why("A reader that did not ask for it cannot read it.")
        .mend("Compress only what Accept-Encoding asks for.")
        .watch(encoding),
    should(Headers, "body-is-object", "HTTP-6", "The body of every answer is one JSON object.")
        .why("HTML pages of a framework's own say nothing to who reads them here.")
        .mend("Replace the framework's error pages on this route.")
        .watch(object),
    must(Errors, "error-form", "ERR-1", "An error is `{\"error\":{\"code\":…,\"message\":…}}`, both of them texts.")
        .why("Another form cannot be read, and the agent is told that the tool is not answering.")
        .mend("Make errors in one place.")
        .watch(form),
    must(Errors, "error-message", "ERR-2", "Every error has a message that says something.")
        .why("It is written for whoever has to act on it.")
        .mend("Say what was wrong and what to do.")
        .watch(message),
    must(Errors, "error-codes", "ERR-4", "The code is one of the protocol's.")
        .why("The list is closed: another code means nothing to who reads it.")
        .mend("Use the codes of the list.")
        .watch(codes),
    must(Errors, "error-status", "ERR-4", "Each code has its own status.")
        .why("execution_failed with a 500 is a tool that does not answer; invalid_input with a 422 is one that is never mended.")
        .mend("Keep the code and its status in one table.")
        .watch(status),
    should(Secrets, "secret-key", "ERR-3", "No answer holds a key.")
        .why("Whoever has the key can say anything in the name of the platform.")
        .mend("Never format configuration into a message. Change the key once it was shown.")
        .watch(key),
    should(Secrets, "secret-signature", "ERR-3", "No error holds a signature or a secret: nothing of 64 hex digits.")
        .why("The signature that would have been right is all that a stranger needs.")
        .mend("Say that the signature is wrong, and not what would be right.")
        .watch(signature),
    should(Secrets, "secret-body", "ERR-3", "No error holds the request's body.")
        .why("Bodies hold what customers wrote, and messages end up in logs.")
        .mend("Quote the one name or value that is at fault, cut short.")
        .watch(body),
    should(Secrets, "secret-detail", "ERR-3", "No error holds a stack trace or the words of an exception.")
        .why("The agent reads the message to the customer, file paths and host names with it.")
        .mend("Catch exceptions, log them, and answer with a message that was written to be read.")
        .watch(detail),
];

fn is_head(exchange: &Exchange) -> bool {
    exchange.ask.method == "HEAD"
}

fn header<'a>(exchange: &'a Exchange, name: &str) -> Option<&'a str> {
    exchange.answer.as_ref().ok()?.header(name)
}

fn cache_control(exchange: &Exchange) -> Option<String> {
    let value = header(exchange, "cache-control").unwrap_or_default().to_lowercase();
    let has = |name: &str| value.split(',').any(|part| part.trim() == name);
    (!(has("private") && has("no-store"))).then(|| match value.as_str() {
        "" => "Cache-Control: private, no-store, and there is none".to_owned(),
        value => format!("Cache-Control: private, no-store, and not {value}"),
    })
}

fn content_type(exchange: &Exchange) -> Option<String> {
    let value = header(exchange, "content-type").unwrap_or_default().to_lowercase();
    let is_json = value.split(';').next().is_some_and(|kind| kind.trim() == "application/json");
    (!is_json).then(|| match value.as_str() {
        "" => "Content-Type: application/json, and there is none".to_owned(),
        value => format!("Content-Type: application/json, and not {value}"),
    })
}

fn once(exchange: &Exchange) -> Option<String> {
    let headers = &exchange.answer.as_ref().ok()?.headers;
    let twice = |name: &&str| headers.iter().filter(|(n, _)| n == name).count() > 1;
    let name = ["content-type", "cache-control"].into_iter().find(twice)?;
    Some(format!("{name} once"))
}

fn encoding(exchange: &Exchange) -> Option<String> {
    let value = header(exchange, "content-encoding").filter(|value| *value != "identity")?;
    Some(format!("no Content-Encoding, and not {value}"))
}

fn object(exchange: &Exchange) -> Option<String> {
    if is_head(exchange) || exchange.answer.is_err() {
        return None;
    }
    let is_object = exchange.json.as_ref().is_some_and(|json| json.members().is_some());
    (!is_object).then(|| "a JSON object".to_owned())
}

/// The body of an error: a status that is none, or a member `error`.
fn error(exchange: &Exchange) -> Option<&Json> {
    let json = exchange.json.as_ref().filter(|json| json.members().is_some() && !is_head(exchange))?;
    (exchange.status()? >= 400 || json.get("error").is_some()).then_some(json)
}

fn form(exchange: &Exchange) -> Option<String> {
    let json = error(exchange)?;
    let text = |name| json.get("error").and_then(|error| error.get(name)).and_then(Json::text).is_some();
    let alone = json.members().is_some_and(|members| members.len() == 1);
    (!(text("code") && text("message") && alone))
        .then(|| r#"{"error":{"code":"…","message":"…"}}"#.to_owned())
}

fn message(exchange: &Exchange) -> Option<String> {
    let message = error(exchange)?.get("error")?.get("message")?.text()?;
    let says_nothing = message.trim().is_empty() || exchange.error().is_some_and(|(code, text)| code == text);
    says_nothing.then(|| "a message for whoever has to act on it".to_owned())
}

fn codes(exchange: &Exchange) -> Option<String> {
    let (code, _) = exchange.error()?;
    Code::parse(code).is_none().then(|| format!("one of the protocol's codes, and not {code}"))
}

fn status(exchange: &Exchange) -> Option<String> {
    let code = Code::parse(exchange.error()?.0)?;
    (exchange.status() != Some(code.status())).then(|| format!("{} with the status {}", code, code.status()))
}

fn text(exchange: &Exchange) -> Option<std::borrow::Cow<'_, str>> {
    Some(String::from_utf8_lossy(&exchange.answer.as_ref().ok()?.body))
}

fn key(exchange: &Exchange) -> Option<String> {
    let text = text(exchange)?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.~+/=".contains(c);
    let mut keys = text.split("median_key_").skip(1);
    let long = |rest: &str| rest.chars().take_while(|&c| is_part(c)).count() >= 16;
    keys.any(long).then(|| "nothing that begins with median_key_".to_owned())
}

fn signature(exchange: &Exchange) -> Option<String> {
    error(exchange)?;
    let text = text(exchange)?;
    let sent = String::from_utf8_lossy(&exchange.ask.body);
    let mut runs = text.split(|c: char| !c.is_ascii_hexdigit());
    // What was in the body is another check's.
    runs.any(|run| run.len() >= 64 && !sent.contains(run)).then(|| "nothing of 64 hex digits".to_owned())
}

fn body(exchange: &Exchange) -> Option<String> {
    let message = exchange.error()?.1;
    let sent = String::from_utf8_lossy(&exchange.ask.body);
    let has_start = |sent: &str| sent.len() >= 32 && message.contains(sent);
    // Cut short it is the body all the same.
    let start = sent.char_indices().nth(60).map_or(&*sent, |(at, _)| &sent[..at]);
    has_start(start).then(|| "nothing of the request's body".to_owned())
}

fn detail(exchange: &Exchange) -> Option<String> {
    const SIGNS: [&str; 12] = [
        "Traceback (most recent call",
        "\n    at ",
        "at Object.<anonymous>",
        "node_modules",
        "site-packages",
        "panicked at",
        "goroutine ",
        "SyntaxError",
        "TypeError",
        "JSONDecodeError",
        "Exception in thread",
        "NullPointerException",
    ];
    error(exchange)?;
    let text = text(exchange)?.replace("\\n", "\n");
    let sign = SIGNS.into_iter().find(|sign| text.contains(sign))?;
    Some(format!("no detail of the program, like {}", sign.trim()))
}
