use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status() -> Option<u8> {
    None
}

fn main() {}
