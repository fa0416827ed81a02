use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
const fn order_status() {}

fn main() {}
