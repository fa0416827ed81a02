use median_edge::prelude::*;

const LEAST: u8 = 1;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(
    /// The order.
    #[field(min = LEAST)]
    order: u8,
) {
    let _ = order;
}

fn main() {}
