use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status<const N: usize>() {}

fn main() {}
