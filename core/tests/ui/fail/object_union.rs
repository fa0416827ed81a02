use median_edge::Object;

#[derive(Object)]
union Order {
    number: u8,
}

fn main() {}
