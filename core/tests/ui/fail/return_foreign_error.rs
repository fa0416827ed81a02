use median_edge::prelude::*;

struct Trouble;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status() -> Result<u8, Trouble> {
    Err(Trouble)
}

fn main() {}
