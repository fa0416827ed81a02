//! Who is signed in, over real connections.

use axum::Router;
use axum::routing::get;
use median_edge::{Keys, MedianKey};
use median_edge_local::{LogFormat, Server, router};
use median_edge_tests::{Answer, Ask, Lambda, Served, Transport, Workerd, local_key};
use serde_json::json;
use support_desk::{Desk, endpoint};

const PATH: &str = "/api/median/identity";

fn desk() -> Server<Desk> {
    let keys = Keys::new(MedianKey::local());
    Server::new(endpoint().unwrap(), Desk::demo()).keys(keys).log(LogFormat::Off)
}

/// The support desk, on each runtime that is here.
fn desks() -> Vec<(&'static str, Box<dyn Transport>)> {
    let routes = router(endpoint().unwrap(), Desk::demo(), Keys::new(MedianKey::local()));
    let site = Router::new().route("/", get(async || "the shop")).merge(routes);
    let mut desks: Vec<(_, Box<dyn Transport>)> =
        vec![("local", Box::new(Served::start(desk()))), ("routes", Box::new(Served::routes(site)))];
    if let Some(workerd) = Workerd::of("examples/support-desk/worker") {
        desks.push(("workerd", Box::new(workerd.run(&local_key()).unwrap())));
    }
    if let Some(lambda) = Lambda::support_desk() {
        desks.push(("Lambda", Box::new(lambda.run(&local_key()).unwrap())));
    }
    desks
}

fn signed_in(session: &str) -> Ask {
    Ask::new("GET", PATH).header("cookie", format!("theme=dark; session={session}"))
}

fn has_headers(answer: &Answer, expected: &[(&str, &str)]) {
    assert_eq!(answer.headers_of_the_protocol(), expected, "{answer:?}");
}

const HEADERS: [(&str, &str); 3] = [
    ("cache-control", "private, no-store"),
    ("content-type", "application/json"),
    ("x-content-type-options", "nosniff"),
];

#[test]
fn somebody_who_is_signed_in_is_answered_with_a_signature() {
    let key = MedianKey::local();
    let expected = json!({
        "visitor": {"id": "user_1", "name": "Ana Riva", "email": "ana@example.com"},
        "publicKey": key.public_half(),
        "signature": key.identity_secret().sign("user_1"),
    });
    for (name, desk) in desks() {
        let answer = desk.send(&signed_in("demo")).unwrap();
        assert_eq!((answer.status, answer.json()), (200, expected.clone()), "{name}");
        has_headers(&answer, &HEADERS);
    }
}

#[test]
fn nobody_is_null() {
    for (name, desk) in desks() {
        for ask in [signed_in("stolen"), Ask::new("GET", PATH), Ask::new("GET", &format!("{PATH}/?x=1"))] {
            let answer = desk.send(&ask).unwrap();
            assert_eq!((answer.status, answer.json()), (200, json!({"visitor": null})), "{name}");
            has_headers(&answer, &HEADERS);
        }
    }
}

#[test]
fn a_page_of_another_origin_is_given_no_leave_to_read_it() {
    for (_, desk) in desks() {
        // With the example key, the local server answers only to origins that are this machine.
        let answer = desk.send(&signed_in("demo").header("origin", "http://localhost:3000")).unwrap();
        has_headers(&answer, &HEADERS);
    }
}

#[test]
fn other_methods_are_refused() {
    let allowing = [("allow", "GET")].into_iter().chain(HEADERS).collect::<Vec<_>>();
    for (name, desk) in desks() {
        for method in ["POST", "HEAD", "OPTIONS", "DELETE"] {
            let answer = desk.send(&Ask::new(method, PATH).header("cookie", "session=demo")).unwrap();
            assert_eq!(answer.status, 405, "{name}: {method}");
            has_headers(&answer, &allowing);
        }
    }
}

#[test]
fn a_server_that_has_as_many_calls_as_it_takes_asks_nobody_who_is_signed_in() {
    let server = Served::start(desk().max_calls(0));
    let answer = server.send(&signed_in("demo")).unwrap();
    assert_eq!((answer.status, answer.code().as_deref()), (503, Some("overloaded")));
}

#[test]
fn a_worker_waits_for_its_resolver_and_survives_its_panic() {
    let Some(workerd) = Workerd::of_the_tests() else { return };
    let worker = workerd.run(&local_key()).unwrap();
    for (session, detail) in
        [("panics", "the secret of the session"), ("panics later", "the secret of the later session")]
    {
        let answer = worker.send(&signed_in(session)).unwrap();
        assert_eq!((answer.status, answer.code().as_deref()), (500, Some("identity_failed")), "{answer:?}");
        assert!(!answer.message().contains("secret"), "{answer:?}");
        worker.wait_for_log(detail);
    }
    let answer = worker.send(&signed_in("waits")).unwrap();
    assert_eq!(answer.json()["visitor"], json!({"id": "user_1"}));
    let answer = worker.send(&Ask::new("GET", PATH).header("X-User", "user_2")).unwrap();
    assert_eq!(answer.json()["visitor"], json!({"id": "user_2"}));
}
