use median_edge::prelude::*;

struct Line {
    number: String,
}

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(
    /// The number and the line.
    Line { number }: Line,
) {
    let _ = number;
}

fn main() {}
