//! Many connections at once, for a while: every answer is the one to its request, and memory stays as it was.

use std::env;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use median_edge_tests::{
    Answer, Ask, Child, Connection, NOW_MS, Transport, call, local_key, resident_kib, signed,
};
use serde_json::{Value, json};

/// How many connections there are.
const CONNECTIONS: u64 = 64;

/// How long the load lasts unless `LOAD_SECONDS` says otherwise.
const SECONDS: u64 = 3;

/// How much the server's memory may grow once it is warm: some connections' buffers, and what the allocator keeps.
const GROWTH_KIB: u64 = 16 * 1024;

/// What is asked, and what has to be answered.
fn exchange(connection: u64, number: u64) -> (Ask, u16, Value) {
    let order = format!("ORD-{connection}-{number}");
    let post = |tool: &str, input: Value| signed("POST", "/", call(tool, &input));
    match number % 8 {
        0 => (post("ping", json!({})), 200, json!({"result": {"pong": true}})),
        1 => {
            let input = json!({"quantity": 2.5, "note": order, "gift": null});
            let result = json!({"quantity": 2.5, "note": order, "gift": null, "speed": null});
            (post("setQuantity", input), 200, json!({"result": result}))
        }
        2 => (post("orderStatus", json!({})), 400, json!("invalid_input")),
        3 => (post(&order, json!({})), 404, json!("unknown_tool")),
        4 => (Ask::new("POST", "/").body(order), 401, json!("missing_signature")),
        5 => (signed("POST", "/", order), 400, json!("invalid_body")),
        6 => (signed("DELETE", "/", order), 405, json!("method_not_allowed")),
        _ => {
            let result = json!({"orderNumber": order, "status": "shipped"});
            (post("orderStatus", json!({"orderNumber": order})), 200, json!({"result": result}))
        }
    }
}

fn check(answer: &Answer, status: u16, expected: &Value) -> Result<(), String> {
    answer.check_headers()?;
    let found = if expected.is_string() { json!(answer.code()) } else { answer.json() };
    if answer.status == status && found == *expected {
        Ok(())
    } else {
        Err(format!("{answer:?}, and not {status} {expected}"))
    }
}

#[test]
fn many_connections_get_their_own_answers_and_memory_stays_flat() {
    let seconds = env::var("LOAD_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(SECONDS);
    let duration = Duration::from_secs(seconds);
    let mut environment = local_key();
    environment.insert("CONFORMANCE_NOW_MS".to_owned(), NOW_MS.to_string());
    let child = Child::start(&environment).unwrap();
    let (answered, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let started = Instant::now();

    let (warm, end) = thread::scope(|scope| {
        let workers: Vec<_> = (0..CONNECTIONS)
            .map(|number| {
                let (answered, over, address) = (&answered, &over, child.http().0);
                scope.spawn(move || {
                    let mut connection = Connection::open(address).unwrap();
                    for at in 0.. {
                        if over.load(Ordering::Relaxed) {
                            break;
                        }
                        let (ask, status, expected) = exchange(number, at);
                        let answer = connection.send(&ask).map_err(|error| error.to_string());
                        let checked = answer.and_then(|answer| check(&answer, status, &expected));
                        checked
                            .unwrap_or_else(|error| panic!("request {at} of connection {number}: {error}"));
                        answered.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        thread::sleep(duration / 3);
        let warm = resident_kib(child.id());
        thread::sleep(duration.saturating_sub(started.elapsed()));
        let end = resident_kib(child.id());
        over.store(true, Ordering::Relaxed);
        for worker in workers {
            worker.join().unwrap();
        }
        (warm, end)
    });

    let answered = answered.into_inner();
    let rate = answered / started.elapsed().as_secs().max(1);
    println!(
        "{answered} answers over {CONNECTIONS} connections in {seconds} s, {rate}/s, none of them wrong"
    );
    println!("resident: {warm:?} KiB after a third of the time, {end:?} KiB at its end");
    assert!(answered > CONNECTIONS * 8, "every connection got every kind of answer: {answered}");
    if let (Some(warm), Some(end)) = (warm, end) {
        assert!(end < warm + GROWTH_KIB, "the memory grew from {warm} to {end} KiB");
    }
    assert_eq!(child.send(&signed("GET", "/", "")).unwrap().status, 200);
}
