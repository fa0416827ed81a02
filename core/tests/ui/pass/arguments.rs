// What looks like a mistake and is none, and the most that there may be.
#![deny(warnings)]
#![allow(uncommon_codepoints)]

use median_edge::field::{Argument, Field, Kind, Mismatch, Raw};
use median_edge::prelude::*;

/// An order number, like `ORD-1042`.
struct OrderNumber(u32);

impl Argument for OrderNumber {
    const IS_FIELD: bool = true;
}

impl Field for OrderNumber {
    const KIND: Kind = Kind::String;

    fn parse(raw: Raw<'_>) -> Result<Self, Mismatch> {
        let digits = raw.string()?.strip_prefix("ORD-").and_then(|digits| digits.parse().ok());
        digits.map(Self).ok_or_else(|| Mismatch::new("must be an order number like ORD-1042"))
    }
}

/// A field of a type of one's own, and extractors whose names are no names of fields.
#[tool(risk = "low")]
fn own_field(
    /// The order.
    #[field(max_length = 12)]
    order: Option<OrderNumber>,
    _order: Visitor,
    größe: Call,
    __: Visitor,
) -> ToolResult<(u32, String)> {
    Ok((order.map_or(0, |order| order.0), größe.id().to_owned()))
}

/// As many fields as there may be, and extractors beside them.
#[tool(risk = "low")]
fn twenty(
    one: Call,
    /// A field.
    f1: bool,
    /// A field.
    f2: bool,
    /// A field.
    f3: bool,
    /// A field.
    f4: bool,
    /// A field.
    f5: bool,
    /// A field.
    f6: bool,
    /// A field.
    f7: bool,
    /// A field.
    f8: bool,
    /// A field.
    f9: bool,
    /// A field.
    f10: bool,
    two: Call,
    /// A field.
    f11: bool,
    /// A field.
    f12: bool,
    /// A field.
    f13: bool,
    /// A field.
    f14: bool,
    /// A field.
    f15: bool,
    /// A field.
    f16: bool,
    /// A field.
    f17: bool,
    /// A field.
    f18: bool,
    /// A field.
    f19: bool,
    /// A field.
    f20: bool,
    three: Call,
) {
    let _ = (one, two, three, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10);
    let _ = (f11, f12, f13, f14, f15, f16, f17, f18, f19, f20);
}

fn main() {
    let endpoint: Endpoint<()> = Endpoint::builder().tools(tools![own_field, twenty]).build().unwrap();
    assert_eq!(endpoint.tools()[0].fields().len(), 1);
    assert_eq!(endpoint.tools()[1].fields().len(), 20);
}
