//! The conformance application on AWS Lambda.

use std::env;
use std::process::ExitCode;

use conformance_app::{endpoint, stopped_clock};
use median_edge_lambda::Endpoint;

fn main() -> ExitCode {
    median_edge_lambda::run(build(), ())
}

fn build() -> Result<Endpoint<()>, String> {
    let now_ms = stopped_clock(|name| env::var(name).ok())?;
    endpoint(now_ms).map_err(|error| error.to_string())
}
