use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(
    /// The order.
    #[field(min = 2, max = -2.5)]
    order: i32,
) {
    let _ = order;
}

fn main() {}
