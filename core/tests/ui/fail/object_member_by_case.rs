use median_edge::Object;
use serde::Serialize;

#[derive(Serialize, Object)]
#[serde(rename_all = "camelCase")]
struct Order {
    number: u8,
    median_navigate_to: String,
}

fn main() {}
