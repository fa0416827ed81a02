//! The support desk on AWS Lambda.
//!
//! The shop lives in the memory of one execution environment, which is enough to try it: environments end at any time,
//! and there are several. A real shop would connect to its database in the closure of
//! [`App::new`](median_edge_lambda::App::new).

use std::process::ExitCode;

use support_desk::{Desk, endpoint};

fn main() -> ExitCode {
    median_edge_lambda::run(endpoint(), Desk::demo())
}
