use median_edge_platform::reviewer::ScriptedReviewer;
use serde_json::{Value, json};

use super::support::{Api, Stub, options};

fn refund() -> Value {
    json!({ "orderNumber": "ORD-1042", "cents": 500 })
}

fn address() -> Value {
    json!({ "orderNumber": "ORD-1043", "street": "Via Po 2", "city": "Torino", "postalCode": "10123" })
}

#[tokio::test]
async fn a_high_call_that_is_approved_runs_and_the_agent_hears_of_it() {
    let api = Api::demo().await;
    let conversation = api.conversation(Some("user_1")).await;
    let id = api.request_for(&conversation, "refundOrder", refund()).await;
    let open = api.get("/v1/tool-approvals?status=open").await.good();
    assert_eq!(
        (&open["items"][0]["id"], &open["items"][0]["input"]),
        (&json!(id), &json!(refund().to_string()))
    );
    let approved =
        api.post(&format!("/v1/tool-approvals/{id}/approve"), json!({ "teammate": "Ana" })).await.good();
    assert_eq!(approved["state"], "completed");
    assert!(approved["outcome"]["text"].as_str().unwrap().contains(r#""approvedBy":"Ana""#));
    let shown = api.get(&format!("/v1/conversations/{conversation}")).await.good();
    assert_eq!(shown["agentIsDue"], json!(true));
    let again = api.post(&format!("/v1/tool-approvals/{id}/deny"), json!({})).await.refused();
    assert_eq!(again, ("already_reviewed".to_owned(), "This request has already been reviewed.".to_owned()));
}

#[tokio::test]
async fn a_high_call_that_is_denied_never_reaches_the_endpoint() {
    let (stub, url) = Stub::endpoint().await;
    let api = Api::start(options()).await;
    api.connect(&url).await;
    let conversation = api.conversation(None).await;
    let id = api.request_for(&conversation, "highTool", json!({})).await;
    let denied =
        api.post(&format!("/v1/tool-approvals/{id}/deny"), json!({ "teammate": "Ana" })).await.good();
    assert_eq!((&denied["state"], &denied["decidedBy"]["name"]), (&json!("denied"), &json!("Ana")));
    assert!(stub.posted().is_empty());
}

#[tokio::test]
async fn two_decisions_at_once_run_the_call_once() {
    let (stub, url) = Stub::endpoint().await;
    let api = Api::start(options()).await;
    api.connect(&url).await;
    let conversation = api.conversation(None).await;
    let id = api.request_for(&conversation, "highTool", json!({})).await;
    let path = format!("/v1/tool-approvals/{id}/approve");
    let (one, two) = tokio::join!(api.post(&path, json!({})), api.post(&path, json!({})));
    assert_eq!([one, two].iter().filter(|answer| answer.status.is_success()).count(), 1);
    assert_eq!(stub.posted().len(), 1);
}

#[tokio::test]
async fn a_reviewed_call_without_a_reviewer_goes_to_the_team() {
    let api = Api::demo().await;
    let conversation = api.conversation(Some("user_1")).await;
    let id = api.request_for(&conversation, "changeAddress", address()).await;
    let path = format!("/v1/tool-approvals/{id}");
    let request = api.until(&path, |request| request["state"] == "pending").await;
    assert_eq!(request["review"]["verdict"], "none");
    let shown = api.get(&format!("/v1/conversations/{conversation}")).await.good();
    assert_eq!(shown["conversation"]["unread"], json!(true));
    assert_eq!(api.get("/v1/alerts").await.good()["items"][0]["approval"], json!(id));
    let approved = api.post(&format!("{path}/approve"), json!({})).await.good();
    assert_eq!(approved["state"], "completed");
}

#[tokio::test]
async fn a_reviewer_that_approves_lets_the_call_run() {
    let api = Api::with_demo(options().reviewer(ScriptedReviewer::Approve)).await;
    let conversation = api.conversation(Some("user_1")).await;
    let id = api.request_for(&conversation, "changeAddress", address()).await;
    let path = format!("/v1/tool-approvals/{id}");
    let request = api.until(&path, |request| request["state"] == "completed").await;
    assert_eq!(request["decidedBy"]["kind"], "reviewer");
    assert_eq!(api.get("/v1/alerts").await.good()["items"], json!([]));
}

#[tokio::test]
async fn a_reviewer_that_escalates_passes_the_call_to_the_team() {
    let api = Api::with_demo(options().reviewer(ScriptedReviewer::Escalate)).await;
    let conversation = api.conversation(Some("user_1")).await;
    let id = api.request_for(&conversation, "changeAddress", address()).await;
    let path = format!("/v1/tool-approvals/{id}");
    let request = api.until(&path, |request| request["state"] == "pending").await;
    assert_eq!(request["review"]["verdict"], "escalate");
}

#[tokio::test]
async fn a_reviewer_that_stays_silent_has_given_no_verdict() {
    let options =
        options().reviewer(ScriptedReviewer::Silent).review_limit(std::time::Duration::from_millis(100));
    let api = Api::with_demo(options).await;
    let conversation = api.conversation(Some("user_1")).await;
    let id = api.request_for(&conversation, "changeAddress", address()).await;
    let path = format!("/v1/tool-approvals/{id}");
    let request = api.until(&path, |request| request["state"] == "pending").await;
    assert_eq!(request["review"]["verdict"], "none");
}

#[tokio::test]
async fn a_teammate_decides_while_the_reviewer_reads() {
    let api = Api::with_demo(options().reviewer(ScriptedReviewer::Silent)).await;
    let conversation = api.conversation(Some("user_1")).await;
    let id = api.request_for(&conversation, "changeAddress", address()).await;
    let path = format!("/v1/tool-approvals/{id}");
    assert_eq!(api.get(&path).await.good()["state"], "reviewing");
    assert_eq!(api.post(&format!("{path}/approve"), json!({})).await.good()["state"], "completed");
}

#[tokio::test]
async fn an_ended_conversation_expires_its_requests() {
    let api = Api::demo().await;
    let conversation = api.conversation(Some("user_1")).await;
    let id = api.request_for(&conversation, "refundOrder", refund()).await;
    let state = format!("/v1/conversations/{conversation}/state");
    api.post(&state, json!({ "state": "resolved" })).await.good();
    let refused = api.post(&format!("/v1/tool-approvals/{id}/approve"), json!({})).await.refused();
    let expected = "This request expired because the conversation ended.";
    assert_eq!(refused, ("request_expired".to_owned(), expected.to_owned()));
}

#[tokio::test]
async fn an_alert_goes_to_the_webhook() {
    let (stub, url) = Stub::endpoint().await;
    let hook = Stub::default();
    hook.say("POST", 204, "");
    let api = Api::start(options().webhook(hook.serve().await)).await;
    api.connect(&url).await;
    let conversation = api.conversation(None).await;
    let id = api.request_for(&conversation, "highTool", json!({})).await;
    let alerts = api.until("/v1/alerts", |alerts| alerts["items"][0]["delivered"] == json!(true)).await;
    assert_eq!(alerts["items"][0]["approval"], json!(id));
    assert!(hook.posted()[0].contains(&id) && stub.posted().is_empty());
}

#[tokio::test]
async fn a_status_that_there_is_not_is_refused() {
    let api = Api::demo().await;
    let refused = api.get("/v1/tool-approvals?status=maybe").await.refused();
    assert!(refused.1.contains("open, reviewing, pending"), "{refused:?}");
}
