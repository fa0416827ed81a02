use median_edge::prelude::*;

#[derive(Choice)]
enum Speed {
    NextDay,
    #[choice(rename = "nextDay")]
    Tomorrow,
}

fn main() {}
