// Other attributes stay on the function and its arguments, and do not get into the way of the macro.
#![deny(warnings)]

use median_edge::prelude::*;

#[deprecated = "look up by number"]
#[inline]
#[must_use]
#[tool(risk = "low")]
#[doc(alias = "look up")]
/// Look up an order.
#[allow(clippy::unused_async)]
#[expect(unused_variables)]
/// By its number.
async fn find(
    #[allow(unused_mut)]
    /// The number,
    #[field(name = "number", not_blank, min_length = 3, max_length = 0x10)]
    /// like ORD-1042.
    #[allow(unused_variables)]
    mut order_number: String,
    /// This one is documented too, although the agent does not read it.
    #[allow(unused_variables)]
    customer: Visitor,
    /// The most.
    #[field(min = -1.5, max = 2_000_000, )]
    most: f64,
) -> ToolResult<u8> {
    Ok(1)
}

fn main() {
    let tools: [Tool<()>; 1] = tools![find];
    assert_eq!(tools[0].description(), "Look up an order. By its number.");
    assert_eq!(tools[0].fields()[0].description, "The number, like ORD-1042.");
    assert_eq!(tools[0].fields().len(), 2);
}
