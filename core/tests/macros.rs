//! What `#[tool]`, `tools!`, `Choice` and `Object` make: the manifest, and calls.

use median_edge::prelude::*;

struct Shop {
    name: String,
}

#[derive(Choice, Clone, Copy, Debug, PartialEq)]
enum Speed {
    Standard,
    NextDay,
}

/// Look up the status.
#[tool(risk = "low", effect = "read")]
async fn order_status(
    /// The order number.
    order_number: String,
    /// How fast.
    speed: Option<Speed>,
    customer: VerifiedVisitor,
    shop: State<'_, Shop>,
) -> ToolResult<String> {
    Ok(format!("{order_number} {speed:?} {} {}", customer.id(), shop.name))
}

#[test]
fn works() {
    let endpoint: Endpoint<Shop> = Endpoint::builder().tools(tools![order_status]).build().unwrap();
    println!("{}", String::from_utf8_lossy(endpoint.manifest()));
}
