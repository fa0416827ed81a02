use median_edge::prelude::*;

#[derive(Choice)]
union Speed {
    days: u8,
    hours: u8,
}

fn main() {}
