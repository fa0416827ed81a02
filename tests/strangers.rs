//! Strangers, who hold no key, and pages in the browser of somebody who develops: what they can not take from those who do
//! hold one.

use std::thread;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use median_edge::{Keys, MedianKey};
use median_edge_tests::{
    Answer, Ask, Connection, MOUNT, Report, Served, Transport, Workshop, called, signed,
};
use serde_json::json;

/// The cap on bodies.
const CAP: usize = 1_048_576;

/// A signature as anyone can write it.
const FORGED: &str = "median-signature: t=1790000000000,v1=0000000000000000000000000000000000000000000000000000000000000000\r\n";

/// Begins a request whose body is still to come.
fn begin(server: &Served, lines: &str) -> Connection {
    let mut connection = Connection::open(server.address()).unwrap();
    connection.write(format!("POST {MOUNT} HTTP/1.1\r\nhost: localhost\r\n{lines}\r\n")).unwrap();
    connection
}

fn serves(server: &Served) {
    let answer = server.send(&called("echo", &json!({"text": "x"}))).unwrap();
    assert_eq!(answer.json(), json!({"result": "x"}));
}

fn is(answer: &Answer, status: u16, code: &str) {
    assert_eq!((answer.status, answer.code().as_deref()), (status, Some(code)), "{answer:?}");
    answer.check_headers().unwrap();
}

#[test]
fn an_unsigned_call_is_refused_before_its_body_is_there() {
    let server = Served::start(Workshop::default().server());
    for length in [0, 10, CAP] {
        let mut stranger = begin(&server, &format!("content-length: {length}\r\n"));
        is(&stranger.answer_to("POST").unwrap(), 401, "missing_signature");
    }
    let mut twice = begin(&server, &format!("{FORGED}{FORGED}content-length: 10\r\n"));
    is(&twice.answer_to("POST").unwrap(), 401, "malformed_signature");
}

#[test]
fn an_unsigned_body_over_the_cap_is_refused_for_its_size() {
    let server = Served::start(Workshop::default().server());
    let mut stranger = begin(&server, &format!("content-length: {}\r\n", CAP + 1));
    is(&stranger.answer_to("POST").unwrap(), 400, "invalid_body");

    let mut stranger = begin(&server, "transfer-encoding: chunked\r\n");
    let chunk = [b"10000\r\n".as_slice(), &vec![b' '; 0x10000], b"\r\n"].concat();
    let _ = (0..17).try_for_each(|_| stranger.write(&chunk));
    is(&stranger.answer_to("POST").unwrap(), 400, "invalid_body");
}

#[test]
fn a_connection_goes_on_after_an_unsigned_call() {
    let server = Served::start(Workshop::default().server());
    let mut connection = Connection::open(server.address()).unwrap();
    for size in [0, 10, 100_000] {
        let unsigned = Ask::new("POST", MOUNT).body(vec![b'x'; size]);
        is(&connection.send(&unsigned).unwrap(), 401, "missing_signature");
        let answer = connection.send(&called("echo", &json!({"text": "next"}))).unwrap();
        assert_eq!(answer.json(), json!({"result": "next"}), "after {size} bytes");
    }
}

#[test]
fn strangers_who_send_no_body_do_not_keep_calls_out() {
    let server = Served::start(Workshop::default().server().max_calls(4));
    for lines in [
        "content-length: 10\r\n".to_owned(),
        "transfer-encoding: chunked\r\n".to_owned(),
        format!("{FORGED}content-length: 10\r\n"),
        format!("{FORGED}transfer-encoding: chunked\r\n"),
    ] {
        let strangers: Vec<_> = (0..8).map(|_| begin(&server, &lines)).collect();
        // Time for the server to have them all in hand.
        thread::sleep(Duration::from_millis(100));
        serves(&server);
        drop(strangers);
    }
}

#[test]
fn bodies_that_do_not_come_to_their_end_give_way_to_those_that_do() {
    // There is room for as many bodies as calls: for one.
    let server = Served::start(Workshop::default().server().max_calls(1));
    let stalled = || {
        let mut stranger = begin(&server, &format!("{FORGED}content-length: {CAP}\r\n"));
        stranger.write(vec![b' '; CAP / 3 * 2]).unwrap();
        stranger
    };
    // With the second, the room is not enough for both, and neither is it with the call.
    let mut strangers = [stalled(), stalled()];
    let large = called("echo", &json!({"text": "x".repeat(CAP / 3 * 2)}));
    assert_eq!(server.send(&large).unwrap().status, 200);
    for stranger in &mut strangers {
        is(&stranger.answer_to("POST").unwrap(), 503, "overloaded");
    }
}

#[test]
fn strangers_who_take_every_connection_give_way() {
    let server = Served::start(Workshop::default().server().max_connections(2));
    for lines in [
        "content-length: 10\r\n".to_owned(),
        format!("{FORGED}content-length: 10\r\n"),
        format!("{FORGED}transfer-encoding: chunked\r\n"),
    ] {
        let strangers: Vec<_> = (0..4).map(|_| begin(&server, &lines)).collect();
        serves(&server);
        drop(strangers);
    }
}

/// A request of a browser: to a host, maybe from a page of an origin.
fn of_browser(ask: &Ask, host: &str, origin: Option<&str>) -> Vec<u8> {
    let mut lines = format!("host: {host}\r\n");
    if let Some(origin) = origin {
        lines = format!("{lines}origin: {origin}\r\n");
    }
    let head = String::from_utf8(ask.bytes()).unwrap();
    head.replacen("host: localhost\r\n", &lines, 1).into_bytes()
}

fn answer_to_browser(server: &Served, ask: &Ask, host: &str, origin: Option<&str>) -> Answer {
    let mut connection = Connection::open(server.address()).unwrap();
    connection.write(of_browser(ask, host, origin)).unwrap();
    connection.answer_to(&ask.method).unwrap()
}

/// What a server and a router answer, each asked by these names.
fn each(report: &mut Report, hosts: &[(&str, Option<&str>)], status: u16) {
    let server = Served::start(Workshop::default().server());
    let router = Served::routes(Workshop::default().server().into_router());
    for (host, origin) in hosts {
        for ask in [called("echo", &json!({"text": "x"})), signed("GET", MOUNT, "")] {
            for (name, served) in [("server", &server), ("router", &router)] {
                let answer = answer_to_browser(served, &ask, host, *origin);
                let what = format!("{name}: {} with {host}, {origin:?}", ask.method);
                report.equal(&what, &answer.status, &status);
                report.check(&what, answer.check_headers());
            }
        }
        let answer = answer_to_browser(&server, &Ask::new("GET", "/healthz"), host, *origin);
        report.equal(format!("health with {host}, {origin:?}"), &answer.status, &status);
    }
}

#[test]
fn a_server_with_the_public_key_answers_to_the_names_of_its_own_machine() {
    let mut report = Report::default();
    let hosts = [
        ("localhost", None),
        ("LocalHost:7420", None),
        ("127.0.0.1", None),
        ("127.9.9.9:80", None),
        ("[::1]", None),
        ("[::1]:7420", None),
        ("[::ffff:127.0.0.1]:1", None),
        ("localhost:7420", Some("http://localhost:3000")),
        ("127.0.0.1:7420", Some("https://127.0.0.1")),
        ("127.0.0.1:7420", Some("http://[::1]:5173")),
    ];
    each(&mut report, &hosts, 200);
    report.finish();
}

#[test]
fn a_server_with_the_public_key_answers_to_no_other_name() {
    let mut report = Report::default();
    let hosts = [
        ("evil.example", None),
        ("evil.example:7420", Some("http://evil.example:7420")),
        ("localhost.evil.example", None),
        ("evil.example@localhost", None),
        ("localhost:80@evil.example", None),
        ("127.0.0.1.evil.example", None),
        ("192.168.0.1", None),
        ("0.0.0.0:7420", None),
        ("[::]:7420", None),
        ("[::1].evil.example", None),
        ("[::1", None),
        ("", None),
        ("localhost\r\nhost: evil.example", None),
        ("localhost:7420", Some("http://evil.example")),
        ("localhost:7420", Some("null")),
        ("localhost:7420", Some("http://localhost.evil.example")),
        ("localhost:7420", Some("")),
    ];
    each(&mut report, &hosts, 404);
    report.finish();
}

#[test]
fn who_asks_by_another_name_is_told_why_and_what_to_do() {
    let server = Served::start(Workshop::default().server());
    let answer = answer_to_browser(&server, &signed("GET", MOUNT, ""), "shop.example", None);
    is(&answer, 404, "not_found");
    for part in ["public example key", "MEDIAN_KEY", "127.0.0.1"] {
        assert!(answer.message().contains(part), "{}", answer.message());
    }
}

#[test]
fn a_server_with_a_key_of_its_own_answers_to_every_name() {
    let key = MedianKey::parse("median_key_other_1111111111111111111111111111").unwrap();
    let server = Served::start(Workshop::default().server().keys(Keys::new(key)));
    let answer = answer_to_browser(&server, &Ask::new("GET", "/healthz"), "shop.example", Some("null"));
    assert_eq!(answer.status, 200);
    let answer = answer_to_browser(&server, &Ask::new("GET", MOUNT), "shop.example", None);
    is(&answer, 401, "missing_signature");
}

#[test]
fn the_applications_own_routes_have_the_names_that_they_like() {
    let site = Router::new().route("/", get(async || "the shop"));
    let server = Served::start(Workshop::default().server().fallback(site));
    let mut connection = Connection::open(server.address()).unwrap();
    connection.write(of_browser(&Ask::new("GET", "/"), "shop.example", None)).unwrap();
    assert_eq!(connection.answer_to("GET").unwrap().body, b"the shop");
}
