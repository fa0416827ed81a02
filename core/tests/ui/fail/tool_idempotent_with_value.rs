use median_edge::prelude::*;

/// Answer.
#[tool(risk = "low", idempotent = true)]
fn ping() {}

fn main() {}
