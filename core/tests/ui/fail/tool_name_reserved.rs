use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn request_handoff() {}

fn main() {}
