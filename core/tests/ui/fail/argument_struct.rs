use median_edge::prelude::*;

struct Order {
    number: String,
}

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(
    /// The order.
    order: Order,
) {
    let _ = order;
}

fn main() {}
