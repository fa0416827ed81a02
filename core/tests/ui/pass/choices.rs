// Enums that are choices.
#![deny(warnings)]

use median_edge::field::Choice as _;
use median_edge::prelude::*;

#[derive(Choice, Clone, Copy, Debug, PartialEq)]
#[choice(rename_all = "SCREAMING_SNAKE_CASE")]
#[repr(u8)]
#[non_exhaustive]
#[allow(dead_code)]
enum Speed {
    Standard = 7,
    #[choice(rename = "by tomorrow")]
    NextDay,
    r#Box,
    #[cfg(any())]
    Absent(u8),
}

#[derive(Choice)]
#[allow(dead_code, non_camel_case_types)]
enum Single {
    only_one,
}

fn main() {
    assert_eq!(Speed::TEXTS, ["STANDARD", "by tomorrow", "BOX"]);
    assert_eq!(Speed::at(1), Some(Speed::NextDay));
    assert_eq!(Speed::at(3), None);
    assert_eq!(Speed::NextDay.text(), "by tomorrow");
    assert_eq!(Single::TEXTS, ["onlyOne"]);
}
