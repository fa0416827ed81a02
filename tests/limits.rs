//! Limits at their ends, and who gives way when a limit is reached.

use std::time::Duration;

use median_edge_local::Server;
use median_edge_tests::{Connection, MOUNT, Served, Transport, Workshop, called, signed};
use serde_json::json;

fn serves(server: &Served) {
    let answer = server.send(&called("echo", &json!({"text": "x"}))).unwrap();
    assert_eq!(answer.json(), json!({"result": "x"}));
}

#[test]
fn a_limit_may_be_as_large_as_its_type_allows() {
    let largest: [fn(Server<Workshop>) -> Server<Workshop>; 8] = [
        |server| server.idle_timeout(Duration::MAX),
        |server| server.header_timeout(Duration::MAX),
        |server| server.body_timeout(Duration::MAX),
        |server| server.write_timeout(Duration::MAX),
        |server| server.shutdown_limit(Duration::MAX),
        |server| server.max_calls(usize::MAX),
        |server| server.max_connections(usize::MAX),
        |server| server.max_header_bytes(usize::MAX),
    ];
    for with in largest {
        serves(&Served::start(with(Workshop::default().server())));
    }
}

#[test]
fn a_limit_of_nothing_is_no_panic() {
    let smallest: [fn(Server<Workshop>) -> Server<Workshop>; 8] = [
        |server| server.idle_timeout(Duration::ZERO),
        |server| server.header_timeout(Duration::ZERO),
        |server| server.body_timeout(Duration::ZERO),
        |server| server.write_timeout(Duration::ZERO),
        |server| server.shutdown_limit(Duration::ZERO),
        |server| server.max_calls(0),
        |server| server.max_connections(0),
        |server| server.max_header_bytes(0),
    ];
    for with in smallest {
        let mut server = Served::start(with(Workshop::default().server()));
        // Whether there is an answer, and which, is another matter.
        let _ = server.send(&called("echo", &json!({"text": "x"})));
        server.wait();
    }
}

#[test]
fn an_idle_connection_gives_way_when_every_place_is_taken() {
    let server = Served::start(Workshop::default().server().max_connections(2));
    let mut idle = Connection::open(server.address()).unwrap();
    assert_eq!(idle.send(&signed("GET", MOUNT, "")).unwrap().status, 200);
    let mut half = Connection::open(server.address()).unwrap();
    assert_eq!(half.send(&signed("GET", MOUNT, "")).unwrap().status, 200);
    half.write("GET /healthz HT").unwrap();

    // Each stays open on its client's side; those that have waited longest go.
    let mut others: Vec<_> = (0..8)
        .map(|_| {
            let mut other = Connection::open(server.address()).unwrap();
            assert_eq!(other.send(&signed("GET", MOUNT, "")).unwrap().status, 200);
            other
        })
        .collect();
    assert_eq!(idle.rest().unwrap(), b"");
    assert_eq!(half.rest().unwrap(), b"");
    let mut last = others.pop().unwrap();
    assert_eq!(last.send(&signed("GET", MOUNT, "")).unwrap().status, 200);
}

#[test]
fn a_connection_whose_call_runs_does_not_give_way() {
    let workshop = Workshop::default();
    let server = Served::start(workshop.server().max_connections(1));
    let mut first = Connection::open(server.address()).unwrap();
    first.write(called("hold", &json!({})).bytes()).unwrap();
    workshop.wait_until("the call begins", |workshop| workshop.started() == 1);
    let mut second = Connection::open(server.address()).unwrap();
    second.write(signed("GET", MOUNT, "").bytes()).unwrap();
    assert!(second.is_silent(Duration::from_millis(100)));
    workshop.let_go(1);
    assert_eq!(first.answer_to("POST").unwrap().json(), json!({"result": "let go"}));
    assert_eq!(second.answer_to("GET").unwrap().status, 200);
}

#[test]
fn nobody_gives_way_while_there_are_places() {
    let server = Served::start(Workshop::default().server().max_connections(2));
    let mut first = Connection::open(server.address()).unwrap();
    let mut second = Connection::open(server.address()).unwrap();
    for _ in 0..2 {
        for connection in [&mut first, &mut second] {
            assert_eq!(connection.send(&signed("GET", MOUNT, "")).unwrap().status, 200);
        }
    }
}
