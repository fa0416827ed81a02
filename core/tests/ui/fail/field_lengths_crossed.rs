use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(
    /// The order.
    #[field(min_length = 2, max_length = 1)]
    order: String,
) {
    let _ = order;
}

fn main() {}
