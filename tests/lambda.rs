//! What a Lambda function does beside the protocol, in AWS's own emulator: panics, deadlines, long answers, an end without
//! notice, the log; and the checker, over HTTP.

use std::process::Command;
use std::thread;
use std::time::Duration;

use median_edge::MedianKey;
use median_edge_conformance::Options;
use median_edge_conformance::http::Http;
use median_edge_tests::{
    Connection, Emulated, Environment, Lambda, MOUNT, Transport, assert_failed, call, called_now, local_key,
    now_ms, proved, result, signed_at,
};
use serde_json::{Value, json};

/// The cap on bodies.
const CAP: usize = 1_048_576;

/// The function of the tests; nothing where there is no emulator.
fn start() -> Option<Emulated> {
    start_with(&local_key())
}

fn start_with(environment: &Environment) -> Option<Emulated> {
    Some(of_the_tests()?.run(environment).unwrap())
}

fn of_the_tests() -> Option<Lambda> {
    let lambda = Lambda::of_the_tests();
    if lambda.is_none() {
        println!("left out: `cargo xtask test --only lambda` runs it");
    }
    lambda
}

#[test]
fn a_panic_ends_its_own_call_and_the_log_has_its_message() {
    let Some(function) = start() else { return };
    assert_eq!(result(&function, "count", &json!({})), 1);
    assert_failed(&function.send(&called_now("panic", &json!({}))).unwrap());
    assert_failed(&function.send(&called_now("panicLater", &json!({}))).unwrap());
    assert_eq!(result(&function, "count", &json!({})), 2, "it is the same process");
    let line = function.wait_for_log("the secret of the later panic");
    assert!(line.contains("ERROR") || line.contains("error"), "{line}");
}

#[test]
fn a_call_that_runs_out_of_the_invocations_time_is_cut_off_and_answered() {
    let Some(lambda) = of_the_tests() else { return };
    let function = lambda.timeout(2).run(&local_key()).unwrap();
    let answer = function.send(&called_now("wait", &json!({"ms": 60_000}))).unwrap();
    assert_failed(&answer);
    assert!(answer.message().contains("did not answer within 1."), "{}", answer.message());
    assert_eq!(result(&function, "count", &json!({})), 1, "it goes on");
}

#[test]
fn a_tool_that_keeps_the_thread_past_the_deadline_costs_the_process_and_the_next_call_is_served() {
    let Some(lambda) = of_the_tests() else { return };
    let function = lambda.timeout(1).run(&local_key()).unwrap();
    assert_eq!(result(&function, "count", &json!({})), 1);
    assert_eq!(function.send(&called_now("block", &json!({"ms": 20_000}))).unwrap().status, 502);
    assert_eq!(result(&function, "count", &json!({})), 1, "it is another process");
}

#[test]
fn a_process_that_ends_in_a_call_is_started_again_with_the_next() {
    let Some(function) = start() else { return };
    assert_eq!(result(&function, "count", &json!({})), 1);
    assert_eq!(function.send(&called_now("end", &json!({}))).unwrap().status, 502);
    assert_eq!(result(&function, "count", &json!({})), 1, "it is another process");
}

#[test]
fn a_process_that_is_killed_between_two_calls_is_started_again() {
    let Some(function) = start() else { return };
    assert_eq!(result(&function, "count", &json!({})), 1);
    let processes = function.functions();
    assert_eq!(processes.len(), 1, "{processes:?}");
    let killed = Command::new("kill").arg("-KILL").arg(processes[0].to_string()).status().unwrap();
    assert!(killed.success());
    // AWS tells the one who asks that it is gone, or starts it before it asks.
    let first = function.send(&called_now("count", &json!({}))).unwrap();
    assert!(first.status == 502 || first.json() == json!({"result": 1}), "{first:?}");
    let next = result(&function, "count", &json!({}));
    assert_eq!(next, if first.status == 502 { 1 } else { 2 }, "it is another process");
}

#[test]
fn an_answer_that_is_longer_than_lambda_carries_says_so() {
    let Some(function) = start() else { return };
    let most = 6_291_556;
    let fits = function.send(&called_now("long", &json!({"letters": most - 1_000}))).unwrap();
    assert_eq!((fits.status, fits.json()["result"].as_str().map(str::len)), (200, Some(most - 1_000)));
    let over = function.send(&called_now("long", &json!({"letters": most}))).unwrap();
    assert_failed(&over);
    assert!(over.message().contains("6291556"), "{}", over.message());
    assert_eq!(result(&function, "count", &json!({})), 1, "it goes on");
}

#[test]
fn a_body_at_the_cap_is_a_call_and_one_byte_more_is_not() {
    let Some(function) = start() else { return };
    let send = |size: usize| {
        let mut body = call("echo", &json!({"text": "x"}));
        body.resize(size, b' ');
        function.send(&signed_at(now_ms(), "POST", MOUNT, body)).unwrap()
    };
    assert_eq!(send(CAP).json(), json!({"result": "x"}));
    let over = send(CAP + 1);
    assert_eq!((over.status, over.code().as_deref()), (400, Some("invalid_body")));
    over.check_headers().unwrap();
}

#[test]
fn a_request_that_is_longer_than_lambda_carries_does_not_reach_the_function() {
    let Some(function) = start() else { return };
    let answer = function.send(&signed_at(now_ms(), "POST", MOUNT, vec![b' '; 7 * CAP])).unwrap();
    assert_eq!(answer.status, 413);
    assert_eq!(result(&function, "count", &json!({})), 1);
}

#[test]
fn a_body_has_its_bytes_whatever_its_type_says() {
    let Some(function) = start() else { return };
    let text = "caf\u{e9} \u{1f600} \u{0} \u{2028} \u{feff}";
    for content_type in ["application/json", "text/plain", "application/octet-stream", "image/png"] {
        let ask = called_now("echo", &json!({"text": text})).header("content-type", content_type);
        assert_eq!(function.send(&ask).unwrap().json(), json!({"result": text}), "{content_type}");
    }
}

#[test]
fn a_call_that_has_begun_goes_on_when_its_client_goes_away() {
    let Some(function) = start() else { return };
    let mut connection = Connection::open(function.address()).unwrap();
    connection.write(called_now("wait", &json!({"ms": 600})).bytes()).unwrap();
    thread::sleep(Duration::from_millis(200));
    drop(connection);
    let line = function.wait_for_log(r#""tool":"wait""#);
    assert!(line.contains(r#""ending":"result""#), "{line}");
}

#[test]
fn requests_at_once_are_served_each_by_an_environment_of_its_own() {
    let Some(lambda) = of_the_tests() else { return };
    let function = lambda.run_several(&local_key(), 4).unwrap();
    thread::scope(|scope| {
        for number in 0..16 {
            let function = &function;
            scope.spawn(move || {
                let text = format!("number {number}");
                assert_eq!(result(function, "echo", &json!({"text": text})), text.as_str());
                assert_eq!(result(function, "wait", &json!({"ms": 20})), 20);
            });
        }
    });
    let count = function.functions().len();
    assert!((1..=4).contains(&count), "{count} environments");
}

#[test]
fn a_start_without_a_usable_key_or_with_the_public_one_is_in_the_log() {
    let key = |value: &str| Environment::from([("MEDIAN_KEY".to_owned(), value.to_owned())]);
    for (environment, text, status) in [
        (Environment::new(), "MEDIAN_KEY is not set", 500),
        (key("median_pk_00"), "public half", 500),
        (local_key(), "public example key", 200),
    ] {
        let Some(function) = start_with(&environment) else { return };
        let answer = function.send(&called_now("echo", &json!({"text": "x"}))).unwrap();
        assert_eq!(answer.status, status, "{answer:?}");
        let line = function.wait_for_log(text);
        assert!(line.contains(r#""level":"ERROR""#), "{line}");
    }
}

#[test]
fn each_request_is_one_line_of_json_with_the_invocations_id() {
    let Some(function) = start() else { return };
    function.send(&called_now("echo", &json!({"text": "not in the log"}))).unwrap();
    let line = function.wait_for_log(r#""tool":"echo""#);
    let line: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["level"], "INFO");
    assert!(line["timestamp"].is_string() && line["requestId"].is_string(), "{line}");
    assert!(!line.to_string().contains("not in the log"));
}

#[test]
fn the_demo_answers_at_its_mount_path() {
    let Some(lambda) = Lambda::of("support-desk-lambda") else { return };
    let function = lambda.run(&local_key()).unwrap();
    let order = result(&function, "orderStatus", &json!({"orderNumber": "ORD-1042"}));
    // The visitor of the tests is not the customer of that order.
    assert_eq!(order["reason"], "no_such_order", "{order}");
}

#[test]
fn the_checker_finds_nothing_wrong_behind_a_function_url() {
    let Some(lambda) = Lambda::conformance() else { return };
    let key = "median_key_of_the_checker_0123456789";
    let environment = [("MEDIAN_KEY".to_owned(), key.to_owned())].into();
    let function = lambda.run_several(&environment, 4).unwrap();
    let http = Http::new(&format!("http://{}", function.address()), Duration::from_secs(20)).unwrap();
    let options = Options { call_low: true, time_limit: Duration::from_mins(10), ..Options::default() };
    let report = proved(&http, &MedianKey::parse(key).unwrap().tool_secret(), &options);
    let (passed, _, skipped) = report.counts();
    println!("{passed} requirements were proved, {skipped} skipped");
    assert!(passed > 130, "{passed} requirements were proved");
}
