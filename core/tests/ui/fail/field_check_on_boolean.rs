use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(
    /// The order.
    #[field(min = 0, max = 1)]
    order: bool,
) {
    let _ = order;
}

fn main() {}
