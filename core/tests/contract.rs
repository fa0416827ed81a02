//! The contract's own examples, expressed with this crate.
#![allow(missing_docs)]

use median_edge::navigation::{Page, navigation};
use median_edge::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

struct Orders(Vec<(&'static str, &'static str, &'static str)>);

#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    Order { status: &'static str },
    Nothing { found: bool },
}

/// Look up the status of one of the customer's orders.
#[tool(risk = "low", effect = "read")]
async fn order_status(
    /// The order number, like ORD-1042.
    order_number: String,
    customer: VerifiedVisitor,
    orders: State<'_, Orders>,
) -> ToolResult<Found> {
    let mut orders = orders.0.iter();
    let order = orders.find(|(owner, number, _)| *owner == customer.id() && *number == order_number);
    Ok(order.map_or(Found::Nothing { found: false }, |(_, _, status)| Found::Order { status }))
}

fn tools_and_diagnostics() -> EndpointBuilder<Orders> {
    Endpoint::builder()
        .tools(tools![order_status])
        .diagnostics(async |_: &Orders| ToolResult::Ok(json!({"version": "4f2c"})))
}

/// The contract's example of a config.
fn endpoint() -> Endpoint<Orders> {
    let pages = ["/orders", "/admin/users"].map(Page::new);
    tools_and_diagnostics().plugin(navigation(pages).exclude(["/admin/**"])).build().unwrap()
}

/// The contract's example.
#[test]
fn the_manifest_of_the_contracts_example_is_what_the_same_tool_gives() {
    let manifest: Value =
        serde_json::from_slice(tools_and_diagnostics().build().unwrap().manifest()).unwrap();
    let expected = json!({
        "version": 1,
        "tools": [{
            "name": "orderStatus",
            "description": "Look up the status of one of the customer's orders.",
            "risk": "low",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "orderNumber": {"type": "string", "description": "The order number, like ORD-1042."},
                },
                "required": ["orderNumber"],
                "additionalProperties": false,
            },
        }],
        "diagnostics": true,
    });
    assert_eq!(manifest, expected);
}

/// What the contract's example answers: who is not signed in is refused, what is not found is data.
#[tokio::test]
async fn the_tool_of_the_contracts_example_answers_what_the_example_does() {
    let client = endpoint().test_client(Orders(vec![("user_1", "ORD-1042", "shipped")]));
    let call = |number: &str| client.call("orderStatus").input(json!({"orderNumber": number}));
    assert_eq!(call("ORD-1042").await.refusal().reason, "not_signed_in");
    assert_eq!(call("ORD-1042").visitor("user_1").await.result::<Value>(), json!({"status": "shipped"}));
    assert_eq!(call("ORD-7").visitor("user_1").await.result::<Value>(), json!({"found": false}));
    assert_eq!(client.diagnostics().await.result::<Value>(), json!({"version": "4f2c"}));
}

/// The plugin of the contract's example: its tool comes first, and offers what is not excluded.
#[tokio::test]
async fn the_pages_of_the_contracts_example_are_offered_without_those_of_the_team() {
    let endpoint = endpoint();
    let manifest: Value = serde_json::from_slice(endpoint.manifest()).unwrap();
    let names: Vec<_> = manifest["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["goToPage", "orderStatus"]);
    let paths = &manifest["tools"][0]["inputSchema"]["properties"]["path"]["enum"];
    assert_eq!(paths, &json!(["/orders"]));

    let client = endpoint.test_client(Orders(Vec::new()));
    let go = client.call("goToPage").input(json!({"path": "/orders"})).await;
    assert_eq!(go.navigate_to(), Some("/orders"));
}
