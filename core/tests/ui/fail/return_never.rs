use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
fn order_status() -> ! {
    panic!()
}

fn main() {}
