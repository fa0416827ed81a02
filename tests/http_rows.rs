//! Each row of the tables in `docs/protocol.md`: which request gets which answer, and each code its status.

use median_edge::key::LOCAL_KEY;
use median_edge::{Code, Endpoint, Fault, Keys, MedianKey, Response};
use median_edge_local::{LogFormat, Server};
use median_edge_tests::{
    Answer, Ask, MOUNT, NOW_MS, Report, Served, Transport, Workshop, call, called, local_key, runtimes,
    signed, signed_at, workshop,
};
use serde_json::json;

/// What is sent, and what is answered: a status, and the code of an error.
type Row = (&'static str, Ask, u16, Option<&'static str>);

fn ping() -> Vec<u8> {
    call("ping", &json!({}))
}

fn with_op(op: &str) -> Ask {
    signed("POST", "/", format!(r#"{{"op":{op}}}"#))
}

/// The rows that need no more than the conformance application, which every runtime has.
fn rows() -> Vec<Row> {
    let zeros = format!("t={NOW_MS},v1={}", "0".repeat(64));
    let mut rows = vec![
        ("a signed GET", signed("GET", "/", ""), 200, None),
        ("a signed GET with a body", signed("GET", "/", "").body("ignored"), 200, None),
        ("an unsigned GET", Ask::new("GET", "/"), 401, Some("missing_signature")),
        (
            "a GET with the key as its bearer, and no platform to connect to",
            Ask::new("GET", "/")
                .header("authorization", "Bearer median_key_local_0000000000000000000000000000"),
            502,
            Some("connect_failed"),
        ),
        (
            "a GET with another bearer",
            Ask::new("GET", "/").header("authorization", "Bearer x"),
            401,
            Some("invalid_signature"),
        ),
        ("a POST with a tool", signed("POST", "/", ping()), 200, None),
        ("a POST without a content-type", signed("POST", "/", ping()), 200, None),
        (
            "a POST with another content-type",
            signed("POST", "/", ping()).header("content-type", "text/plain"),
            200,
            None,
        ),
        ("diagnostics", with_op(r#""diagnostics""#), 200, Some("diagnostics_unsupported")),
        ("another op", with_op(r#""restart""#), 400, Some("unknown_op")),
        ("an op that is no string", with_op("1"), 400, Some("invalid_body")),
        ("an op that is null", with_op("null"), 400, Some("invalid_body")),
        ("an op beside a tool", with_op(r#""diagnostics","tool":"ping""#), 400, Some("invalid_body")),
        ("neither a tool nor an op", signed("POST", "/", "{}"), 400, Some("invalid_body")),
        ("no JSON", signed("POST", "/", "ping"), 400, Some("invalid_body")),
        ("an empty body", signed("POST", "/", ""), 400, Some("invalid_body")),
        (
            "a compressed body",
            signed("POST", "/", ping()).header("content-encoding", "gzip"),
            400,
            Some("invalid_body"),
        ),
        (
            "a body that is said to be as it is",
            signed("POST", "/", ping()).header("content-encoding", "identity"),
            200,
            None,
        ),
        ("a body over the cap", signed("POST", "/", vec![b' '; 1_048_577]), 400, Some("invalid_body")),
        (
            "an input that does not fit",
            signed("POST", "/", call("orderStatus", &json!({"orderNumber": 7}))),
            400,
            Some("invalid_input"),
        ),
        (
            "a tool that is not here",
            signed("POST", "/", call("other", &json!({}))),
            404,
            Some("unknown_tool"),
        ),
        ("an unsigned POST", Ask::new("POST", "/").body(ping()), 401, Some("missing_signature")),
        (
            "a signature that is none",
            Ask::new("POST", "/").header("median-signature", "hello").body(ping()),
            401,
            Some("malformed_signature"),
        ),
        (
            "two signatures",
            signed("GET", "/", "").header("median-signature", &zeros),
            401,
            Some("malformed_signature"),
        ),
        ("an old signature", signed_at(NOW_MS - 300_001, "GET", "/", ""), 401, Some("stale_timestamp")),
        ("the oldest signature", signed_at(NOW_MS - 300_000, "GET", "/", ""), 200, None),
        (
            "another signature",
            Ask::new("GET", "/").header("median-signature", &zeros),
            401,
            Some("invalid_signature"),
        ),
    ];
    // A method comes before everything else, a body and a signature too.
    for method in ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "BREW", "get", "Post"] {
        rows.push(("another method", signed(method, "/", ping()), 405, Some("method_not_allowed")));
    }
    rows
}

fn check(ask: &Ask, answer: &Answer, status: u16, code: Option<&str>) -> Result<(), String> {
    answer.check_headers()?;
    if ask.method == "HEAD" {
        return if answer.status == status { Ok(()) } else { Err(format!("answers {}", answer.status)) };
    }
    if answer.status == status && answer.code().as_deref() == code && answer.json().is_object() {
        Ok(())
    } else {
        Err(format!("answers {} {}, not {status} {code:?}", answer.status, answer.json()))
    }
}

#[test]
fn every_request_gets_the_answer_of_its_row() {
    let mut report = Report::default();
    for runtime in runtimes() {
        let transport = runtime.start(&local_key(), NOW_MS).unwrap();
        for (what, ask, status, code) in rows() {
            if runtime.keeps(&ask).is_some() {
                continue;
            }
            let what = format!("{what} ({}) on {}", ask.method, runtime.name());
            let answer = transport.send(&ask);
            report.check(what, answer.and_then(|answer| check(&ask, &answer, status, code)));
        }
    }
    report.finish();
}

#[test]
fn every_code_is_answered_over_http_with_its_status_and_headers() {
    let workshop = Workshop::default();
    let server = Served::start(workshop.server());
    let busy = Served::start(workshop.server().max_calls(0));
    let no_key = Served::routes(workshop.server().keys(Keys::missing()).into_router());
    let bad_key = Keys::from_lookup(|name| (name == "MEDIAN_KEY").then(|| "median_pk_00".to_owned()));
    let bad_key = Served::routes(workshop.server().keys(bad_key).into_router());
    let zeros = format!("t={NOW_MS},v1={}", "0".repeat(64));
    let get = Ask::new("GET", MOUNT);

    let mut report = Report::default();
    for code in Code::ALL {
        let (server, ask) = match code {
            Code::MissingSignature => (&server, get.clone()),
            Code::MalformedSignature => (&server, get.clone().header("median-signature", "")),
            Code::StaleTimestamp => (&server, signed_at(0, "GET", MOUNT, "")),
            Code::InvalidSignature => (&server, get.clone().header("median-signature", &zeros)),
            Code::MethodNotAllowed => (&server, Ask::new("OPTIONS", MOUNT)),
            Code::MissingSecret => (&no_key, signed("GET", MOUNT, "")),
            Code::InvalidMedianKey => (&bad_key, signed("GET", MOUNT, "")),
            Code::InvalidBody => (&server, signed("POST", MOUNT, "[]")),
            Code::UnknownOp => (&server, signed("POST", MOUNT, r#"{"op":"x"}"#)),
            Code::InvalidInput => (&server, called("echo", &json!({}))),
            Code::UnknownTool => (&server, called("other", &json!({}))),
            Code::ExecutionFailed => (&server, called("fail", &json!({}))),
            Code::DiagnosticsUnsupported => (&server, signed("POST", MOUNT, r#"{"op":"diagnostics"}"#)),
            Code::NotFound => (&server, signed("GET", "/elsewhere", "")),
            Code::Overloaded => (&busy, called("echo", &json!({"text": "x"}))),
            Code::ConnectFailed => {
                (&server, get.clone().header("authorization", format!("Bearer {LOCAL_KEY}")))
            }
            // The identity has headers of its own, and tests. And a server of ours does not start with an endpoint that
            // could not be built.
            Code::IdentityFailed | Code::InvalidConfig => continue,
        };
        let answer = server.send(&ask).unwrap();
        report.check(code, check(&ask, &answer, code.status(), Some(code.as_str())));
        let message = answer.message();
        report.check(code, if message.len() > 20 { Ok(()) } else { Err(format!("says {message:?}")) });
        // Nothing but the error is in an error, and it is written as the core writes it.
        let written = Response::from(&Fault::new(*code, message)).into_body();
        report.equal(code, &answer.body, &written);
    }
    report.finish();
}

#[test]
fn an_answer_has_the_protocols_headers_a_length_and_a_date_and_no_others() {
    let server = Served::start(Workshop::default().server());
    for ask in [signed("GET", MOUNT, ""), Ask::new("GET", MOUNT), Ask::new("GET", "/healthz")] {
        let answer = server.send(&ask).unwrap();
        let mut names: Vec<&str> = answer.headers.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["cache-control", "content-length", "content-type", "date"]);
    }
}

#[test]
fn someone_with_a_browser_reads_what_the_address_is_and_how_to_connect_it() {
    let server = Served::start(Workshop::default().server());
    let message = server.send(&Ask::new("GET", MOUNT)).unwrap().message();
    assert!(message.contains("tool endpoint") && message.contains("connect"), "{message}");
}

#[test]
fn diagnostics_are_the_functions_result() {
    let state = Workshop::default();
    let endpoint: Endpoint<Workshop> = workshop(&state)
        .diagnostics(async |workshop: &Workshop| median_edge::ToolResult::Ok(workshop.finished()))
        .build()
        .unwrap();
    let keys = Keys::new(MedianKey::local());
    let server = Served::start(Server::new(endpoint, state).keys(keys).log(LogFormat::Off));
    let answer = server.send(&signed("POST", MOUNT, r#"{"op":"diagnostics"}"#)).unwrap();
    assert_eq!(answer.json(), json!({"result": 0}));
    assert_eq!(server.send(&signed("GET", MOUNT, "")).unwrap().json()["diagnostics"], true);
}

#[test]
fn health_is_answered_by_any_method_without_a_signature() {
    let server = Served::start(Workshop::default().server());
    for method in ["GET", "POST"] {
        let answer = server.send(&Ask::new(method, "/healthz")).unwrap();
        assert_eq!((answer.status, answer.json()), (200, json!({"ok": true})), "{method}");
        answer.check_headers().unwrap();
    }
}
