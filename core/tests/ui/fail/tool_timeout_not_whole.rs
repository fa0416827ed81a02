use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low", timeout = 1.5)]
async fn order_status() {}

fn main() {}
