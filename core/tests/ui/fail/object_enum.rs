use median_edge::Object;
use serde::Serialize;

#[derive(Serialize, Object)]
enum Order {
    Open { number: u8 },
}

fn main() {}
