use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(
    /// The order.
    order: Option<impl ToString>,
) {
    let _ = order;
}

fn main() {}
