use median_edge::prelude::*;

#[derive(Choice)]
enum Speed {
    #[choice(rename = " ")]
    NextDay,
}

fn main() {}
