use median_edge::prelude::*;

struct Shop;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(shop: State<'_, Shop>) {
    let _ = shop;
}

/// Refund an order.
#[tool(risk = "high")]
async fn refund() {}

fn endpoint() -> Result<Endpoint<()>, ConfigError> {
    Endpoint::builder().tools(tools![refund, order_status]).build()
}

fn main() {
    let _ = endpoint();
}
