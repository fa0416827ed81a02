use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status() {}

struct Refund;

fn endpoint() -> Result<Endpoint<()>, ConfigError> {
    Endpoint::builder().tools(tools![order_status, Refund]).build()
}

fn main() {
    let _ = endpoint();
}
