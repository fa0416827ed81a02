#![allow(non_camel_case_types)]
use median_edge::prelude::*;

#[derive(Choice)]
#[choice(rename_all = "PascalCase")]
enum Speed<T> {
    Standard(T),
    #[choice(rename = "")]
    NextDay,
    #[choice(rename = 1)]
    Tomorrow,
    Next_Day,
}

fn main() {}
