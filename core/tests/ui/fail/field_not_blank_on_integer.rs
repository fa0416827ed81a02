use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(
    /// The order.
    #[field(not_blank)]
    order: Option<u8>,
) {
    let _ = order;
}

fn main() {}
