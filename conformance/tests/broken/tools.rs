//! The manifest, the tools, and how a body is read, each with its faults.

use std::fmt::Write as _;

use crate::json::Json;
use crate::server::{Answer, Request, Response, Server, is_identity, no};

type Checked = Result<(), (&'static str, String)>;

struct Field {
    name: &'static str,
    kind: &'static str,
    required: bool,
}

const fn field(name: &'static str, kind: &'static str, required: bool) -> Field {
    Field { name, kind, required }
}

struct Tool {
    name: &'static str,
    risk: &'static str,
    fields: &'static [Field],
}

const TOOLS: &[Tool] = &[
    Tool { name: "orderStatus", risk: "low", fields: &[field("orderNumber", "string", true)] },
    Tool {
        name: "setQuantity",
        risk: "low",
        fields: &[
            field("quantity", "number", true),
            field("note", "string", false),
            field("gift", "boolean", false),
            field("speed", "choice", false),
        ],
    },
    Tool {
        name: "refundOrder",
        risk: "high",
        fields: &[field("orderNumber", "string", true), field("amount", "number", true)],
    },
];

fn schema(server: &Server, tool: &Tool) -> String {
    let property = |field: &Field| {
        let about = match server.fault {
            "long-schema" => "x".repeat(8_000),
            _ => format!("The {}.", field.name),
        };
        let (kind, more) = match (field.kind, server.fault) {
            ("choice", "choices-of-numbers") => ("string", r#","enum":[1,2]"#),
            ("choice", _) => ("string", r#","enum":["standard","express"]"#),
            ("string", "nested-field") if !field.required => ("object", ""),
            ("string", "more-keywords") => ("string", r#","minLength":1"#),
            ("number", "says-integer") => ("integer", ""),
            (kind, _) => (kind, ""),
        };
        format!(r#""{}":{{"type":"{kind}","description":"{about}"{more}}}"#, field.name)
    };
    let mut properties: Vec<_> = tool.fields.iter().map(property).collect();
    let mut required: Vec<_> = tool
        .fields
        .iter()
        .filter(|field| field.required)
        .map(|field| format!("\"{}\"", field.name))
        .collect();
    match server.fault {
        "many-fields" => properties.extend((0..20).map(|at| format!(r#""f{at}":{{"type":"boolean"}}"#))),
        "odd-field-name" => properties.push(r#""to-day":{"type":"boolean"}"#.to_owned()),
        "requires-what-is-not-there" => required.push("\"ghost\"".to_owned()),
        _ => {}
    }
    let kind = if server.has("schema-of-no-type") { "" } else { r#""type":"object","# };
    let open = if server.has("open-schema") { "true" } else { "false" };
    format!(
        r#"{{{kind}"properties":{{{}}},"required":[{}],"additionalProperties":{open}}}"#,
        properties.join(","),
        required.join(",")
    )
}

pub(crate) fn manifest(server: &Server, now_ms: u64) -> String {
    let one = |tool: &Tool| {
        let risk = if server.has("odd-risk") && tool.risk == "high" { "critical" } else { tool.risk };
        let about = match server.fault {
            "blank-description" => " ".to_owned(),
            "large-manifest" => "x".repeat(200_000),
            "manifest-over-500000" => "x".repeat(167_000),
            "changing-manifest" => format!("Asked for at {now_ms}, {:?}", std::time::Instant::now()),
            _ => format!("The tool {}.", tool.name),
        };
        let about =
            if server.has("no-description") { String::new() } else { format!(r#""description":"{about}","#) };
        let name = tool.name;
        format!(r#"{{"name":"{name}",{about}"risk":"{risk}","inputSchema":{}}}"#, schema(server, tool))
    };
    let mut tools: Vec<_> = TOOLS.iter().map(one).collect();
    let more = |name: &str| {
        format!(
            r#"{{"name":"{name}","description":"More.","risk":"medium","inputSchema":{{"type":"object","properties":{{}},"additionalProperties":false}}}}"#
        )
    };
    match server.fault {
        "many-tools" => tools.extend((0..18).map(|at| more(&format!("more{at}")))),
        "tool-twice" => tools.push(more("orderStatus")),
        "reserved-name" => tools.push(more("requestHandoff")),
        "empty-required" => {
            tools.push(more("more").replace(r#""properties":{}"#, r#""properties":{},"required":[]"#));
        }
        _ => {}
    }
    let version = if server.has("version-2") { 2 } else { 1 };
    let diagnostics = match server.fault {
        "says-no-diagnostics" => "",
        "diagnostics-as-text" => r#","diagnostics":"yes""#,
        _ => r#","diagnostics":true"#,
    };
    format!(r#"{{"version":{version},"tools":[{}]{diagnostics}}}"#, tools.join(","))
}

fn text<'a>(json: Option<&'a Json>, path: &str) -> Result<&'a str, (&'static str, String)> {
    match json {
        Some(Json::Text(text, _)) => Ok(text),
        _ => no("invalid_body", format!("{path} is missing or no string. Send one.")),
    }
}

pub(crate) fn run(server: &Server, request: &Request) -> Answer {
    let header = |wanted: &str| {
        let line = request.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        line.map(|(_, value)| String::from_utf8_lossy(value).into_owned()).unwrap_or_default()
    };
    let coding = header("content-encoding");
    if !matches!(coding.as_str(), "" | "identity") && !server.has("minds-no-coding") {
        return no("invalid_body", format!("The body is {coding}. Send it as it is."));
    }
    if server.has("minds-the-content-type") && header("content-type") != "application/json" {
        return no("invalid_body", "The body is not application/json. Send JSON.");
    }
    if request.body.len() > 100_000 && server.has("small-cap") {
        return no("invalid_body", "The body is over 100,000 bytes. Send less.");
    }
    if request.body.is_empty() && server.has("empty-is-the-manifest") {
        return Ok(manifest(server, 0));
    }
    let body = server.parse(&request.body)?;
    if body.members().is_none() {
        return no(
            if server.has("crashes-on-no-object") { "execution_failed" } else { "invalid_body" },
            "The body is no object. Send one.",
        );
    }
    ignored(server, &body)?;
    let (has_op, has_tool) = (body.count("op") > 0, body.count("tool") > 0);
    if has_op && has_tool && !server.has("op-beside-tool") {
        return no("invalid_body", "op stands beside tool. Send one of them.");
    }
    if has_op {
        if body.count("op") > 1 && !server.has("last-member-wins") {
            return no("invalid_body", "op came twice. Send it once.");
        }
        return match body.get("op") {
            Some(Json::Text(op, _)) => operation(server, op),
            _ if server.has("any-op") => no("unknown_op", "The op is not known. Ask for diagnostics."),
            _ => no("invalid_body", "op is no string. Send one."),
        };
    }
    if !has_tool {
        let code = if server.has("neither-is-unknown-tool") { "unknown_tool" } else { "invalid_body" };
        return no(code, "There is neither tool nor op; sync again. Send one of them.");
    }
    call(server, &body)
}

/// Members that nobody reads are passed over.
fn ignored(server: &Server, body: &Json) -> Checked {
    const KNOWN: [&str; 5] = ["op", "tool", "toolCallId", "input", "context"];
    let others =
        body.members().unwrap_or_default().iter().filter(|(name, _)| !KNOWN.contains(&name.as_str()));
    for (name, value) in others {
        let huge = matches!(value, Json::Number(number) if !number.is_finite());
        if server.has("refuses-other-members") || huge && server.has("reads-numbers-it-ignores") {
            return no("invalid_body", format!("{name} is not known. Leave it out."));
        }
    }
    Ok(())
}

fn operation(server: &Server, op: &str) -> Answer {
    let known =
        op == "diagnostics" || server.has("op-in-any-case") && op.trim().eq_ignore_ascii_case("diagnostics");
    match server.fault {
        _ if !known => no(
            if server.has("other-ops-are-bodies") { "invalid_body" } else { "unknown_op" },
            "The op is not known. Ask for diagnostics.",
        ),
        "diagnostics-without-result" => Ok(r#"{"queue":3}"#.to_owned()),
        "long-diagnostics" => Ok(format!(r#"{{"result":"{}"}}"#, "x".repeat(2_001))),
        _ => Ok(r#"{"result":{"queue":3}}"#.to_owned()),
    }
}

fn call(server: &Server, body: &Json) -> Answer {
    let name = match body.get("tool") {
        Some(Json::Text(name, _)) => name.as_str(),
        _ if server.has("trusts-the-envelope") => "",
        _ => return no("invalid_body", "tool is no string. Send one."),
    };
    let message = if server.has("does-not-say-sync") {
        "It is not there."
    } else {
        "There is no such tool. Sync again."
    };
    let found = TOOLS.iter().find(|tool| match server.fault {
        "names-in-any-case" => tool.name.eq_ignore_ascii_case(name.trim()),
        _ => tool.name == name,
    });
    if server.has("looks-the-tool-up-first") && found.is_none() {
        return no("unknown_tool", message);
    }
    envelope(server, body)?;
    if server.has("inherits-names") && matches!(name, "constructor" | "toString" | "__proto__") {
        return no("execution_failed", "The tool failed. Look into the log.");
    }
    let Some(tool) = found else {
        let code = if server.has("unknown-tool-is-a-body") { "invalid_body" } else { "unknown_tool" };
        return no(code, message);
    };
    let none = Json::Object(Vec::new());
    let input = body.get("input").filter(|input| input.members().is_some()).unwrap_or(&none);
    check(server, tool, input)?;
    let context = body.get("context").unwrap_or(&none);
    let visitor = context.get("visitor").unwrap_or(&none);
    let approved = matches!(context.get("approvedBy"), Some(Json::Text(name, _)) if !name.trim().is_empty());
    let risk = if server.has("believes-the-risk") { context.get("risk") } else { None };
    let high = match risk {
        Some(Json::Text(risk, _)) => risk == "high",
        _ => tool.risk == "high",
    };
    if high && !approved && !server.has("no-gate") {
        return Ok(
            r#"{"result":{"ok":false,"reason":"approval_required","detail":"Ask a teammate."}}"#.to_owned()
        );
    }
    if visitor.get("verified") != Some(&Json::Bool(true)) {
        return match server.fault {
            "throws-at-strangers" => no("invalid_signature", "The visitor is not signed in. Sign in."),
            "refuses-without-a-reason" => Ok(r#"{"result":{"ok":false}}"#.to_owned()),
            _ => {
                Ok(r#"{"result":{"ok":false,"reason":"not_signed_in","detail":"Sign in first."}}"#.to_owned())
            }
        };
    }
    match server.fault {
        "bare-results" => Ok(r#"{"status":"shipped"}"#.to_owned()),
        "navigates-away" => Ok(r#"{"result":{"medianNavigateTo":"https://elsewhere.example/"}}"#.to_owned()),
        _ => Ok(r#"{"result":{"status":"shipped"}}"#.to_owned()),
    }
}

fn envelope(server: &Server, body: &Json) -> Checked {
    let bad = |path: &str| {
        let path = if server.has("names-no-path") { "A member" } else { path };
        no("invalid_body", format!("{path} is missing or of another type. Mend it."))
    };
    if server.has("trusts-the-envelope") {
        return Ok(());
    }
    let none = Json::Null;
    let context = body.get("context").unwrap_or(&none);
    let visitor = context.get("visitor").unwrap_or(&none);
    let whole = |json: Option<&Json>| matches!(json, Some(Json::Text(_, half)) if !half || server.has("takes-half-pairs"));
    if !whole(body.get("toolCallId")) {
        return bad("toolCallId");
    }
    let input = body.get("input").and_then(Json::members);
    let strict = !server.has("checks-no-types");
    if input.is_none() && (strict || body.get("input").is_none()) {
        return bad("input");
    }
    if context.members().is_none() {
        return bad("context");
    }
    if !whole(context.get("conversationId")) && (strict || context.get("conversationId").is_none()) {
        return bad("context.conversationId");
    }
    let risk = text(context.get("risk"), "context.risk").unwrap_or_default();
    let risks: &[&str] = if server.has("knows-three-risks") {
        &["low", "medium", "high"]
    } else {
        &["low", "medium", "reviewed", "high"]
    };
    if !risks.contains(&risk) && (strict || context.get("risk").is_none()) {
        return bad("context.risk");
    }
    if visitor.members().is_none() && (strict || context.get("visitor").is_none()) {
        return bad("context.visitor");
    }
    let verified = visitor.get("verified");
    let missing_is_false = server.has("verified-may-be-missing") && verified.is_none();
    if !matches!(verified, Some(Json::Bool(_))) && !missing_is_false && (strict || verified.is_none()) {
        return bad("context.visitor.verified");
    }
    let optional = [
        ("context.approvedBy", context),
        ("context.visitor.externalId", visitor),
        ("context.visitor.email", visitor),
        ("context.visitor.name", visitor),
    ];
    for (path, of) in optional {
        let name = path.rsplit('.').next().unwrap_or_default();
        let value = of.get(name);
        let good = match value {
            None => !(server.has("email-is-required") && name == "email"),
            Some(Json::Null) => !server.has("null-is-no-string"),
            Some(Json::Text(_, half)) => !(*half && server.has("half-a-name-fails")),
            Some(_) => !strict,
        };
        let odd = matches!(value, Some(Json::Text(text, _)) if !text.is_ascii());
        if !good || odd && name == "approvedBy" && server.has("ascii-teammates") {
            return bad(path);
        }
    }
    let odd_id = matches!(body.get("toolCallId"), Some(Json::Text(id, _)) if !id.starts_with("test_"));
    if odd_id && server.has("ids-have-a-form") {
        return bad("toolCallId");
    }
    let other = |json: &Json| json.count("later") > 0;
    if server.has("closed-context") && (other(context) || other(visitor)) {
        return bad("context.later");
    }
    let twice = |json: &Json, names: &[&str]| names.iter().any(|name| json.count(name) > 1);
    let again =
        input.unwrap_or_default().iter().any(|(name, _)| body.get("input").unwrap_or(&none).count(name) > 1);
    if (again || twice(body, &["toolCallId", "tool"]) || twice(visitor, &["verified"]))
        && !server.has("last-member-wins")
    {
        return no("invalid_body", "A member came twice. Send it once.");
    }
    Ok(())
}

fn check(server: &Server, tool: &Tool, input: &Json) -> Checked {
    let bad = |name: &str, what: &str| {
        let name = if server.has("names-no-field") { "A field" } else { name };
        let code = if server.has("input-is-a-body") { "invalid_body" } else { "invalid_input" };
        no(code, format!("{name} must be {what}. Mend it."))
    };
    let mut fields: Vec<_> = tool.fields.iter().collect();
    if server.has("checks-backwards") {
        fields.reverse();
    }
    for field in fields {
        let value = input.get(field.name);
        let absent = matches!(value, None | Some(Json::Null));
        if absent {
            let passes = value.is_none() && server.has("nothing-is-required")
                || value.is_some() && server.has("null-is-a-value");
            if field.required && !passes {
                return bad(field.name, "there");
            }
            if value.is_some() && server.has("null-is-wrong") {
                return bad(field.name, field.kind);
            }
            continue;
        }
        let fits = match (field.kind, value.unwrap_or(&Json::Null)) {
            ("string", Json::Text(_, half)) => !half || server.has("takes-half-pairs"),
            ("string", Json::Number(_) | Json::Bool(_)) => server.has("makes-strings"),
            ("number", Json::Number(number)) => {
                if !number.is_finite() && server.has("too-large-is-a-body") {
                    return no("invalid_body", "A number is too large. Mend it.");
                }
                number.is_finite() || matches!(server.fault, "takes-infinity" | "takes-nan")
            }
            ("number", Json::Text(text, _)) => server.has("makes-numbers") && text.parse::<f64>().is_ok(),
            ("boolean", Json::Bool(_)) => true,
            ("boolean", Json::Number(_) | Json::Text(..)) => server.has("makes-booleans"),
            ("choice", Json::Text(text, _)) => {
                let same = |choice: &&str| {
                    *choice == text
                        || server.has("choices-in-any-case") && choice.eq_ignore_ascii_case(text.trim())
                };
                ["standard", "express"].iter().any(same)
            }
            (_, Json::Object(_) | Json::List(_)) => server.has("takes-objects"),
            _ => false,
        };
        if !fits {
            return bad(field.name, field.kind);
        }
    }
    let more = |name: &str| match server.fault {
        "many-fields" => name.starts_with('f'),
        "odd-field-name" => name == "to-day",
        _ => false,
    };
    for (name, value) in input.members().unwrap_or_default().iter().filter(|(name, _)| more(name)) {
        if !matches!(value, Json::Bool(_) | Json::Null) {
            return bad(name, "boolean");
        }
    }
    let known = |name: &str| more(name) || tool.fields.iter().any(|field| field.name == name);
    let other = input.members().unwrap_or_default().iter().find(|(name, _)| !known(name));
    match other {
        Some((name, _)) if !server.has("drops-other-fields") => bad(name, "left out"),
        _ => Ok(()),
    }
}

/// A code's status.
fn status(code: &str) -> u16 {
    match code {
        "missing_signature" | "malformed_signature" | "stale_timestamp" | "invalid_signature" => 401,
        "method_not_allowed" => 405,
        "unknown_tool" | "not_found" => 404,
        "execution_failed" | "diagnostics_unsupported" => 200,
        _ => 400,
    }
}

impl Server {
    pub(crate) fn write(&self, request: &Request, answer: Answer) -> Response {
        let mut headers = Vec::new();
        let (code, body) = match answer {
            Ok(body) => ("", body),
            Err((code, message)) => (code, self.error(request, code, &message)),
        };
        let mut status = if code.is_empty() { 200 } else { status(code) };
        if code == "invalid_input" && self.has("invalid-input-is-422") {
            status = 422;
        }
        match code {
            "method_not_allowed" if is_identity(request) => headers.push(("allow", "GET".to_owned())),
            "method_not_allowed" if !self.has("no-allow") => {
                headers.push(("allow", "GET, POST".to_owned()));
            }
            _ => {}
        }
        if is_identity(request) && !self.has("identity-sniffable") {
            headers.push(("x-content-type-options", "nosniff".to_owned()));
        }
        if is_identity(request) && self.has("identity-for-every-origin") {
            headers.push(("access-control-allow-origin", "*".to_owned()));
        }
        let error = !code.is_empty();
        match self.fault {
            "errors-without-no-store" if error => {}
            _ => headers.push(("cache-control", "private, no-store".to_owned())),
        }
        if self.has("two-cache-headers") {
            headers.push(("cache-control", "private, no-store".to_owned()));
        }
        let html = error && self.has("errors-as-html");
        headers.push((
            "content-type",
            if html || self.has("text-plain") { "text/plain" } else { "application/json" }.to_owned(),
        ));
        if self.has("says-gzip") {
            headers.push(("content-encoding", "gzip".to_owned()));
        }
        let body = if html { "<h1>Not today</h1>".to_owned() } else { body };
        Response { status, headers, body: body.into_bytes() }
    }

    fn error(&self, request: &Request, code: &str, message: &str) -> String {
        let mut message = message.to_owned();
        match self.fault {
            "says-nothing" => message = String::new(),
            "shows-its-key" => message += " The key is median_key_conformance_tests_0123456789.",
            "shows-the-body" => write!(message, " {}", String::from_utf8_lossy(&request.body)).unwrap(),
            "shows-the-trace" => message += "\n    at handler (/app/node_modules/tools/index.js:7:3)",
            _ => {}
        }
        let code = if self.has("own-codes") && code == "missing_signature" { "unauthorized" } else { code };
        let message = serde_json::to_string(&message).unwrap();
        match self.fault {
            "flat-errors" => format!(r#"{{"code":"{code}","message":{message}}}"#),
            _ => format!(r#"{{"error":{{"code":"{code}","message":{message}}}}}"#),
        }
    }
}
