use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status() {}

fn endpoint() -> Result<Endpoint<()>, ConfigError> {
    Endpoint::builder().tools(tools![order_status::<u8>]).build()
}

fn main() {
    let _ = endpoint();
}
