//! What a signed call costs a Worker, beside the same in JavaScript: `cargo xtask bench worker`.
//!
//! What is compared is the processor time of the two workerd processes, in turns, in one run. The rate says less: the
//! clients are on the same machine.

use std::fs;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use median_edge_tests::{Ask, Connection, Running, Transport, Workerd, call, local_key, signed_at};
use serde_json::json;

const ROUNDS: usize = 15;
const CONNECTIONS: usize = 8;
const CALLS: usize = 400;

/// What a round of one side cost, each call.
#[derive(Clone, Copy)]
struct Cost {
    processor: Duration,
    time: Duration,
}

fn main() {
    let (Some(ours), Some(peer)) = (Workerd::conformance(), Workerd::of("benches/js-worker")) else {
        println!("left out: `cargo xtask bench worker` runs it");
        return;
    };
    let (ours, peer) = (ours.run(&local_key()).unwrap(), peer.run(&local_key()).unwrap());
    let ask = ask();
    assert_eq!(ours.send(&ask).unwrap().body, peer.send(&ask).unwrap().body, "both answer the same");
    for _ in 0..3 {
        round(&ours);
        round(&peer);
    }
    let rounds: Vec<(Cost, Cost)> = (0..ROUNDS).map(|_| (round(&ours), round(&peer))).collect();
    let of = |side: fn(&(Cost, Cost)) -> Duration| median(rounds.iter().map(|r| side(r).as_secs_f64() * 1e6));
    println!("{ROUNDS} rounds of {} calls over {CONNECTIONS} connections, in turns:", CALLS * CONNECTIONS);
    println!(
        "  ours        {:6.1} µs of processor time, {:6.1} µs of time",
        of(|r| r.0.processor),
        of(|r| r.0.time)
    );
    println!(
        "  JavaScript  {:6.1} µs of processor time, {:6.1} µs of time",
        of(|r| r.1.processor),
        of(|r| r.1.time)
    );
    let ratio = |side: fn(Cost) -> Duration| {
        median(rounds.iter().map(|r| side(r.0).as_secs_f64() / side(r.1).as_secs_f64()))
    };
    println!(
        "  ratio       {:6.2} of processor time, {:6.2} of time",
        ratio(|c| c.processor),
        ratio(|c| c.time)
    );
}

fn ask() -> Ask {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    signed_at(
        u64::try_from(now).unwrap(),
        "POST",
        "/",
        call("orderStatus", &json!({"orderNumber": "ORD-1042"})),
    )
}

#[allow(clippy::cast_possible_truncation)] // A few thousand.
fn round(worker: &Running) -> Cost {
    let ask = ask();
    let (before, started) = (processor_time(worker.id()), Instant::now());
    thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| {
                let mut connection = Connection::open(worker.address()).unwrap();
                for _ in 0..CALLS {
                    assert_eq!(connection.send(&ask).unwrap().status, 200);
                }
            });
        }
    });
    let calls = (CALLS * CONNECTIONS) as u32;
    Cost {
        processor: processor_time(worker.id()).saturating_sub(before) / calls,
        time: started.elapsed() / calls,
    }
}

/// What a process has had of the processors so far, where the system says so.
fn processor_time(process: u32) -> Duration {
    let tasks =
        fs::read_dir(format!("/proc/{process}/task")).expect("this system tells what a process has used");
    let of_one = |task: fs::DirEntry| fs::read_to_string(task.path().join("schedstat")).ok();
    let texts = tasks.filter_map(Result::ok).filter_map(of_one);
    texts.filter_map(|text| text.split(' ').next()?.parse().ok()).map(Duration::from_nanos).sum()
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
