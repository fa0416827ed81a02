//! What the local host writes for each event, and where.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use median_edge::{Endpoint, Keys, MedianKey, Method, Platform, Request};
use median_edge_local::{LocalHost, LogFormat};
use median_edge_tests::{Ask, MOUNT, Workshop, block_on, called, signed, workshop};
use serde_json::{Value, json};

/// What was written, to look at afterwards.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Paper {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A place where nothing can be written.
struct Full;

impl Write for Full {
    fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::StorageFull.into())
    }
}

fn answer(host: &LocalHost, endpoint: &Endpoint<Workshop>, keys: &Keys, ask: Ask) -> u16 {
    let mut request = Request::new(Method::parse(&ask.method), ask.target);
    for (name, value) in ask.headers {
        request = request.header(name, value);
    }
    let request = request.body(ask.body.unwrap_or_default());
    let state = Workshop::default();
    block_on(endpoint.answer(&Platform::new(host, keys, &state), &request)).status()
}

/// What is logged of one request.
fn logged(format: LogFormat, ask: Ask) -> String {
    let paper = Paper::default();
    let host = LocalHost::logging_to(paper.clone(), format);
    let endpoint = workshop(&Workshop::default()).build().unwrap();
    answer(&host, &endpoint, &Keys::new(MedianKey::local()), ask);
    paper.text()
}

fn json_of(text: &str) -> Value {
    assert_eq!(text.matches('\n').count(), 1, "{text}");
    serde_json::from_str(text).unwrap()
}

#[test]
fn text_is_a_time_a_level_and_the_event() {
    let text = logged(LogFormat::Text, called("echo", &json!({"text": "x"})));
    let (time, rest) = text.split_once(' ').unwrap();
    assert_eq!(
        (time.len(), &time[10..11], &time[23..]),
        ("2026-11-30T00:00:00.000Z".len(), "T", "Z"),
        "{text}"
    );
    assert!(rest.starts_with("info  echo 200 result in "), "{text}");
    assert!(rest.ends_with(", conversation conversation_1\n"), "{text}");
}

#[test]
fn a_line_break_in_what_came_from_outside_is_no_line_break_of_the_log() {
    let ask = signed("POST", MOUNT, median_edge_tests::call("a\nb\u{1b}[31m", &json!({})));
    let text = logged(LogFormat::Text, ask.clone());
    assert_eq!(text.matches('\n').count(), 1, "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
    json_of(&logged(LogFormat::Json, ask));
}

#[test]
fn json_is_the_default_where_there_is_no_terminal_and_off_is_off() {
    let json = json_of(&logged(LogFormat::Auto, signed("GET", MOUNT, "")));
    assert_eq!(
        (&json["level"], &json["asked"], &json["status"]),
        (&"info".into(), &"manifest".into(), &200.into())
    );
    assert_eq!(logged(LogFormat::Off, signed("GET", MOUNT, "")), "");
}

#[test]
fn a_level_says_who_has_to_see_to_it() {
    for (ask, level) in [
        (called("echo", &json!({"text": "x"})), "info"),
        (called("refuse", &json!({})), "info"),
        (called("fail", &json!({})), "error"),
        (called("panic", &json!({})), "error"),
        (called("echo", &json!({})), "warn"),
        (Ask::new("GET", MOUNT), "warn"),
        (called("echo", &json!({"text": "x".repeat(5000)})), "warn"),
    ] {
        let json = json_of(&logged(LogFormat::Json, ask));
        assert_eq!(json["level"], level, "{json}");
    }
}

#[test]
fn a_missing_key_is_an_error_and_a_previous_one_a_warning() {
    let endpoint = workshop(&Workshop::default()).build().unwrap();
    let other = MedianKey::parse("median_key_other_1111111111111111111111111111").unwrap();
    for (keys, status, level) in
        [(Keys::missing(), 500, "error"), (Keys::new(other).accepting(&MedianKey::local()), 200, "warn")]
    {
        let paper = Paper::default();
        let host = LocalHost::logging_to(paper.clone(), LogFormat::Json);
        assert_eq!(answer(&host, &endpoint, &keys, signed("GET", MOUNT, "")), status);
        assert_eq!(json_of(&paper.text())["level"], level);
    }
}

#[test]
fn input_and_result_are_logged_only_where_the_endpoint_says_so() {
    let ask = called("echo", &json!({"text": "of the customer"}));
    assert!(!logged(LogFormat::Json, ask.clone()).contains("of the customer"));
    let paper = Paper::default();
    let host = LocalHost::logging_to(paper.clone(), LogFormat::Json);
    let endpoint = workshop(&Workshop::default()).observe_payloads(true).build().unwrap();
    answer(&host, &endpoint, &Keys::new(MedianKey::local()), ask);
    let json = json_of(&paper.text());
    assert_eq!(json["input"], r#"{"text":"of the customer"}"#);
    assert_eq!(json["result"], r#""of the customer""#);
}

#[test]
fn a_log_that_can_not_be_written_costs_no_answer() {
    let endpoint = workshop(&Workshop::default()).build().unwrap();
    let host = LocalHost::logging_to(Full, LogFormat::Json);
    let keys = Keys::new(MedianKey::local());
    assert_eq!(answer(&host, &endpoint, &keys, signed("GET", MOUNT, "")), 200);
}
