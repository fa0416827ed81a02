use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(
    /// The first order.
    first: String,
    /// The second order.
    #[field(name = "first")]
    second: String,
) {
    let _ = (first, second);
}

fn main() {}
