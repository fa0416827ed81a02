//! Calls in flight: clients that go away, servers that stop, limits on how many and how long.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use median_edge_tests::{Connection, MOUNT, Served, Transport, Workshop, called, signed};
use serde_json::json;

/// Sends a call of `hold` and does not wait for its answer.
fn hold(address: SocketAddr) -> Connection {
    let mut connection = Connection::open(address).unwrap();
    connection.write(called("hold", &json!({})).bytes()).unwrap();
    connection
}

/// Sends a call of `block` and does not wait for its answer.
fn block(address: SocketAddr) -> Connection {
    let mut connection = Connection::open(address).unwrap();
    connection.write(called("block", &json!({})).bytes()).unwrap();
    connection
}

/// Lets every call go after a while, so that a server that waits for them fails a test and does not hang it.
fn let_go_later(workshop: &Workshop) {
    let workshop = workshop.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_secs(15));
        workshop.let_go(100);
    });
}

/// Sends a call of `hold`, and goes away while it runs: by closing the connection, or by resetting it.
fn hold_and_go(workshop: &Workshop, address: SocketAddr, reset: bool) {
    let mut connection = Connection::open(address).unwrap();
    let events = workshop.events().len();
    if reset {
        // What is closed with an answer that was never read is reset.
        connection.write(signed("GET", MOUNT, "").bytes()).unwrap();
        workshop.wait_until("the first request is answered", |workshop| workshop.events().len() > events);
    }
    let started = workshop.started();
    connection.write(called("hold", &json!({})).bytes()).unwrap();
    workshop.wait_until("the call begins", |workshop| workshop.started() > started);
    drop(connection);
    // Long enough for the server to see that nobody is there any more.
    thread::sleep(Duration::from_millis(100));
}

#[test]
fn a_call_comes_to_its_end_when_its_client_goes_away() {
    let workshop = Workshop::default();
    let server = Served::start(workshop.server());
    hold_and_go(&workshop, server.address(), false);
    workshop.let_go(1);
    workshop.wait_until("the call ends", |workshop| workshop.finished() == 1);
    workshop.wait_until("its event is there", |workshop| workshop.events().len() == 1);
    assert!(workshop.events()[0].starts_with("hold 200 result"), "{:?}", workshop.events());
}

#[test]
fn a_call_comes_to_its_end_when_its_connection_is_reset() {
    let workshop = Workshop::default();
    let server = Served::start(workshop.server());
    hold_and_go(&workshop, server.address(), true);
    workshop.let_go(1);
    workshop.wait_until("the call ends", |workshop| workshop.finished() == 1);
    workshop.wait_until("its event is there", |workshop| workshop.events().len() == 2);
    assert!(workshop.events()[1].starts_with("hold 200 result"), "{:?}", workshop.events());
}

#[test]
fn a_call_comes_to_its_end_on_a_server_that_drops_what_its_client_left() {
    let workshop = Workshop::default();
    let server = Served::routes(workshop.server().into_router());
    hold_and_go(&workshop, server.address(), false);
    hold_and_go(&workshop, server.address(), true);
    workshop.let_go(2);
    workshop.wait_until("both calls end", |workshop| workshop.finished() == 2);
}

#[test]
fn a_call_is_answered_to_a_client_that_has_closed_its_half() {
    let workshop = Workshop::default();
    let server = Served::start(workshop.server());
    let mut connection = hold(server.address());
    connection.finish_writing().unwrap();
    workshop.wait_until("the call begins", |workshop| workshop.started() == 1);
    workshop.let_go(1);
    assert_eq!(connection.answer_to("POST").unwrap().json(), json!({"result": "let go"}));
}

#[test]
fn a_server_that_stops_answers_the_calls_in_flight_and_takes_no_more() {
    let workshop = Workshop::default();
    let mut server = Served::start(workshop.server());
    let mut connection = hold(server.address());
    workshop.wait_until("the call begins", |workshop| workshop.started() == 1);
    let idle = Connection::open(server.address()).unwrap();
    server.stop();
    // A connection without a request ends at once, and there is no other.
    assert_eq!(idle.rest().unwrap(), b"");
    let started = Instant::now();
    while Connection::open(server.address()).is_ok() {
        assert!(started.elapsed() < Duration::from_secs(20), "it still listens");
    }
    assert_eq!(workshop.finished(), 0);
    workshop.let_go(1);
    assert_eq!(connection.answer_to("POST").unwrap().json(), json!({"result": "let go"}));
    server.wait();
    assert_eq!(workshop.finished(), 1);
}

#[test]
fn a_server_that_stops_waits_for_calls_whose_clients_have_gone() {
    let workshop = Workshop::default();
    let mut server = Served::start(workshop.server());
    hold_and_go(&workshop, server.address(), false);
    hold_and_go(&workshop, server.address(), true);
    server.stop();
    thread::sleep(Duration::from_millis(100));
    workshop.let_go(2);
    server.wait();
    assert_eq!(workshop.finished(), 2);
}

#[test]
fn a_server_that_stops_waits_no_longer_than_it_is_told_to() {
    let workshop = Workshop::default();
    let mut server = Served::start(workshop.server().shutdown_limit(Duration::from_millis(200)));
    let connection = hold(server.address());
    workshop.wait_until("the call begins", |workshop| workshop.started() == 1);
    server.wait();
    assert_eq!(workshop.finished(), 0);
    assert_eq!(connection.rest().unwrap(), b"");
}

#[test]
fn one_call_more_than_is_allowed_is_turned_away_at_once() {
    let workshop = Workshop::default();
    let server = Served::start(workshop.server().max_calls(2));
    let mut held = [hold(server.address()), hold(server.address())];
    workshop.wait_until("both calls begin", |workshop| workshop.started() == 2);

    let answer = server.send(&called("echo", &json!({"text": "x"}))).unwrap();
    assert_eq!((answer.status, answer.code().as_deref()), (503, Some("overloaded")));
    answer.check_headers().unwrap();
    // What takes no room is answered all the same.
    assert_eq!(server.send(&signed("GET", MOUNT, "")).unwrap().status, 200);
    assert_eq!(server.send(&signed("GET", "/healthz", "")).unwrap().status, 200);

    workshop.let_go(2);
    for connection in &mut held {
        assert_eq!(connection.answer_to("POST").unwrap().status, 200);
    }
    assert_eq!(server.send(&called("echo", &json!({"text": "x"}))).unwrap().status, 200);
}

#[test]
fn tools_that_block_their_threads_keep_no_other_request_waiting() {
    let workshop = Workshop::default();
    let server = Served::start(workshop.server());
    // More than the runtime has threads.
    let mut blocked: Vec<_> = (0..4).map(|_| block(server.address())).collect();
    let_go_later(&workshop);
    workshop.wait_until("the calls begin", |workshop| workshop.started() == 4);
    assert_eq!(server.send(&signed("GET", "/healthz", "")).unwrap().status, 200);
    assert_eq!(server.send(&called("echo", &json!({"text": "x"}))).unwrap().json(), json!({"result": "x"}));
    workshop.let_go(4);
    for connection in &mut blocked {
        assert_eq!(connection.answer_to("POST").unwrap().json(), json!({"result": "let go"}));
    }
}

#[test]
fn tools_that_block_their_threads_do_not_outlast_the_shutdown_limit() {
    let workshop = Workshop::default();
    let mut server = Served::start(workshop.server().shutdown_limit(Duration::from_millis(200)));
    let blocked = [block(server.address()), block(server.address())];
    workshop.wait_until("both calls begin", |workshop| workshop.started() == 2);
    let_go_later(&workshop);
    server.wait();
    assert_eq!(workshop.finished(), 0, "the server waited for what blocks");
    drop(blocked);
}

#[test]
fn a_panic_ends_its_own_call_and_nothing_else() {
    let workshop = Workshop::default();
    let server = Served::start(workshop.server());
    let mut connection = Connection::open(server.address()).unwrap();
    for _ in 0..3 {
        let answer = connection.send(&called("panic", &json!({}))).unwrap();
        assert_eq!((answer.status, answer.code().as_deref()), (200, Some("execution_failed")));
        assert!(!answer.message().contains("secret"), "{}", answer.message());
    }
    let answer = connection.send(&called("echo", &json!({"text": "still here"}))).unwrap();
    assert_eq!(answer.json(), json!({"result": "still here"}));
    assert!(workshop.events()[0].contains("the secret of the panic"), "{:?}", workshop.events());
}

#[test]
fn a_failure_keeps_its_detail_for_the_log() {
    let workshop = Workshop::default();
    let server = Served::start(workshop.server());
    let answer = server.send(&called("fail", &json!({}))).unwrap();
    assert_eq!((answer.status, answer.code().as_deref()), (200, Some("execution_failed")));
    assert!(!answer.message().contains("secret"), "{}", answer.message());
    assert!(workshop.events()[0].contains("the secret of the database"), "{:?}", workshop.events());
}

#[test]
fn a_refusal_is_a_result() {
    let server = Served::start(Workshop::default().server());
    let answer = server.send(&called("refuse", &json!({}))).unwrap();
    let refusal = json!({"ok": false, "reason": "not_today", "detail": "Come back tomorrow."});
    assert_eq!((answer.status, answer.json()), (200, json!({"result": refusal})));
}

#[test]
fn a_call_that_runs_out_of_time_is_cut_off_and_may_have_happened() {
    let server = Served::start(Workshop::default().server());
    let answer = server.send(&called("slow", &json!({}))).unwrap();
    let refusal = &answer.json()["result"];
    assert_eq!((&refusal["reason"], &refusal["outcome"]), (&"timed_out".into(), &"unknown".into()));
}
