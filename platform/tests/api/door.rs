use axum::Router;
use axum::body::Body;
use http::Request;
use median_edge::MedianKey;
use median_edge_platform::{Access, Bound, Platform, ServeError, openapi, router};
use serde_json::json;

use super::support::{Api, options, with_key};

fn empty(builder: http::request::Builder) -> Request<Body> {
    builder.body(Body::empty()).unwrap()
}

#[tokio::test]
async fn whoever_lacks_the_key_learns_nothing() {
    let api = Api::start(options()).await;
    for key in ["", "Bearer", "Bearer wrong", "Bearer median_key_other_00000000000000000", "Basic x"] {
        let request = Request::builder().uri("/v1/tools").header("authorization", key);
        assert_eq!(api.request(empty(request)).await.refused().0, "unauthorized", "{key}");
    }
    let request = Request::builder().uri("/v1/nothing");
    assert_eq!(api.request(empty(request)).await.refused().0, "unauthorized");
}

#[tokio::test]
async fn another_host_or_page_is_turned_away_even_with_the_key() {
    let api = Api::start(options()).await;
    for (name, value) in [
        ("host", "evil.example"),
        ("host", "127.0.0.1.evil.example"),
        ("origin", "https://evil.example"),
        ("origin", "null"),
    ] {
        let request = with_key("GET", "/v1/tools").header(name, value);
        assert_eq!(api.request(empty(request)).await.refused().0, "foreign_host", "{value}");
    }
    let request =
        with_key("GET", "/v1/tools").header("host", "localhost:1").header("origin", "http://localhost:1");
    assert!(api.request(empty(request)).await.status.is_success());
}

#[tokio::test]
async fn refusals_have_the_form_of_all_errors() {
    let api = Api::start(options()).await;
    assert_eq!(api.get("/v1/nothing").await.refused().0, "not_found");
    for path in ["/v1/tool-endpoints/%ff", "/v1/conversations/%c3%28", "/v1/calls/%80"] {
        assert_eq!(api.get(path).await.refused().0, "invalid_request", "{path}");
    }
    assert_eq!(api.delete("/v1/tools").await.refused().0, "method_not_allowed");
    assert_eq!(api.post_text("/v1/tool-endpoints", "{").await.refused().0, "invalid_request");
    assert_eq!(api.post("/v1/tool-endpoints", json!({ "uri": "x" })).await.refused().0, "invalid_request");
    assert_eq!(api.get("/v1/logs?limit=many").await.refused().0, "invalid_request");
    assert_eq!(api.post_text("/v1/reports", &" ".repeat(1_100_000)).await.refused().0, "too_large");
    assert_eq!(api.get("/v1/conversations/conv_0").await.refused().0, "not_found");
}

#[tokio::test]
async fn the_description_names_every_route() {
    let api = Api::start(options()).await;
    let served = api.get("/v1/openapi.json").await.good();
    assert_eq!(served, serde_json::to_value(openapi()).unwrap());
    let paths = served["paths"].as_object().unwrap();
    for path in ["/v1/tool-endpoints", "/v1/tool-approvals/{id}/approve", "/v1/events", "/v1/clock/move"] {
        assert!(paths.contains_key(path), "{path}");
    }
}

#[tokio::test]
async fn an_address_that_others_reach_takes_a_word_and_a_key_of_ones_own() {
    let start = async |key| Platform::start(median_edge_platform::Options::new(key)).await.unwrap();
    let local = start(MedianKey::local()).await;
    let own = start(MedianKey::parse("median_key_own_0000000000000000000").unwrap()).await;
    let everywhere = "0.0.0.0:0".parse().unwrap();
    let bound = Bound::bind(own, everywhere, Access::Loopback, Router::new()).await;
    assert!(matches!(bound, Err(ServeError::NotLoopback(_))));
    let bound = Bound::bind(local.clone(), everywhere, Access::Anyone, Router::new()).await;
    assert!(matches!(bound, Err(ServeError::ExampleKey)));
    let bound =
        Bound::bind(local, "127.0.0.1:0".parse().unwrap(), Access::Loopback, Router::new()).await.unwrap();
    assert!(bound.url().starts_with("http://127.0.0.1:"));
}

#[tokio::test]
async fn the_example_key_is_for_this_machine_alone_on_loopback_too() {
    let platform = Platform::start(options()).await.unwrap();
    let loopback = "127.0.0.1:0".parse().unwrap();
    let bound = Bound::with_console(platform.clone(), loopback, Access::Anyone).await;
    let error = bound.expect_err("a page under another name would have the key");
    assert!(matches!(error, ServeError::ExampleKey));
    assert_eq!(
        error.to_string(),
        "Whoever reaches the stand-in may ask, and the public example key opens it: to a page in a browser of this machine \
         too, under a name of its own. Set MEDIAN_KEY to a key of your own, or let only this machine ask (Access::Loopback)."
    );
    assert!(matches!(router(platform, Access::Anyone), Err(ServeError::ExampleKey)), "as routes too");
}
