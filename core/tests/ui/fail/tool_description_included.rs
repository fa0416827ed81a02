use median_edge::prelude::*;

#[tool(risk = "low")]
#[doc = include_str!("tool_risk_missing.rs")]
async fn order_status() {}

fn main() {}
