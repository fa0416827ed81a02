//! Events, as each of AWS's fronts makes them and as none does, posted to AWS's emulator; and the checker, by events.

use std::path::Path;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use median_edge::MedianKey;
use median_edge_conformance::Options;
use median_edge_conformance::wire::{self, Feature, Trouble};
use median_edge_emulator::answer::Failure;
use median_edge_emulator::event::Encoding;
use median_edge_tests::{
    Answer, Ask, Emulated, Lambda, MOUNT, Report, called_now, local_key, now_ms, proved, signed_at,
};
use serde_json::{Value, json};

/// The events of `tests/lambda/events`, one for each front.
const FRONTS: [&str; 5] =
    ["function-url", "http-api", "rest-api", "load-balancer", "load-balancer-multi-value"];

/// The function of the tests; nothing where there is no emulator.
fn start() -> Option<Emulated> {
    let Some(lambda) = Lambda::of_the_tests() else {
        println!("left out: `cargo xtask test --only lambda` runs it");
        return None;
    };
    Some(lambda.run(&local_key()).unwrap())
}

/// A front's event of a request to the endpoint.
fn event(front: &str, ask: &Ask, is_base64: bool) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("lambda/events").join(format!("{front}.json"));
    let text = std::fs::read_to_string(file).unwrap();
    let signature = ask.headers.iter().find(|(name, _)| name == "median-signature");
    let signature = signature.map(|(_, value)| String::from_utf8_lossy(value)).unwrap_or_default();
    let body = ask
        .body
        .as_ref()
        .map(|body| if is_base64 { STANDARD.encode(body) } else { String::from_utf8(body.clone()).unwrap() });
    let length = ask.body.as_deref().unwrap_or_default().len();
    text.replace("\"@body\"", &json!(body).to_string())
        .replace("\"@base64\"", &(is_base64 && body.is_some()).to_string())
        .replace("@signature", &signature)
        .replace("@method", &ask.method)
        .replace("@length", &length.to_string())
        .replace("@path", &ask.target)
}

/// How often `count` was called in the function's process.
fn count(function: &Emulated) -> Value {
    let answer = function.post(&called_now("count", &json!({})), Encoding::ByType).unwrap();
    answer.json()["result"].clone()
}

#[test]
fn a_call_through_each_front_has_its_bytes_as_text_and_in_base64() {
    let Some(function) = start() else { return };
    let text = "caf\u{e9} \u{1f600} \u{2028} \"quoted\" \\ \u{7f}\r\n";
    let mut report = Report::default();
    for front in FRONTS {
        for is_base64 in [false, true] {
            let answer =
                function.answer(event(front, &called_now("echo", &json!({"text": text})), is_base64));
            let result = answer.and_then(|answer| {
                answer.check_headers().map_err(Failure::NoAnswer)?;
                Ok((answer.status, answer.json()))
            });
            let expected = Ok((200, json!({"result": text})));
            report.equal(format!("{front}, base64: {is_base64}"), &result, &expected);
        }
    }
    report.finish();
}

#[test]
fn the_manifest_and_refusals_come_through_each_front() {
    let Some(function) = start() else { return };
    let mut report = Report::default();
    for front in FRONTS {
        for (ask, status, code) in [
            (signed_at(now_ms(), "GET", MOUNT, ""), 200, None),
            (Ask::new("GET", MOUNT).header("median-signature", "hello"), 401, Some("malformed_signature")),
            (
                Ask::new("POST", MOUNT).header("median-signature", "hello").body("{}"),
                401,
                Some("malformed_signature"),
            ),
            (signed_at(now_ms() - 400_000, "GET", MOUNT, ""), 401, Some("stale_timestamp")),
            (signed_at(now_ms(), "DELETE", MOUNT, ""), 405, Some("method_not_allowed")),
            (signed_at(now_ms(), "GET", "/elsewhere", ""), 404, Some("not_found")),
        ] {
            let answer = function.answer(event(front, &ask, false));
            let found = answer.map(|answer| (answer.status, answer.code()));
            let what = format!("{front}: {} {}", ask.method, ask.target);
            report.equal(what, &found, &Ok((status, code.map(str::to_owned))));
        }
    }
    report.finish();
}

#[test]
fn a_body_that_a_front_altered_is_refused_with_what_it_was() {
    let Some(function) = start() else { return };
    let mut report = Report::default();
    for front in FRONTS {
        // What was signed is no UTF-8; what the front passed on has a replacement in its place.
        let sent = b"{\"tool\":\"echo\",\"x\":\"\xff\"}";
        let signature = signed_at(now_ms(), "POST", MOUNT, sent).headers.remove(0).1;
        let altered = Ask::new("POST", MOUNT).header("median-signature", signature);
        let altered = altered.body("{\"tool\":\"echo\",\"x\":\"\u{fffd}\"}");
        let answer = function.answer(event(front, &altered, false)).unwrap();
        report.equal(front, &answer.code().as_deref(), &Some("invalid_signature"));
        let told = answer.message().contains("U+FFFD");
        report.check(front, if told { Ok(()) } else { Err(answer.message()) });
    }
    report.finish();
}

/// Events that are HTTP requests, each odd in one way.
fn odd() -> Vec<(&'static str, Value)> {
    let ask = called_now("echo", &json!({"text": "x"}));
    let good: Value = serde_json::from_str(&event("function-url", &ask, false)).unwrap();
    let with = |pointer: &str, value: Value| {
        let mut odd = good.clone();
        *odd.pointer_mut(pointer).unwrap() = value;
        odd
    };
    let mut odd = Vec::new();
    for host in ["a b", "xn--a", "localhost:99999", "[::1", "", "\u{1f600}"] {
        odd.push(("a Host", with("/headers/host", json!(host))));
    }
    for proto in ["", "a b", "https,http", "\u{0}"] {
        odd.push(("an X-Forwarded-Proto", with("/headers/x-forwarded-proto", json!(proto))));
    }
    for query in ["\"", "<", " ", "\u{1}", "%", "%zz", "a=%ff&&=", "\u{1f600}"] {
        odd.push(("a query", with("/rawQueryString", json!(query))));
    }
    for path in
        ["", "no-slash", "@evil.example/x", "/../..", "/%2e%2e/%", "\\", "/ \u{0}\u{1f600}", "//", "*"]
    {
        odd.push(("a path", with("/rawPath", json!(path))));
    }
    for method in ["", "B R E W", "\u{1f600}", "post"] {
        odd.push(("a method", with("/requestContext/http/method", json!(method))));
    }
    odd.push(("no base64 that says it is", with("/isBase64Encoded", json!(true))));
    odd.push(("an unclear flag", with("/isBase64Encoded", Value::Null)));
    odd.push(("a flag that is none", with("/isBase64Encoded", json!("yes"))));
    odd.push(("a body that is an object", with("/body", json!({"tool": "echo"}))));
    odd.push(("a body that is null", with("/body", Value::Null)));
    odd.push(("headers that are null", with("/headers", Value::Null)));
    odd.push(("a header that is null", with("/headers/accept", Value::Null)));
    odd.push(("a header with a line in it", with("/headers/accept", json!("a\r\nb: c"))));
    odd.push(("a header that is a number", with("/headers/accept", json!(7))));
    odd.push(("an array of cookies with more than text", {
        let mut odd = good.clone();
        odd["cookies"] = json!([1, null, "a=1", {"b": 2}]);
        odd
    }));
    odd.push(("a header's name with a space", {
        let mut odd = good.clone();
        odd["headers"]["a b"] = json!("x");
        odd
    }));
    odd.push(("a context without a stage", with("/requestContext/stage", Value::Null)));
    odd
}

#[test]
fn no_odd_request_ends_the_process() {
    let Some(function) = start() else { return };
    assert_eq!(count(&function), 1);
    let mut report = Report::default();
    for (what, event) in odd() {
        let answer = function.answer(event.to_string());
        let told = format!("{what}: {answer:?}");
        let is_told = match answer {
            Ok(Answer { status, .. }) => (200..500).contains(&status),
            Err(Failure::Function(why)) => !why.to_lowercase().contains("panic") && !why.contains("exit"),
            Err(_) => false,
        };
        report.check(what, if is_told { Ok(()) } else { Err(told) });
    }
    report.equal("the process", &count(&function), &json!(2));
    report.finish();
}

#[test]
fn an_event_that_is_no_request_is_an_error_of_the_function_and_the_process_goes_on() {
    let Some(function) = start() else { return };
    assert_eq!(count(&function), 1);
    let queue = json!({"Records": [{"messageId": "1", "body": "x", "eventSource": "aws:sqs"}]});
    let surrogate = event("function-url", &called_now("echo", &json!({"text": "x"})), false);
    let surrogate = surrogate.replace("Median/1", r"\ud800");
    for event in [
        queue.to_string().as_str(),
        "{}",
        "[]",
        "null",
        "7",
        r#""text""#,
        r#"{"requestContext":{}}"#,
        r#"{"requestContext":{"http":null}}"#,
        &format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)),
    ] {
        let shown: String = event.chars().take(60).collect();
        let failure = function.answer(event).unwrap_err();
        assert!(matches!(failure, Failure::Function(_)), "{shown}: {failure:?}");
    }
    // In a member that nobody reads, half a character does no harm.
    let answer = function.answer(surrogate);
    assert!(matches!(&answer, Ok(Answer { status: 200, .. }) | Err(Failure::Function(_))), "{answer:?}");
    assert_eq!(count(&function), 2);
}

/// The conformance application, each request an event whose body is base64.
struct ByEvents(Emulated);

impl wire::Transport for ByEvents {
    fn target(&self) -> String {
        "a Lambda function, by events".to_owned()
    }

    fn cannot(&self, feature: Feature) -> Option<&'static str> {
        (feature == Feature::Wire).then_some("an event comes whole")
    }

    fn send(&self, ask: &wire::Ask) -> Result<wire::Answer, Trouble> {
        let started = Instant::now();
        let target =
            if ask.suffix.starts_with('/') { ask.suffix.clone() } else { format!("/{}", ask.suffix) };
        let posted = Ask { method: ask.method.clone(), target, headers: ask.headers.clone(), body: None };
        let posted = posted.body(ask.body.clone());
        let answer = self.0.post(&posted, Encoding::Base64).map_err(Trouble::NotHttp)?;
        let Answer { status, headers, body } = answer;
        Ok(wire::Answer { status, headers, body, took: started.elapsed() })
    }
}

#[test]
fn the_checker_finds_nothing_wrong_by_events() {
    let Some(lambda) = Lambda::conformance() else { return };
    let key = "median_key_of_the_checker_0123456789";
    let environment = [("MEDIAN_KEY".to_owned(), key.to_owned())].into();
    let function = ByEvents(lambda.run(&environment).unwrap());
    let options = Options { call_low: true, time_limit: Duration::from_mins(10), ..Options::default() };
    let report = proved(&function, &MedianKey::parse(key).unwrap().tool_secret(), &options);
    let (passed, _, skipped) = report.counts();
    println!("{passed} requirements were proved, {skipped} skipped");
    assert!(passed > 120, "{passed} requirements were proved");
}
