use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(
    /// The order.
    order: (String, u8),
) {
    let _ = order;
}

fn main() {}
