use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
extern "C" fn order_status() {}

fn main() {}
