use median_edge::prelude::*;

#[derive(Choice)]
enum Speed<const N: usize> {
    Standard,
}

fn main() {}
