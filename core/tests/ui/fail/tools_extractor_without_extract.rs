use median_edge::prelude::*;

struct Cart;

impl median_edge::field::Argument for Cart {}

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(cart: Cart) {
    let _ = cart;
}

fn endpoint() -> Result<Endpoint<()>, ConfigError> {
    Endpoint::builder().tools(tools![order_status]).build()
}

fn main() {
    let _ = endpoint();
}
