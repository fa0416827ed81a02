use median_edge::prelude::*;

#[tool(risk = "low")]
async fn order_status() {}

fn main() {}
