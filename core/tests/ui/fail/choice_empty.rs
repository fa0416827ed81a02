use median_edge::prelude::*;

#[derive(Choice)]
enum Speed {}

fn main() {}
