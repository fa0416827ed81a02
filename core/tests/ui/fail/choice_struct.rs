use median_edge::prelude::*;

#[derive(Choice)]
struct Speed {
    days: u8,
}

fn main() {}
