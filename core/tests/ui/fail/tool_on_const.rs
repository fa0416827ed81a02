use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
const ORDER_STATUS: u8 = 1;

fn main() {}
