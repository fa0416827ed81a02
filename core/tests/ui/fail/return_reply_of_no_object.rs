use median_edge::prelude::*;

struct Order;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status() -> ToolResult<Reply<Order>> {
    Err(Refusal::new("closed").into())
}

fn main() {}
