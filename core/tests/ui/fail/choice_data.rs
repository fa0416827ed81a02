use median_edge::prelude::*;

#[derive(Choice)]
enum Speed {
    Standard,
    On(u8),
}

fn main() {}
