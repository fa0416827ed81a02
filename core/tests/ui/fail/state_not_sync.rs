use median_edge::prelude::*;

struct Shop {
    seen: std::cell::Cell<u8>,
}

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(shop: State<'_, Shop>) {
    let _ = shop;
}

fn main() {}
