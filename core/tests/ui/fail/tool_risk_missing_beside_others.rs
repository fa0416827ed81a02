use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(effect = "read", timeout = 20)]
async fn order_status() {}

fn main() {}
