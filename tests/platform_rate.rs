//! Calls through the stand-in at a rate, for a minute: `cargo xtask bench platform`.
//!
//! It fails when anything that was acknowledged is not there afterwards, or when the memory grows.

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use median_edge_tests::Traffic;

/// Call the demo through the stand-in at a rate, kill the stand-in, and look for every call.
#[derive(Parser)]
struct Options {
    /// Calls a second.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rate: u32,
    /// For so many seconds.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    seconds: u64,
    /// Over so many connections.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=512))]
    callers: u16,
    /// What cargo says to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    let Options { rate, seconds, callers, .. } = Options::parse();
    let traffic = Traffic { rate, duration: Duration::from_secs(seconds), callers: callers.into() };
    let folder = tempfile::tempdir().expect("there is room for a file");
    match traffic.run(&folder.path().join("stand-in.sqlite")) {
        Ok(seen) => {
            println!("{seen}");
            match seen.check() {
                Ok(()) => {
                    println!("nothing was lost, and nothing was there that nobody was told of");
                    ExitCode::SUCCESS
                }
                Err(why) => {
                    eprintln!("error: {why}");
                    ExitCode::FAILURE
                }
            }
        }
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}
