use median_edge::prelude::*;

/// Answer.
#[tool(risk = "low", scopes = ["orders read"])]
fn ping() {}

fn main() {}
