use std::time::Duration;

use serde_json::json;

use super::support::{Api, Stub, options};

#[tokio::test]
async fn a_teammate_runs_a_high_tool_and_sees_the_result() {
    let api = Api::demo().await;
    let conversation = api.conversation(Some("user_1")).await;
    let run = json!({ "tool": "refundOrder", "input": { "orderNumber": "ORD-1042" }, "teammate": "Ana" });
    let run = api.post(&format!("/v1/conversations/{conversation}/runs"), run).await.good();
    assert_eq!(run["state"], "completed");
    assert!(run["outcome"]["text"].as_str().unwrap().contains(r#""approvedBy":"Ana""#));
    let shown = api.get(&format!("/v1/conversations/{conversation}")).await.good();
    assert_eq!(shown["agentIsDue"], json!(false), "the agent is not told");
}

#[tokio::test]
async fn a_run_with_a_field_missing_names_it() {
    let api = Api::demo().await;
    let conversation = api.conversation(None).await;
    let run = json!({ "tool": "orderStatus", "input": {} });
    let refused = api.post(&format!("/v1/conversations/{conversation}/runs"), run).await.refused();
    assert_eq!(refused, ("invalid_input".to_owned(), "orderNumber is needed to run this.".to_owned()));
}

#[tokio::test]
async fn a_fourth_run_waits_for_one_to_finish() {
    let (stub, url) = Stub::endpoint().await;
    stub.hang();
    let api = Api::start(options()).await;
    api.connect(&url).await;
    let conversation = api.conversation(None).await;
    let path = format!("/v1/conversations/{conversation}/runs?wait=false");
    let run = json!({ "tool": "highTool", "input": {} });
    for _ in 0..3 {
        api.post(&path, run.clone()).await.good();
    }
    let refused = api.post(&path, run).await.refused();
    assert_eq!(refused.1, "Three tools are already running in this conversation. Wait for one to finish.");
}

#[tokio::test]
async fn an_archived_conversation_runs_nothing() {
    let api = Api::demo().await;
    let conversation = api.conversation(None).await;
    api.post(&format!("/v1/conversations/{conversation}/state"), json!({ "state": "archived" })).await.good();
    let run = json!({ "tool": "orderStatus", "input": { "orderNumber": "ORD-1042" } });
    let refused = api.post(&format!("/v1/conversations/{conversation}/runs"), run).await.refused();
    assert_eq!(refused.1, "Move this conversation out of the archive before running a tool.");
}

#[tokio::test]
async fn a_report_holds_what_the_endpoint_says_of_itself() {
    let api = Api::demo().await;
    let conversation = api.conversation(None).await;
    let report = json!({ "text": "It is slow.", "conversation": conversation, "page": { "url": "/orders" } });
    let report = api.post("/v1/reports", report).await.good();
    assert_eq!(
        (&report["page"]["url"], &report["diagnostics"][0]["state"]),
        (&json!("/orders"), &json!("answered"))
    );
    assert!(report["diagnostics"][0]["text"].as_str().unwrap().contains(r#""orders":3"#));
}

#[tokio::test]
async fn the_log_is_filtered_by_type_tool_and_conversation() {
    let api = Api::demo().await;
    let conversation = api.conversation(Some("user_1")).await;
    api.call(&conversation, "orderStatus", json!({ "orderNumber": "ORD-1042" })).await.good();
    api.call(&conversation, "listOrders", json!({})).await.good();
    let path = format!("/v1/logs?type=Tools&tool=orderStatus&conversation={conversation}");
    let events = api.get(&path).await.good()["items"].clone();
    let events: Vec<_> =
        events.as_array().unwrap().iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["call.finished", "call.sent"]);
    assert_eq!(api.get("/v1/logs?type=tools").await.refused().0, "invalid_request");
    let page = api.get("/v1/logs?limit=2").await.good();
    let next = page["next"].as_u64().unwrap();
    let older = api.get(&format!("/v1/logs?limit=2&before={next}")).await.good();
    assert_ne!(page["items"][1], older["items"][0]);
}

#[tokio::test]
async fn events_are_heard_as_they_happen() {
    use axum::body::Body;
    use http_body_util::BodyExt;
    use tower::ServiceExt;

    let api = Api::demo().await;
    let request = super::support::with_key("GET", "/v1/events").body(Body::empty()).unwrap();
    let response = api.router.clone().oneshot(request).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    api.conversation(None).await;
    let frame = tokio::time::timeout(Duration::from_secs(10), body.frame()).await.unwrap().unwrap().unwrap();
    let text = String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap();
    assert!(text.contains("conversation.begun"), "{text}");
}
