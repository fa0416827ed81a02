use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low", effect = "read", risk = "high")]
async fn order_status() {}

fn main() {}
