use median_edge::Object;
use serde::Serialize;

#[derive(Serialize, Object)]
#[serde(transparent)]
struct Order {
    number: u8,
}

fn main() {}
