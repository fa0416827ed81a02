use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
fn order_status() -> u8 {
    1
}

fn main() {}
