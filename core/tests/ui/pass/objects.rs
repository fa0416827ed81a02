// Structs that are objects.
#![deny(warnings)]
#![allow(non_snake_case)]

use median_edge::{Object, Reply};
use serde::Serialize;

#[derive(Serialize, Object)]
struct Empty {}

#[derive(Serialize, Object)]
#[serde(rename_all(serialize = "snake_case"), tag = "kind")]
struct Names {
    #[serde(rename = "highlight")]
    medianHighlight: u8,
    median_navigate_to: u8,
    #[serde(skip, rename = "medianHighlight")]
    _skipped: u8,
}

#[derive(Serialize, Object)]
struct Page<'a, T: Clone, U, const N: usize = 2>
where
    U: Default,
{
    items: &'a [T],
    #[serde(flatten)]
    more: U,
}

#[derive(Serialize, Object)]
struct Borrowed<'a> {
    text: &'a str,
}

#[derive(Serialize, Object)]
#[serde(bound = "")]
struct Unbounded<T> {
    #[serde(skip)]
    _kept: T,
}

struct NotSerialize;

fn main() {
    let _ = Reply::new(Empty {});
    let _ = Reply::new(Names { medianHighlight: 1, median_navigate_to: 2, _skipped: 3 });
    let _ = Reply::new(Page::<'_, _, _, 3> { items: &[1], more: () });
    let _ = Reply::new(&Borrowed { text: "x" });
    let _ = Reply::new(Unbounded { _kept: NotSerialize });
}
