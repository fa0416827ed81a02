use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(
    /// The order.
    #[field(min = 1, min = 2)]
    order: u8,
) {
    let _ = order;
}

fn main() {}
