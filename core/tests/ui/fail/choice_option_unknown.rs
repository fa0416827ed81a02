use median_edge::prelude::*;

#[derive(Choice)]
enum Speed {
    #[choice(alias = "tomorrow")]
    NextDay,
}

fn main() {}
