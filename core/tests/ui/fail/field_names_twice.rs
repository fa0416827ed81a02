use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(
    /// The first order.
    order_2: String,
    /// The second order.
    order2: String,
) {
    let _ = (order_2, order2);
}

fn main() {}
