use median_edge::Object;
use serde::Serialize;

#[derive(Serialize, Object)]
struct Order;

fn main() {}
