use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
fn order_status() -> impl Future<Output = ToolResult<u8>> {
    async { Ok(1) }
}

fn main() {}
