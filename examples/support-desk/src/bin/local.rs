//! The support desk as a plain HTTP server on this machine.

use std::error::Error;
use std::net::Ipv4Addr;
use std::process::ExitCode;

use clap::Parser;
use support_desk::{Desk, endpoint};

/// Serve the support desk on 127.0.0.1, with the keys that the environment gives.
#[derive(Parser)]
struct Options {
    /// The port; 0 takes one that is free, and the log says which.
    #[arg(long, default_value_t = 8787)]
    port: u16,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(&Options::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    median_edge_local::serve(endpoint()?, Desk::demo(), (Ipv4Addr::LOCALHOST, options.port)).await?;
    Ok(())
}
