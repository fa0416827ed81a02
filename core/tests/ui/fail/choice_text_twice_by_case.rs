#![allow(non_camel_case_types)]
use median_edge::prelude::*;

#[derive(Choice)]
enum Speed {
    NextDay,
    Next_Day,
}

fn main() {}
