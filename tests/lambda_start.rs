//! How large a Lambda function is and how long it takes to start, beside ones that say hello: `cargo xtask bench lambda`.
//!
//! What is compared is what AWS's emulator measures from the start of the process to its first question for an event, of
//! processes that were never there before, in turns, in one run.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use median_edge_tests::{Lambda, local_key};

const ROUNDS: usize = 31;

/// How much more than one that says hello ours may be, in size and in time.
const BUDGET: f64 = 1.10;

/// The functions, ours first: a name and a program, a line each.
const FUNCTIONS: &str = "MEDIAN_EDGE_LAMBDA_BENCH";

struct Measured {
    name: String,
    bytes: f64,
    starts: Vec<f64>,
}

fn main() -> ExitCode {
    let Ok(lines) = env::var(FUNCTIONS) else {
        println!("left out: `cargo xtask bench lambda` runs it");
        return ExitCode::SUCCESS;
    };
    let named = lines.lines().filter_map(|line| line.split_once('='));
    let functions: Vec<(String, PathBuf)> =
        named.map(|(name, path)| (name.to_owned(), PathBuf::from(path))).collect();
    let mut measured: Vec<Measured> = Vec::new();
    for (name, path) in &functions {
        let bytes = path.metadata().unwrap().len();
        measured.push(Measured { name: name.clone(), bytes: as_f64(bytes), starts: Vec::new() });
    }
    // Once before, so that every program is in memory.
    for round in 0..=ROUNDS {
        for ((_, path), measured) in functions.iter().zip(&mut measured) {
            let start = start(path);
            if round > 0 {
                measured.starts.push(start);
            }
        }
    }
    report(&mut measured)
}

/// The milliseconds from the start of a process to its first question for an event.
fn start(program: &PathBuf) -> f64 {
    let emulated = Lambda::program(program).unwrap().run(&local_key()).unwrap();
    emulated.invoke(r#"{"requestContext":{"http":{"method":"GET","path":"/"}},"headers":{},"rawPath":"/"}"#);
    let line = emulated.wait_for_log("INIT REPORT");
    let (_, rest) = line.split_once("durationMs: ").expect("the report has a duration");
    rest.trim_end_matches(')').parse().expect("the duration is a number")
}

fn report(measured: &mut [Measured]) -> ExitCode {
    println!("{ROUNDS} cold starts of each, in turns:");
    for one in &mut *measured {
        one.starts.sort_by(f64::total_cmp);
        let [low, middle, high] = [1, 2, 3].map(|quarter| one.starts[ROUNDS * quarter / 4]);
        println!(
            "  {:<28} {:>9} bytes, {middle:5.2} ms (half of them {low:.2} to {high:.2})",
            one.name, one.bytes
        );
    }
    let (ours, others) = measured.split_first().expect("there are functions to compare");
    let mut within = true;
    for other in others {
        let size = ours.bytes / other.bytes;
        let time = ours.starts[ROUNDS / 2] / other.starts[ROUNDS / 2];
        println!("  beside {:<21} {size:5.2} of the size, {time:5.2} of the time", other.name);
        within = within && size <= BUDGET && time <= BUDGET;
    }
    println!("  the budget: {BUDGET:.2} of each");
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[allow(clippy::cast_precision_loss)] // A few million.
fn as_f64(bytes: u64) -> f64 {
    bytes as f64
}
