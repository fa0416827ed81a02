use median_edge::Object;
use serde::Serialize;

#[derive(Serialize, Object)]
#[serde(tag = "medianHighlight")]
struct Order {
    number: u8,
}

fn main() {}
