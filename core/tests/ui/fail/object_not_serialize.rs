use median_edge::Object;

#[derive(Object)]
struct Order {
    number: u8,
}

fn main() {}
