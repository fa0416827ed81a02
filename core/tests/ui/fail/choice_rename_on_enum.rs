use median_edge::prelude::*;

#[derive(Choice)]
#[choice(rename = "speed")]
enum Speed {
    NextDay,
}

fn main() {}
