use median_edge::prelude::*;

struct Order;

/// Look up the status of an order.
#[tool(risk = "low")]
async fn report_bug(
    order: Order,
    number: String,
    /// The line.
    #[field(min = 1)]
    line: String,
    /// Another line.
    #[field(name = "line")]
    other: Vec<String>,
) -> u8 {
    let _ = (order, number, line, other);
    1
}

fn main() {}
