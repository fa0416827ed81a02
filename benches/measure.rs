//! Measuring two things side by side, in one run: what we do, and the least that it could cost.
//!
//! Machines differ and change from minute to minute, so a time alone says little. Rounds of both take turns, and what is
//! reported is the median of the rounds' ratios.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long one round of one side takes, about.
const ROUND: Duration = Duration::from_millis(10);
/// How many rounds each side has.
const ROUNDS: usize = 41;

/// What a pair was measured to cost, each run once.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Nanoseconds of ours.
    pub ours_ns: f64,
    /// Nanoseconds of the floor.
    pub floor_ns: f64,
    /// The median over the rounds of ours divided by the floor.
    pub ratio: f64,
}

/// Measures two functions in turns.
pub fn pair<A, B>(mut ours: impl FnMut() -> A, mut floor: impl FnMut() -> B) -> Pair {
    let repeats = repeats(&mut ours);
    let floor_repeats = self::repeats(&mut floor);
    let mut rounds: Vec<(f64, f64)> =
        (0..ROUNDS).map(|_| (round(&mut ours, repeats), round(&mut floor, floor_repeats))).collect();
    let mut median = |by: fn(&(f64, f64)) -> f64| {
        rounds.sort_by(|a, b| by(a).total_cmp(&by(b)));
        by(&rounds[ROUNDS / 2])
    };
    Pair { ours_ns: median(|r| r.0), floor_ns: median(|r| r.1), ratio: median(|r| r.0 / r.1) }
}

/// How often a function is to run to fill a round.
fn repeats<T>(function: &mut impl FnMut() -> T) -> u32 {
    let mut repeats = 1;
    loop {
        let started = Instant::now();
        (0..repeats).for_each(|_| drop(black_box(function())));
        if started.elapsed() >= ROUND || repeats > 1 << 24 {
            return repeats;
        }
        repeats *= 2;
    }
}

/// Nanoseconds for each run.
fn round<T>(function: &mut impl FnMut() -> T, repeats: u32) -> f64 {
    let started = Instant::now();
    (0..repeats).for_each(|_| drop(black_box(function())));
    started.elapsed().as_secs_f64() * 1e9 / f64::from(repeats)
}
