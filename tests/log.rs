//! What the local host writes for each event, and where.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, mpsc};

use median_edge::{Endpoint, Keys, MedianKey, Method, Platform, Request};
use median_edge_local::{LocalHost, LogFormat};
use median_edge_tests::{Ask, MOUNT, Served, Transport, Workshop, block_on, call, called, signed, workshop};
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

/// Paper that nobody hands over: each line waits until the test lets it be written, as a pipe does whose reader has stopped
/// reading. Once the test has dropped its end, everything is written.
struct Stuck(Paper, mpsc::Receiver<()>);

impl Write for Stuck {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.1.recv();
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
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
    // What a host has still to write, it writes before it goes.
    drop(host);
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
    let ask = signed("POST", MOUNT, call("a\nb\u{1b}[31m", &json!({})));
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
        drop(host);
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
    drop(host);
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

#[test]
fn a_log_that_nobody_reads_does_not_stop_the_server() {
    let (let_go, held) = mpsc::channel();
    let paper = Paper::default();
    let host = LocalHost::logging_to(Stuck(paper.clone(), held), LogFormat::Json);
    let server = Served::start(Workshop::default().server().host(host));
    // Dropped before the server, also when this test fails.
    let let_go = let_go;
    // More at a time than the server has threads, and each of them logs.
    let asked: Vec<_> = (0..4)
        .map(|_| {
            let http = server.http();
            std::thread::spawn(move || http.send(&called("echo", &json!({"text": "x"}))))
        })
        .collect();
    for answer in asked {
        assert_eq!(answer.join().unwrap().unwrap().status, 200);
    }
    assert_eq!(paper.text(), "");
    drop(let_go);
    drop(server);
    assert_eq!(paper.text().matches(r#""tool":"echo""#).count(), 4, "{}", paper.text());
}

#[test]
fn lines_that_nobody_takes_in_time_are_dropped_and_counted() {
    let (let_go, held) = mpsc::channel();
    let paper = Paper::default();
    let host = LocalHost::logging_to(Stuck(paper.clone(), held), LogFormat::Json);
    let endpoint = workshop(&Workshop::default()).build().unwrap();
    let keys = Keys::new(MedianKey::local());
    let asked = 10_000;
    for _ in 0..asked {
        answer(&host, &endpoint, &keys, signed("GET", MOUNT, ""));
    }
    drop(let_go);
    drop(host);
    let text = paper.text();
    let written = text.lines().filter(|line| line.contains("manifest")).count();
    let told: Vec<Value> = text
        .lines()
        .filter(|line| line.contains("dropped"))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(written < asked && told.len() == 1, "{written} lines were written; {told:?}");
    let message = format!("{} lines of this log were dropped: nobody took them in time", asked - written);
    assert_eq!((&told[0]["level"], &told[0]["message"]), (&"error".into(), &message.into()));
}

#[test]
fn a_json_log_holds_nothing_that_a_terminal_or_a_reader_of_lines_acts_on() {
    let id = "\u{9b}2J\u{7f}\u{85}\u{2028}\u{2029}\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}é😀";
    let body = call("echo", &json!({"text": "x"}));
    let body = String::from_utf8(body).unwrap().replace("conversation_1", id);
    let text = logged(LogFormat::Json, signed("POST", MOUNT, body));
    assert_eq!(json_of(&text)["conversation_id"], id);
    for c in id.chars().filter(|c| !c.is_alphanumeric() && !matches!(c, '😀')) {
        assert!(!text.contains(c), "{}: {text}", c.escape_unicode());
    }
    assert!(text.contains("é😀") && text.contains(r"\u009b2J\u007f\u0085\u2028"), "{text}");
}

#[test]
fn a_router_with_the_public_key_says_so_once() {
    let paper = Paper::default();
    let host = LocalHost::logging_to(paper.clone(), LogFormat::Json);
    let server = Served::routes(Workshop::default().server().host(host).into_router());
    for _ in 0..2 {
        assert_eq!(server.send(&signed("GET", MOUNT, "")).unwrap().status, 200);
    }
    drop(server);
    let text = paper.text();
    let told: Vec<&str> = text.lines().filter(|line| line.contains("public example key")).collect();
    assert!(told.len() == 1 && told[0].contains(r#""level":"error""#), "{text}");
}

#[test]
fn a_router_with_a_key_of_its_own_says_nothing() {
    let paper = Paper::default();
    let host = LocalHost::logging_to(paper.clone(), LogFormat::Json);
    let key = MedianKey::parse("median_key_other_1111111111111111111111111111").unwrap();
    drop(Workshop::default().server().keys(Keys::new(key)).host(host).into_router());
    assert_eq!(paper.text(), "");
}
