use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low", effect = "none")]
async fn order_status() {}

fn main() {}
