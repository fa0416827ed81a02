use median_edge::prelude::*;

struct Order;

#[tool(effect = "none", timeout = 0, colour = "red")]
unsafe fn order_status<T>(
    /// The order.
    #[field(min = "1", pattern = "x")]
    order: Order,
    (a, b): (String, String),
) -> u8 {
    1
}

fn endpoint() -> Result<Endpoint<()>, ConfigError> {
    Endpoint::builder().tools(tools![order_status]).build()
}

fn main() {
    let _ = endpoint();
}
