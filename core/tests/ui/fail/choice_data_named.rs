use median_edge::prelude::*;

#[derive(Choice)]
enum Speed {
    Standard,
    Within { days: u8 },
}

fn main() {}
