use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(
    /// The order.
    #[field(max_length = 1)]
    order: f64,
) {
    let _ = order;
}

fn main() {}
