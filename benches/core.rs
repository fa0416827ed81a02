//! What the core costs for one request, beside its floor.

use median_edge_benches::cases::{Case, growing, kinds};
use median_edge_benches::{Pair, pair};

/// A request may cost at most so many times its floor.
const BUDGET: f64 = 1.25;

fn measure(case: &Case) -> Pair {
    pair(&case.ours, &case.floor)
}

fn time(ns: f64) -> String {
    if ns < 10_000.0 { format!("{ns:.0} ns") } else { format!("{:.1} µs", ns / 1000.0) }
}

fn main() {
    println!("One request, beside its floor (the budget is {BUDGET}):\n");
    println!("{:<22} {:>10} {:>10} {:>7}", "", "ours", "floor", "ratio");
    let mut over = false;
    for case in kinds() {
        let Pair { ours_ns, floor_ns, ratio } = measure(&case);
        over |= ratio > BUDGET;
        println!("{:<22} {:>10} {:>10} {ratio:>7.2}", case.name, time(ours_ns), time(floor_ns));
    }

    println!("\nAs the body grows:\n");
    println!("{:<22} {:>10} {:>10} {:>7} {:>8}", "", "ours", "floor", "ratio", "ns/KiB");
    for kib in [1, 4, 16, 64, 256, 1023] {
        let case = growing(kib);
        let Pair { ours_ns, floor_ns, ratio } = measure(&case);
        let (ours, floor, per_kib) = (time(ours_ns), time(floor_ns), ours_ns / f64::from(kib));
        println!("{:<22} {ours:>10} {floor:>10} {ratio:>7.2} {per_kib:>8.0}", case.name);
    }

    if over && std::env::args().any(|argument| argument == "--budget") {
        eprintln!("\nA request costs more than {BUDGET} times its floor.");
        std::process::exit(1);
    }
}
