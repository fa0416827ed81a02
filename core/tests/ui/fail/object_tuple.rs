use median_edge::Object;
use serde::Serialize;

#[derive(Serialize, Object)]
struct Order(u8, u8);

fn main() {}
