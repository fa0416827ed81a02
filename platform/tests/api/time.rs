use serde_json::json;

use super::support::{Api, Stub, options};

const HOUR: u64 = 60 * 60 * 1000;

async fn forward(api: &Api, ms: u64) {
    api.post("/v1/clock/move", json!({ "byMs": ms })).await.good();
}

#[tokio::test]
async fn a_request_expires_when_the_clock_is_moved_past_its_moment() {
    let api = Api::demo().await;
    let conversation = api.conversation(Some("user_1")).await;
    let id = api.request_for(&conversation, "refundOrder", json!({ "orderNumber": "ORD-1042" })).await;
    let path = format!("/v1/tool-approvals/{id}");
    forward(&api, 23 * HOUR).await;
    assert_eq!(api.get(&path).await.good()["state"], "pending");
    forward(&api, HOUR).await;
    let request = api.get(&path).await.good();
    assert_eq!(request["state"], "expired");
    assert_eq!(request["finishedMs"], request["expiresMs"]);
}

#[tokio::test]
async fn signatures_stay_on_the_real_clock() {
    let api = Api::demo().await;
    forward(&api, 48 * HOUR).await;
    let conversation = api.conversation(Some("user_1")).await;
    let answer = api.call(&conversation, "orderStatus", json!({ "orderNumber": "ORD-1042" })).await.good();
    assert_eq!(answer["call"]["outcome"]["kind"], "data");
}

#[tokio::test]
async fn what_never_reports_back_is_failed_by_the_hourly_check() {
    let (stub, url) = Stub::endpoint().await;
    stub.hang();
    let api = Api::start(options()).await;
    api.connect(&url).await;
    let conversation = api.conversation(None).await;
    let id = api.request_for(&conversation, "highTool", json!({})).await;
    api.post(&format!("/v1/tool-approvals/{id}/approve?wait=false"), json!({})).await.good();
    let run = json!({ "tool": "highTool", "input": {} });
    let path = format!("/v1/conversations/{conversation}/runs?wait=false");
    let run = api.post(&path, run).await.good()["id"].as_str().unwrap().to_owned();
    forward(&api, HOUR).await;
    let request = api.get(&format!("/v1/tool-approvals/{id}")).await.good();
    let message = "The tool returned no result. Check whether the action completed before retrying.";
    assert_eq!((&request["state"], &request["error"]), (&json!("failed"), &json!(message)));
    assert_eq!(api.get(&format!("/v1/runs/{run}")).await.good()["state"], "failed");
    let thread = api.get(&format!("/v1/conversations/{conversation}/entries")).await.good().to_string();
    assert!(thread.contains("highTool did not run: the call never reported back"), "{thread}");
}

#[tokio::test]
async fn the_clock_moves_a_year_at_most_and_never_back() {
    let api = Api::start(options()).await;
    let year = 366 * 24 * HOUR;
    assert_eq!(api.post("/v1/clock/move", json!({ "byMs": year + 1 })).await.refused().0, "invalid_request");
    assert_eq!(api.post("/v1/clock/move", json!({ "byMs": -1 })).await.refused().0, "invalid_request");
    let moved = api.post("/v1/clock/move", json!({ "byMs": year })).await.good();
    assert_eq!(moved["aheadMs"], json!(year));
}
