use median_edge::MedianKey;
use serde_json::json;

use super::support::{Api, Stub, demo, demo_with, options};

#[tokio::test]
async fn an_endpoint_connects_and_its_tools_are_there() {
    let api = Api::start(options()).await;
    let id = api.connect(&demo().await).await;
    let endpoint = api.get(&format!("/v1/tool-endpoints/{id}")).await.good();
    assert_eq!(endpoint["sync"]["state"], "synced");
    let tools = api.get("/v1/tools").await.good();
    let refund =
        tools["items"].as_array().unwrap().iter().find(|tool| tool["name"] == "refundOrder").unwrap();
    assert_eq!((&refund["risk"], &refund["enabled"]), (&json!("high"), &json!(true)));
    assert!(refund["agentDescription"].as_str().unwrap().contains("sign-off"));
    assert!(!refund["description"].as_str().unwrap().contains("sign-off"));
    assert_eq!(refund["inputSchema"]["additionalProperties"], json!(false));
}

#[tokio::test]
async fn a_sync_that_fails_says_why_and_leaves_the_last_good_tools() {
    let (stub, url) = Stub::endpoint().await;
    let api = Api::start(options()).await;
    let id = api.connect(&url).await;
    for (status, body, reason) in [
        (200, r#"{"version":2,"tools":[]}"#, "version is 2"),
        (
            401,
            r#"{"error":{"code":"invalid_signature","message":"It is another key."}}"#,
            "It is another key.",
        ),
        (302, "", "302"),
        (200, "<script>alert(1)</script>", "not a JSON object"),
    ] {
        stub.say("GET", status, body);
        let endpoint = api.post(&format!("/v1/tool-endpoints/{id}/sync"), json!({})).await.good();
        assert_eq!(endpoint["sync"]["state"], "failed");
        let reasons = endpoint["sync"]["reasons"][0].as_str().unwrap();
        assert!(reasons.contains(reason), "{reasons}");
        assert_eq!(endpoint["synced"]["tools"].as_array().unwrap().len(), 4);
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (stub, url) = Stub::endpoint().await;
    let api = Api::start(options()).await;
    stub.say("GET", 307, "");
    api.connect(&url).await;
    assert_eq!(stub.asked.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn what_nothing_listens_at_is_not_answering() {
    let api = Api::start(options()).await;
    let id = api.connect("http://127.0.0.1:1/api/median").await;
    let endpoint = api.get(&format!("/v1/tool-endpoints/{id}")).await.good();
    assert_eq!(endpoint["sync"]["code"], "not_answering");
}

#[tokio::test]
async fn an_endpoint_with_a_key_of_its_own_is_asked_with_that_key() {
    let own = "median_key_of_its_own_0000000000000000";
    let url = demo_with(MedianKey::parse(own).unwrap()).await;
    let api = Api::start(options()).await;
    let id = api.connect(&url).await;
    let failed = api.get(&format!("/v1/tool-endpoints/{id}")).await.good();
    assert!(failed["sync"]["reasons"][0].as_str().unwrap().contains("invalid_signature"));
    let connected = api.post("/v1/tool-endpoints", json!({ "url": url, "key": own })).await.good();
    assert_eq!(connected["id"], json!(id));
    let path = format!("/v1/tool-endpoints/{id}");
    let endpoint = api.until(&path, |endpoint| endpoint["sync"]["state"] == "synced").await;
    assert!(!endpoint.to_string().contains(own));
    let refused = api.post("/v1/tool-endpoints", json!({ "url": url, "key": "secret" })).await.refused();
    assert!(!refused.1.contains("\"secret\""), "{refused:?}");
}

#[tokio::test]
async fn an_endpoint_that_is_removed_takes_its_tools_along() {
    let api = Api::start(options()).await;
    let id = api.connect(&demo().await).await;
    assert_eq!(api.delete(&format!("/v1/tool-endpoints/{id}")).await.status, 204);
    assert_eq!(api.get("/v1/tools").await.good()["items"], json!([]));
    assert_eq!(api.delete(&format!("/v1/tool-endpoints/{id}")).await.refused().0, "not_found");
}

#[tokio::test]
async fn over_the_rate_limit_a_sync_fails() {
    let (_stub, url) = Stub::endpoint().await;
    let api = Api::start(options()).await;
    let id = api.connect(&url).await;
    let path = format!("/v1/tool-endpoints/{id}/sync");
    for _ in 0..9 {
        api.post(&path, json!({})).await.good();
    }
    let refused = api.post(&path, json!({})).await;
    assert_eq!(refused.status, 429);
    let expected = ("rate_limited".to_owned(), "Too many requests. Wait a moment and try again.".to_owned());
    assert_eq!(refused.refused(), expected);
}
