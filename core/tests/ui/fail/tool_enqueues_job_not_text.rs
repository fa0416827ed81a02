use median_edge::prelude::*;

/// Answer.
#[tool(risk = "low", enqueues_job = send_receipt)]
fn ping() {}

fn main() {}
