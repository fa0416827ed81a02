use median_edge::prelude::*;

/// Answer.
#[tool(risk = "low", scopes = ["orders:read", "orders:read"])]
fn ping() {}

fn main() {}
