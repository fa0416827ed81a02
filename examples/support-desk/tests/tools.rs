//! The demo's tools, called as the platform calls them.
#![allow(missing_docs)]

use median_edge::testing::TestClient;
use median_edge::{Code, Method, Request};
use serde_json::{Value, json};
use support_desk::{Desk, endpoint};

fn client() -> TestClient<Desk> {
    endpoint().unwrap().test_client(Desk::demo())
}

#[tokio::test]
async fn a_customer_sees_their_own_orders_only() {
    let client = client();
    let answer = client.call("orderStatus").visitor("user_1").input(json!({"orderNumber": "ORD-1042"})).await;
    assert_eq!(answer.assert_fits().result::<Value>()["shipping"], "shipped");
    assert_eq!(answer.navigate_to(), Some("/orders/ORD-1042"));

    for number in ["ORD-2001", "ORD-9999"] {
        let answer = client.call("orderStatus").visitor("user_1").input(json!({"orderNumber": number})).await;
        assert_eq!(answer.refusal().reason, "no_such_order", "{number}");
    }
    let answer = client.call("listOrders").visitor("user_1").await;
    let numbers: Vec<_> =
        answer.result::<Vec<Value>>().into_iter().map(|order| order["number"].clone()).collect();
    assert_eq!(numbers, ["ORD-1043", "ORD-1042"]);
}

#[tokio::test]
async fn nobody_is_served_without_being_signed_in() {
    let client = client();
    let answer = client.call("listOrders").email("ana@example.com").await;
    assert_eq!(answer.refusal().reason, "not_signed_in");
}

#[tokio::test]
async fn a_refund_needs_approval_and_happens_once_for_each_call() {
    let client = client();
    let refund = || client.call("refundOrder").visitor("user_1").id("approval_1");
    let input = json!({"orderNumber": "ORD-1042", "cents": 1_000});
    assert_eq!(refund().input(&input).await.refusal().reason, "approval_required");

    for _ in 0..2 {
        let answer = refund().input(&input).approved_by("Mia").await;
        let expected = json!({"order": "ORD-1042", "cents": 1_000, "approvedBy": "Mia"});
        assert_eq!(answer.result::<Value>(), expected);
    }
    assert_eq!(client.state().order("user_1", "ORD-1042").unwrap().refunded_cents, 1_000);

    let again = client.call("refundOrder").visitor("user_1").id("approval_2").approved_by("Mia");
    let answer = again.input(json!({"orderNumber": "ORD-1042", "cents": 6_000})).await;
    assert_eq!(answer.refusal().detail.as_deref(), Some("Only 5480 cents of the payment are left."));
    let rest = client.call("refundOrder").visitor("user_1").id("approval_3").approved_by("Mia");
    assert_eq!(rest.input(json!({"orderNumber": "ORD-1042"})).await.result::<Value>()["cents"], 5_480);
    let more = client.call("refundOrder").visitor("user_1").id("approval_4").approved_by("Mia");
    assert_eq!(more.input(json!({"orderNumber": "ORD-1042"})).await.refusal().reason, "already_refunded");
}

#[tokio::test]
async fn an_address_changes_only_before_the_order_leaves() {
    let client = client();
    let input = |number: &str| json!({"orderNumber": number, "street": "Corso Duca 7", "city": "Torino", "postalCode": "10129"});
    let change = || client.call("changeAddress").visitor("user_1");
    assert_eq!(change().input(input("ORD-1043")).await.refusal().reason, "approval_required");
    let answer = change().input(input("ORD-1043")).approved_by("The reviewer").await;
    assert_eq!(answer.result::<Value>()["street"], "Corso Duca 7");
    let answer = change().input(input("ORD-1042")).approved_by("The reviewer").await;
    assert_eq!(answer.refusal().reason, "already_shipped");

    let mut blank = input("ORD-1043");
    blank["city"] = json!("  ");
    let answer = change().input(blank).await;
    assert_eq!(
        (answer.error().code, answer.error().message.as_str()),
        (Code::InvalidInput, "city must not be blank.")
    );
}

#[tokio::test]
async fn the_newsletter_takes_its_own_topics() {
    let client = client();
    let subscribe = |topic: &str| {
        let input = json!({"topic": topic, "subscribed": true});
        client.call("newsletter").visitor("user_2").input(input)
    };
    assert_eq!(subscribe("newArrivals").await.result::<Value>()["changed"], true);
    assert_eq!(subscribe("newArrivals").await.result::<Value>()["changed"], false);
    let answer = subscribe("gossip").await;
    assert_eq!(answer.error().message, r#"topic must be one of "offers", "newArrivals"; another text came."#);
}

#[tokio::test]
async fn customers_are_sent_to_the_shops_own_pages_only() {
    let client = client();
    let go = |input: Value| client.call("goToPage").input(input);
    let answer = go(json!({"path": "/orders/ORD-1042", "highlight": "#refund"})).await;
    assert_eq!((answer.navigate_to(), answer.highlight()), (Some("/orders/ORD-1042"), Some("#refund")));
    assert_eq!(answer.result::<Value>()["page"], "/orders/ORD-1042");

    for path in
        ["/staff/orders", "https://evil.example/orders", "//evil.example/orders", "/help/%2e%2e", "/cart"]
    {
        let answer = go(json!({"path": path})).await;
        assert_eq!(answer.refusal().reason, "unknown_page", "{path}");
    }
    let answer = go(json!({"path": "/help/returns", "highlight": "#refund"})).await;
    assert_eq!(answer.refusal().reason, "unknown_highlight");
}

#[tokio::test]
async fn diagnostics_count_what_is_there() {
    let expected = json!({"version": env!("CARGO_PKG_VERSION"), "orders": 3, "refunds": 0});
    assert_eq!(client().diagnostics().await.result::<Value>(), expected);
}

#[tokio::test]
async fn the_manifest_is_what_the_agent_is_shown() {
    insta::assert_json_snapshot!(client().manifest().await);
}

#[tokio::test]
async fn the_application_manifest_is_there_for_anyone_and_fits_its_schema() {
    let response = client().send(Request::new(Method::Get, "/agent/manifest")).await;
    assert_eq!(response.status(), 200);
    let document: Value = serde_json::from_slice(response.body()).unwrap();
    let schema: Value =
        serde_json::from_str(include_str!("../../../docs/agent-manifest.schema.json")).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().validate(&document).is_ok());
    insta::assert_json_snapshot!(document);
}

#[tokio::test]
async fn what_the_tools_answer_fits_what_the_application_manifest_says() {
    let client = client();
    let document: Value = serde_json::from_slice(client.endpoint().application_manifest().unwrap()).unwrap();
    let schema = |name: &str| {
        let tools = document["tools"].as_array().unwrap();
        tools.iter().find(|tool| tool["name"] == name).unwrap()["output"].clone()
    };
    for (tool, name, input) in [
        ("orderStatus", "order_status", json!({"orderNumber": "ORD-1042"})),
        ("listOrders", "list_orders", json!({})),
        ("newsletter", "newsletter", json!({"topic": "offers", "subscribed": true})),
    ] {
        let answer = client.call(tool).visitor("user_1").input(input).await.result::<Value>();
        let validator = jsonschema::validator_for(&schema(name)).unwrap();
        assert!(validator.is_valid(&answer), "{tool}: {answer}");
    }
}
