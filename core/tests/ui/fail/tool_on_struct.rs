use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
struct OrderStatus;

fn main() {}
