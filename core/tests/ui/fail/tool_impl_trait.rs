use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(
    /// The number.
    number: impl ToString,
) {
    let _ = number.to_string();
}

fn main() {}
