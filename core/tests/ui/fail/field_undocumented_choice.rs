use median_edge::prelude::*;

#[derive(Choice)]
enum Speed {
    Standard,
    NextDay,
}

/// Look up the status of an order.
#[tool(risk = "low")]
async fn order_status(speed: Option<Speed>) {
    let _ = speed;
}

fn main() {}
