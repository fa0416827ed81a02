use median_edge::prelude::*;

/// Look up the status of an order.
#[tool]
async fn order_status() {}

fn main() {}
