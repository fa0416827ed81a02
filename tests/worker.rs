//! What Workers do beside the protocol: panics, bodies, connections, the log, routes of the application's own.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use median_edge_tests::{
    Ask, Connection, Environment, MOUNT, Running, Transport, Workerd, assert_failed, call, called_now,
    local_key, now_ms, result, signed_at,
};
use serde_json::{Value, json};

/// The cap on bodies.
const CAP: usize = 1_048_576;

/// The Worker of the tests; nothing where there is no workerd.
fn start() -> Option<Running> {
    start_with(&local_key())
}

fn start_with(environment: &Environment) -> Option<Running> {
    let Some(workerd) = Workerd::of_the_tests() else {
        println!("left out: `cargo xtask test --only worker` runs it");
        return None;
    };
    Some(workerd.run(environment).unwrap())
}

/// Both ways in: by its main module, and by what `worker-build` makes alone.
fn both() -> Vec<Running> {
    let both = [Workerd::of_the_tests(), Workerd::of_the_tests_without_main()];
    if both[0].is_none() {
        println!("left out: `cargo xtask test --only worker` runs it");
    }
    both.into_iter().flatten().map(|workerd| workerd.run(&local_key()).unwrap()).collect()
}

/// A body of so many bytes that is a call of `echo`.
fn echo_of(bytes: usize) -> Vec<u8> {
    let mut body = call("echo", &json!({"text": "x"}));
    body.resize(bytes, b' ');
    body
}

#[test]
fn a_panic_ends_its_own_call_and_the_log_has_its_message() {
    for worker in both() {
        assert_failed(&worker.send(&called_now("panic", &json!({}))).unwrap());
        assert_failed(&worker.send(&called_now("panicLater", &json!({"ms": 10}))).unwrap());
        assert_eq!(result(&worker, "echo", &json!({"text": "still here"})), "still here");
        let line = worker.wait_for_log(r#""tool":"panicLater""#);
        assert!(
            line.contains("the secret of the later panic") && line.contains(r#""level":"error""#),
            "{line}"
        );
    }
}

#[test]
fn calls_in_flight_outlive_a_panic_beside_them() {
    for worker in both() {
        let address = worker.address();
        let mut held = Connection::open(address).unwrap();
        held.write(called_now("wait", &json!({"ms": 1500})).bytes()).unwrap();
        for _ in 0..3 {
            assert_failed(&worker.send(&called_now("panic", &json!({}))).unwrap());
            assert_failed(&worker.send(&called_now("panicLater", &json!({"ms": 20}))).unwrap());
            assert_eq!(result(&worker, "echo", &json!({"text": "x"})), "x");
        }
        assert_eq!(held.answer_to("POST").unwrap().json(), json!({"result": 1500}));
    }
}

#[test]
fn memory_is_made_anew_after_a_panic_once_no_call_is_in_hand() {
    for worker in both() {
        let count = || result(&worker, "count", &json!({}));
        assert_eq!((count(), count()), (json!(1), json!(2)));
        let mut held = Connection::open(worker.address()).unwrap();
        held.write(called_now("wait", &json!({"ms": 500})).bytes()).unwrap();
        assert_failed(&worker.send(&called_now("panic", &json!({}))).unwrap());
        assert_eq!(count(), 3, "the call in hand keeps the memory");
        assert_eq!(held.answer_to("POST").unwrap().status, 200);
        assert_eq!(count(), 1, "nobody keeps it");
    }
}

/// A request whose body has begun, and goes on when the test says so.
fn half_sent(worker: &Running, body: &[u8]) -> Connection {
    half_sent_by(Connection::open(worker.address()).unwrap(), MOUNT, body)
}

fn half_sent_by(mut connection: Connection, target: &str, body: &[u8]) -> Connection {
    let signed = signed_at(now_ms(), "POST", target, body);
    let signature = String::from_utf8_lossy(&signed.headers[0].1).into_owned();
    let head = format!("POST {target} HTTP/1.1\r\nhost: x\r\nmedian-signature: {signature}\r\n");
    connection.write(format!("{head}content-length: {}\r\n\r\n", body.len())).unwrap();
    connection.write(&body[..1]).unwrap();
    // Whatever is asked after this, workerd has the beginning by then.
    thread::sleep(Duration::from_millis(300));
    connection
}

#[test]
fn who_goes_away_within_a_body_does_not_keep_memory_after_a_panic() {
    // `/own` reads a body too, in a route of the application's own.
    for (worker, target) in both().iter().flat_map(|worker| [(worker, MOUNT), (worker, "/own")]) {
        let count = || result(worker, "count", &json!({}));
        let before = count().as_u64().unwrap();
        for _ in 0..3 {
            let mut connection = Connection::open(worker.address()).unwrap();
            // What is not read makes the end an abort, after which nothing of the request goes on.
            connection.write(Ask::new("GET", "/nothing").bytes()).unwrap();
            drop(half_sent_by(connection, target, b"nobody signed this"));
        }
        assert_eq!(count(), before + 1, "{target}");
        assert_failed(&worker.send(&called_now("panic", &json!({}))).unwrap());
        assert_eq!(count(), 1, "nobody keeps it: {target}");
    }
}

#[test]
fn a_body_that_ends_after_memory_was_made_anew_is_answered_out_of_the_new_memory() {
    let Some(worker) = start() else { return };
    let count = || result(&worker, "count", &json!({}));
    let body = call("count", &json!({}));
    assert_eq!((count(), count()), (json!(1), json!(2)));
    let mut early = half_sent(&worker, &body);
    let mut late = half_sent(&worker, &body);
    assert_failed(&worker.send(&called_now("panic", &json!({}))).unwrap());
    // Its instance is given up, and there is no other yet.
    early.write(&body[1..]).unwrap();
    assert_eq!(early.answer_to("POST").unwrap().json(), json!({"result": 1}));
    // There is another.
    late.write(&body[1..]).unwrap();
    assert_eq!(late.answer_to("POST").unwrap().json(), json!({"result": 2}));
    assert_eq!(count(), 3, "and it is kept");
}

#[test]
fn a_body_that_is_too_large_is_so_in_new_memory_too() {
    let Some(worker) = start() else { return };
    assert_eq!(result(&worker, "count", &json!({})), 1);
    let body = echo_of(CAP + 1);
    let mut held = half_sent(&worker, &body);
    assert_failed(&worker.send(&called_now("panic", &json!({}))).unwrap());
    // It may be answered before all of it is there.
    let _ = held.write(&body[1..]);
    let answer = held.answer_to("POST").unwrap();
    assert_eq!((answer.status, answer.code().as_deref()), (400, Some("invalid_body")));
}

#[test]
fn a_lock_that_a_panic_left_locked_does_not_stay_so() {
    let Some(worker) = start() else { return };
    let lock = |panics: bool| worker.send(&called_now("panicWithLock", &json!({"panics": panics}))).unwrap();
    assert_eq!(lock(false).json(), json!({"result": 1}));
    assert_failed(&lock(true));
    assert_eq!(lock(false).json(), json!({"result": 1}));
}

#[test]
fn a_call_that_runs_out_of_time_is_cut_off() {
    let Some(worker) = start() else { return };
    let started = Instant::now();
    let refusal = result(&worker, "tooSlow", &json!({}));
    assert_eq!((&refusal["reason"], &refusal["outcome"]), (&json!("timed_out"), &json!("unknown")));
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_call_that_has_begun_goes_on_when_its_client_goes_away() {
    let Some(worker) = start() else { return };
    let mut connection = Connection::open(worker.address()).unwrap();
    connection.write(called_now("wait", &json!({"ms": 600})).bytes()).unwrap();
    thread::sleep(Duration::from_millis(200));
    drop(connection);
    let line = worker.wait_for_log(r#""tool":"wait""#);
    assert!(line.contains(r#""ending":"result""#), "{line}");
}

#[test]
fn a_body_at_the_cap_is_a_call_and_one_byte_more_is_not() {
    for worker in both() {
        let send = |size: usize| worker.send(&signed_at(now_ms(), "POST", MOUNT, echo_of(size))).unwrap();
        assert_eq!(send(CAP).json(), json!({"result": "x"}));
        let over = send(CAP + 1);
        assert_eq!((over.status, over.code().as_deref()), (400, Some("invalid_body")));
        over.check_headers().unwrap();
    }
}

#[test]
fn a_body_in_chunks_is_held_to_the_cap_too() {
    let Some(worker) = start() else { return };
    for (size, status) in [(100, 400), (5_000, 200), (CAP, 200), (CAP + 1, 400)] {
        let body = if size == 100 { b"[]".to_vec() } else { echo_of(size) };
        let signed = signed_at(now_ms(), "POST", MOUNT, &body);
        let signature = String::from_utf8_lossy(&signed.headers[0].1).into_owned();
        let mut connection = Connection::open(worker.address()).unwrap();
        let head = format!("POST {MOUNT} HTTP/1.1\r\nhost: x\r\nmedian-signature: {signature}\r\n");
        connection.write(format!("{head}transfer-encoding: chunked\r\n\r\n")).unwrap();
        for chunk in body.chunks(70_000) {
            let written = connection.write(format!("{:x}\r\n", chunk.len()));
            if written.and_then(|()| connection.write(chunk)).and_then(|()| connection.write("\r\n")).is_err()
            {
                break;
            }
        }
        let _ = connection.write("0\r\n\r\n");
        assert_eq!(connection.answer_to("POST").unwrap().status, status, "{size}");
    }
}

#[test]
fn a_length_is_what_a_body_is_held_to() {
    let Some(worker) = start() else { return };
    let body = call("echo", &json!({"text": "x"}));
    let signed = signed_at(now_ms(), "POST", MOUNT, &body);
    let signature = String::from_utf8_lossy(&signed.headers[0].1).into_owned();
    let send = |length: usize, tail: &str| {
        let mut connection = Connection::open(worker.address()).unwrap();
        let head = format!("POST {MOUNT} HTTP/1.1\r\nhost: x\r\nmedian-signature: {signature}\r\n");
        connection.write(format!("{head}content-length: {length}\r\n\r\n")).unwrap();
        connection.write(&body).unwrap();
        connection.write(tail).unwrap();
        connection.answer_to("POST").unwrap()
    };
    // What comes after it is no part of the body.
    assert_eq!(send(body.len(), "more, which was not signed").json(), json!({"result": "x"}));
    // What is before it is not all that was signed.
    assert_eq!(send(body.len() - 1, "").code().as_deref(), Some("invalid_signature"));
}

#[test]
fn a_body_that_is_longer_than_was_said_is_held_to_the_cap() {
    let Some(worker) = start() else { return };
    let answer = worker.send(&signed_at(now_ms(), "POST", "/said-less", "")).unwrap();
    assert_eq!((answer.status, answer.code().as_deref()), (400, Some("invalid_body")), "{answer:?}");
    assert!(answer.message().contains("1048576"), "{}", answer.message());
}

#[test]
fn an_event_function_of_the_applications_own_can_ask_the_endpoint() {
    let Some(worker) = start() else { return };
    let send = |tool: &str, input: &Value| {
        worker.send(&signed_at(now_ms(), "POST", "/handled", call(tool, input))).unwrap()
    };
    // Ready at once, and through a promise.
    assert_eq!(send("echo", &json!({"text": "x"})).json(), json!({"result": "x"}));
    assert_eq!(send("wait", &json!({"ms": 20})).json(), json!({"result": 20}));
    assert_failed(&send("panic", &json!({})));
    let unsigned = worker.send(&Ask::new("GET", "/handled")).unwrap();
    assert_eq!((unsigned.status, unsigned.code().as_deref()), (401, Some("missing_signature")));
    unsigned.check_headers().unwrap();
}

#[test]
fn a_body_that_was_read_before_is_no_call() {
    let Some(worker) = start() else { return };
    let call = call("echo", &json!({"text": "x"}));
    let answer = worker.send(&signed_at(now_ms(), "POST", "/read-before", call)).unwrap();
    assert_ne!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.code().as_deref(), Some("invalid_body"));
}

#[test]
fn other_paths_are_the_applications_own_and_what_fails_there_tells_nothing() {
    for worker in both() {
        let own = worker.send(&Ask::new("POST", "/own").body("body")).unwrap();
        assert_eq!((own.status, own.body.as_slice()), (200, b"own: body".as_slice()));
        assert_eq!(worker.send(&Ask::new("GET", "/elsewhere")).unwrap().status, 404);
        let failed = worker.send(&Ask::new("GET", "/error")).unwrap();
        assert_eq!(failed.status, 500);
        assert!(!String::from_utf8_lossy(&failed.body).contains("secret"));
        assert_eq!(
            worker.send(&signed_at(now_ms(), "GET", &format!("{MOUNT}/?x=1"), "")).unwrap().status,
            200
        );
    }
}

#[test]
fn a_panic_in_a_route_of_the_applications_own_leaves_a_fresh_instance_to_the_next_request() {
    for worker in both() {
        end_of_the_instance(&worker, "/panic");
    }
}

/// By `worker-build`'s class alone there is none after this.
#[test]
fn a_stack_that_overflows_leaves_a_fresh_instance_to_the_next_request_by_the_main_module() {
    let Some(worker) = start() else { return };
    end_of_the_instance(&worker, "/endless");
    end_of_the_instance(&worker, "/endless");
}

fn end_of_the_instance(worker: &Running, path: &str) {
    let count = || result(worker, "count", &json!({}));
    let before = count().as_u64().unwrap();
    assert_eq!(count(), before + 1);
    assert_eq!(worker.send(&Ask::new("GET", path)).unwrap().status, 500);
    assert_eq!((count(), count()), (json!(1), json!(2)));
}

#[test]
fn the_application_manifest_is_there_for_anyone_who_reads_it() {
    let Some(worker) = start() else { return };
    for target in ["/agent/manifest", "/agent/manifest/"] {
        let answer = worker.send(&Ask::new("GET", target)).unwrap();
        assert_eq!((answer.status, &answer.json()["name"]), (200, &json!("worker_of_the_tests")), "{target}");
        answer.check_headers().unwrap();
    }
    let answer = worker.send(&Ask::new("POST", "/agent/manifest").body("{}")).unwrap();
    assert_eq!((answer.status, answer.header("allow")), (405, Some("GET")));
}

#[test]
fn a_start_without_a_usable_key_or_with_the_public_one_is_in_the_log() {
    let key = |value: &str| Environment::from([("MEDIAN_KEY".to_owned(), value.to_owned())]);
    for (environment, text, status) in [
        (Environment::new(), "MEDIAN_KEY is not set", 500),
        (key("median_pk_00"), "public half", 500),
        (local_key(), "public example key", 200),
    ] {
        let Some(worker) = start_with(&environment) else { return };
        for _ in 0..2 {
            let answer = worker.send(&called_now("echo", &json!({"text": "x"}))).unwrap();
            assert_eq!(answer.status, status, "{answer:?}");
        }
        let line = worker.wait_for_log(text);
        assert!(line.contains(r#""level":"error""#), "{line}");
    }
}

#[test]
fn each_request_is_one_line_of_json() {
    let Some(worker) = start() else { return };
    worker.send(&called_now("echo", &json!({"text": "not in the log"}))).unwrap();
    let line = worker.wait_for_log(r#""tool":"echo""#);
    let line: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["level"], "info");
    assert_eq!(line["tool_call_id"], "call_00000000000000000000000000000001");
    assert!(!line.to_string().contains("not in the log"));
}

#[test]
fn many_connections_at_once_are_all_answered_and_memory_stays_bounded() {
    let Some(worker) = start() else { return };
    let answered = AtomicUsize::new(0);
    let until = Instant::now() + Duration::from_secs(20);
    let settled = AtomicUsize::new(0);
    thread::scope(|scope| {
        for number in 0..64 {
            let (worker, answered, settled) = (&worker, &answered, &settled);
            scope.spawn(move || {
                let mut connection = Connection::open(worker.address()).unwrap();
                while Instant::now() < until {
                    let text = format!("{number} {}", answered.fetch_add(1, Ordering::Relaxed));
                    let answer = connection.send(&called_now("echo", &json!({"text": text}))).unwrap();
                    assert_eq!(answer.json(), json!({"result": text}));
                    if number == 0 && until - Instant::now() < Duration::from_secs(15) {
                        let memory = resident_kib(worker.id());
                        settled.fetch_max(memory, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let (answered, memory) = (answered.into_inner(), settled.into_inner());
    println!("{answered} answers, {memory} KiB");
    assert!(answered > 1000, "{answered} answers");
    assert!(memory < 512 * 1024, "{memory} KiB");
}

/// The memory of a process, where the system says so.
fn resident_kib(process: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok()).unwrap_or_default()
}

#[test]
fn a_worker_that_is_started_again_answers_again() {
    for _ in 0..3 {
        let Some(worker) = start() else { return };
        assert_eq!(result(&worker, "count", &json!({})), 1);
    }
}
