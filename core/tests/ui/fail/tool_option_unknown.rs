use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low", cached = true)]
async fn order_status() {}

fn main() {}
