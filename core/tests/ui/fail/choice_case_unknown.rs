use median_edge::prelude::*;

#[derive(Choice)]
#[choice(rename_all = "PascalCase")]
enum Speed {
    NextDay,
}

fn main() {}
