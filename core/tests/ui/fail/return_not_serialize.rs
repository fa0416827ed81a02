use median_edge::prelude::*;

struct Order;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status() -> ToolResult<Order> {
    Ok(Order)
}

fn main() {}
