use median_edge::prelude::*;

struct Order;

impl median_edge::field::Argument for Order {
    const IS_FIELD: bool = true;
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
