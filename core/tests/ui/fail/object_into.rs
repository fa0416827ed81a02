use median_edge::Object;
use serde::Serialize;

#[derive(Clone, Serialize, Object)]
#[serde(rename_all = "camelCase", into = "u8")]
struct Order {
    number: u8,
}

impl From<Order> for u8 {
    fn from(order: Order) -> u8 {
        order.number
    }
}

fn main() {}
