//! Serves a Lambda function under AWS's own emulator on 127.0.0.1: what `cargo xtask serve lambda` becomes.

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use median_edge_emulator::{Bridge, Function, Log};

/// Serve a Lambda function over HTTP, as a function URL does, with the variables of this environment.
#[derive(Parser)]
struct Options {
    /// AWS's emulator, `aws-lambda-rie`.
    #[arg(long)]
    emulator: PathBuf,
    /// The function's program, `bootstrap`.
    #[arg(long)]
    program: PathBuf,
    /// The port on 127.0.0.1; 0 takes one that is free.
    #[arg(long, default_value_t = 8787)]
    port: u16,
    /// How many requests are served at a time, each by an emulator of its own.
    #[arg(long, default_value_t = 8)]
    concurrency: usize,
    /// The seconds that a request has.
    #[arg(long, default_value_t = 30)]
    timeout: u32,
}

fn main() -> ExitCode {
    match run(Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: Options) -> Result<(), Box<dyn Error>> {
    let Options { emulator, program, port, concurrency, timeout } = options;
    for file in [&emulator, &program] {
        if !file.is_file() {
            return Err(format!("{} is not there", file.display()).into());
        }
    }
    let environment = env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let function =
        Function { emulator, program, environment: environment.collect(), timeout, log: Log::Shown };
    let bridge =
        Bridge::start(function, port, concurrency).map_err(|error| format!("port {port}: {error}"))?;
    println!("listening at http://{}", bridge.address());
    bridge.until_told()?;
    Ok(())
}
