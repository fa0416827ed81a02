//! What `#[tool]`, `tools!`, `Choice` and `Object` make: the manifest, and what becomes of calls.
// The tools show every form that there is, whether or not their bodies need it.
#![allow(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    clippy::used_underscore_binding
)]

use std::time::Duration;

use median_edge::Code;
use median_edge::prelude::*;
use median_edge::testing::TestClient;
use serde_json::{Value, json};

/// What the tools work on.
struct Shop {
    name: String,
    notes: Notes,
}

#[derive(Choice, Clone, Copy, Debug, PartialEq)]
enum Speed {
    Standard,
    NextDay,
    #[choice(rename = "by drone")]
    Drone,
}

mod orders {
    use super::Shop;
    use median_edge::prelude::*;

    #[derive(serde::Serialize, Object)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct OrderStatus {
        pub(crate) order_number: String,
        pub(crate) customer: String,
        pub(crate) shop: String,
    }

    /// Look up the status of one of the
    /// customer's orders.
    ///
    /// Orders are kept for:
    /// - a year, when they were paid
    /// - a week, when not
    #[tool(risk = "low", effect = "read")]
    pub(crate) async fn order_status(
        /// The order number, like ORD-1042.
        #[field(not_blank, max_length = 8)]
        order_number: String,
        customer: VerifiedVisitor,
        shop: State<'_, Shop>,
    ) -> ToolResult<OrderStatus> {
        let customer = customer.id().to_owned();
        Ok(OrderStatus { order_number, customer, shop: shop.name.clone() })
    }

    pub(crate) mod refunds {
        use super::OrderStatus;
        use median_edge::prelude::*;

        /// Refund an order.
        #[tool(risk = "high", name = "refund")]
        pub(crate) async fn refund_order(
            call: Call,
            /// The order number.
            order_number: String,
        ) -> ToolResult<Reply<OrderStatus>> {
            let customer = call.approved_by().unwrap_or_default().to_owned();
            let status = OrderStatus { order_number, customer, shop: String::new() };
            Ok(Reply::new(status).navigate_to("/orders")?.highlight("#refund")?)
        }
    }
}

/// Take one of everything.
#[tool(risk = "medium")]
fn every_kind(
    /// Text.
    text: String,
    /// A number.
    #[field(min = -0.5, max = 1)]
    ratio: f64,
    /// A whole number.
    #[field(name = "howMany", min = 1)]
    count: u8,
    /// A yes or no.
    r#final: bool,
    /// A choice.
    speed: Speed,
    visitor: Visitor,
    /// Text, or not.
    _maybe_text: Option<String>,
    /// A number, or not.
    maybe_ratio: Option<f64>,
    /// A whole number, or not.
    #[field(max = 10)]
    maybe_count: Option<i64>,
    /// A yes or no, or not.
    maybe_final: Option<bool>,
    /// A choice, or not.
    maybe_speed: Option<Speed>,
) -> ToolResult<Value> {
    Ok(json!({
        "text": text,
        "ratio": ratio,
        "count": count,
        "final": r#final,
        "speed": format!("{speed:?}"),
        "name": visitor.unverified_name(),
        "maybe": [json!(_maybe_text), json!(maybe_ratio), json!(maybe_count), json!(maybe_final)],
        "maybeSpeed": maybe_speed.map(|speed| format!("{speed:?}")),
    }))
}

/// Do nothing.
#[tool(risk = "reviewed")]
async fn nothing() {}

/// Take longer than it may.
#[tool(risk = "low", effect = "read", timeout = 2)]
async fn wait() {
    std::future::pending::<()>().await;
}

/// A library's own state.
struct Notes {
    text: String,
}

impl Has<Notes> for Shop {
    fn part(&self) -> &Notes {
        &self.notes
    }
}

/// Read the note.
#[tool(risk = "low")]
async fn read_note(notes: State<'_, Notes>) -> ToolResult<String> {
    Ok(notes.text.clone())
}

/// Tools that work on any state which holds the notes.
fn notes<S: Has<Notes> + Sync + 'static>() -> Plugin<S> {
    Plugin::new("notes").tools(tools![read_note])
}

fn client() -> TestClient<Shop> {
    let tools = tools![orders::order_status, orders::refunds::refund_order, every_kind, nothing, wait];
    let endpoint = Endpoint::builder().plugin(notes()).tools(tools).build().unwrap();
    let notes = Notes { text: "Closed on Mondays.".to_owned() };
    endpoint.test_client(Shop { name: "Corner".to_owned(), notes })
}

fn every_input() -> Value {
    json!({"text": "a", "ratio": 0.5, "howMany": 2, "final": true, "speed": "by drone"})
}

#[test]
fn the_signature_and_its_docs_are_the_manifest() {
    let client = client();
    let manifest = String::from_utf8_lossy(client.endpoint().manifest());
    let lines = manifest.replace(r#"{"name""#, "\n{\"name\"").replace(r#"":{"type"#, "\":\n  {\"type");
    insta::assert_snapshot!(lines, @r#"
    {"version":1,"tools":[
    {"name":"readNote","description":"Read the note.","risk":"low","inputSchema":
      {"type":"object","properties":{},"additionalProperties":false}},
    {"name":"orderStatus","description":"Look up the status of one of the customer's orders.\n\nOrders are kept for:\n- a year, when they were paid\n- a week, when not","risk":"low","inputSchema":
      {"type":"object","properties":{"orderNumber":
      {"type":"string","description":"The order number, like ORD-1042."}},"required":["orderNumber"],"additionalProperties":false}},
    {"name":"refund","description":"Refund an order.","risk":"high","inputSchema":
      {"type":"object","properties":{"orderNumber":
      {"type":"string","description":"The order number."}},"required":["orderNumber"],"additionalProperties":false}},
    {"name":"everyKind","description":"Take one of everything.","risk":"medium","inputSchema":
      {"type":"object","properties":{"text":
      {"type":"string","description":"Text."},"ratio":
      {"type":"number","description":"A number."},"howMany":
      {"type":"number","description":"A whole number."},"final":
      {"type":"boolean","description":"A yes or no."},"speed":
      {"type":"string","description":"A choice.","enum":["standard","nextDay","by drone"]},"maybeText":
      {"type":"string","description":"Text, or not."},"maybeRatio":
      {"type":"number","description":"A number, or not."},"maybeCount":
      {"type":"number","description":"A whole number, or not."},"maybeFinal":
      {"type":"boolean","description":"A yes or no, or not."},"maybeSpeed":
      {"type":"string","description":"A choice, or not.","enum":["standard","nextDay","by drone"]}},"required":["text","ratio","howMany","final","speed"],"additionalProperties":false}},
    {"name":"nothing","description":"Do nothing.","risk":"reviewed","inputSchema":
      {"type":"object","properties":{},"additionalProperties":false}},
    {"name":"wait","description":"Take longer than it may.","risk":"low","inputSchema":
      {"type":"object","properties":{},"additionalProperties":false}}]}
    "#);
}

#[tokio::test]
async fn fields_arrive_as_they_were_sent_and_extractors_beside_them() {
    let input = json!({"orderNumber": "ORD-1042"});
    let answer = client().call("orderStatus").visitor("user_1").input(input).await;
    assert_eq!(
        answer.result::<Value>(),
        json!({"orderNumber": "ORD-1042", "customer": "user_1", "shop": "Corner"})
    );
}

#[tokio::test]
async fn every_kind_arrives() {
    let mut input = every_input();
    input["maybeText"] = "b".into();
    input["maybeRatio"] = json!(2);
    input["maybeCount"] = json!(-9_007_199_254_740_993_i64);
    input["maybeFinal"] = false.into();
    input["maybeSpeed"] = "nextDay".into();
    let answer = client().call("everyKind").name("Ana").input(input).await;
    assert_eq!(
        answer.result::<Value>(),
        json!({
            "text": "a", "ratio": 0.5, "count": 2, "final": true, "speed": "Drone", "name": "Ana",
            "maybe": ["b", 2.0, -9_007_199_254_740_993_i64, false], "maybeSpeed": "NextDay",
        })
    );
}

#[tokio::test]
async fn optional_fields_may_be_absent_or_null() {
    let mut input = every_input();
    input["maybeCount"] = Value::Null;
    let answer = client().call("everyKind").input(input).await;
    let result = answer.result::<Value>();
    assert_eq!(result["maybe"], json!([null, null, null, null]));
    assert_eq!(result["maybeSpeed"], Value::Null);
}

#[tokio::test]
async fn checks_are_enforced_by_the_names_that_the_agent_knows() {
    let client = client();
    for (field, value, message) in [
        ("ratio", json!(1.5), "ratio must be a number from -0.5 to 1; the number that came is more."),
        ("howMany", json!(0), "howMany must be a whole number from 1 to 255; the number that came is less."),
        (
            "speed",
            json!("Drone"),
            r#"speed must be one of "standard", "nextDay", "by drone"; another text came."#,
        ),
        ("final", json!("yes"), "final must be a boolean (true or false); a string came."),
        ("r#final", json!(true), "fields are"),
    ] {
        let mut input = every_input();
        input[field] = value;
        let answer = client.call("everyKind").input(input).await;
        let error = &answer.error().message;
        assert!(error.contains(message), "{field}: {error}");
    }
    let answer = client.call("orderStatus").input(json!({"orderNumber": " "})).await;
    assert_eq!(answer.error().message, "orderNumber must not be blank.");
}

#[tokio::test]
async fn input_comes_before_the_gate_and_the_gate_before_extractors() {
    let client = client();
    let answer = client.call("orderStatus").input(json!({})).await;
    assert_eq!(answer.error().message, "orderNumber is missing; it must be a string.");
    let answer = client.call("orderStatus").input(json!({"orderNumber": "1"})).await;
    assert_eq!(answer.refusal().reason, "not_signed_in");
    let answer = client.call("refund").input(json!({"orderNumber": 1})).await;
    assert_eq!(answer.error().message, "orderNumber must be a string; a number came.");
    let answer = client.call("refund").input(json!({"orderNumber": "1"})).await;
    assert_eq!(answer.refusal().reason, "approval_required");
}

#[tokio::test]
async fn a_reply_has_its_directives_beside_the_value() {
    let answer = client().call("refund").approved_by("Kim").input(json!({"orderNumber": "1"})).await;
    assert_eq!(answer.navigate_to(), Some("/orders"));
    assert_eq!(answer.highlight(), Some("#refund"));
    assert_eq!(answer.result::<Value>()["customer"], "Kim");
}

#[tokio::test]
async fn a_tool_may_return_nothing() {
    let answer = client().call("nothing").approved_by("The reviewer").await;
    assert_eq!(answer.result::<Value>(), Value::Null);
}

#[tokio::test]
async fn a_tool_without_arguments_takes_no_input() {
    let answer = client().call("nothing").approved_by("The reviewer").input(json!({"a": 1})).await;
    assert!(answer.error().message.contains("takes no input"), "{}", answer.error().message);
}

#[tokio::test]
async fn effect_and_timeout_reach_the_call() {
    let client = client();
    let clock = client.clock().clone();
    let call = async { client.call("wait").await };
    let (answer, ()) = tokio::join!(call, async move { clock.advance(Duration::from_secs(2)) });
    // A read that ran out of time has failed; a write might have happened.
    assert_eq!(answer.error().code, Code::ExecutionFailed);
    let events = client.take_events();
    assert_eq!(events[0]["effect"], "read");
}

#[tokio::test]
async fn a_plugin_keeps_its_own_state_inside_the_endpoints() {
    assert_eq!(client().call("readNote").await.result::<String>(), "Closed on Mondays.");
}

#[tokio::test]
async fn the_function_is_still_a_function() {
    let shop = Shop { name: "Corner".to_owned(), notes: Notes { text: String::new() } };
    let status =
        orders::order_status("1".to_owned(), VerifiedVisitor::for_tests("user_1"), State::new(&shop)).await;
    assert_eq!(status.unwrap().customer, "user_1");
    nothing().await;
}
