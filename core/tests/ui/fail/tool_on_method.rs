use median_edge::prelude::*;

struct Shop;

impl Shop {
    /// Look up the status of an order.
    #[tool(risk = "low")]
    async fn order_status(&self) {}
}

fn main() {}
