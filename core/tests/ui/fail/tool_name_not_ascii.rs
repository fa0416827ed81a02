use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn état() {}

fn main() {}
