use median_edge::prelude::*;

struct Shop;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(
    shop: &Shop,
) {
    let _ = shop;
}

fn main() {}
