#![deny(dead_code)]
use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status() {}

fn main() {}
