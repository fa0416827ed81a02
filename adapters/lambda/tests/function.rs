//! What a function makes of events beyond the endpoint's own answers: other routes, limits, deadlines, starts that fail.
#![allow(missing_docs)]

mod support;

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use median_edge::field::{self, FieldSpec};
use median_edge::prelude::*;
use median_edge_lambda::{App, Function, LambdaHost, http};
use serde_json::{Value, json};
use support::{answer, app, builder, event, function};

/// An answer, with its body read.
async fn read<S: Send + Sync + 'static>(function: &Function<S>, event: &[u8]) -> Value {
    read_with(function, event, &LambdaHost::new(None)).await
}

async fn read_with<S: Send + Sync + 'static>(
    function: &Function<S>,
    event: &[u8],
    host: &LambdaHost,
) -> Value {
    let answer = function.answer(event, host).await.unwrap();
    let mut answer: Value = serde_json::from_str(answer.get()).unwrap();
    if let Ok(body) = serde_json::from_str(answer["body"].as_str().unwrap()) {
        answer["body"] = body;
    }
    answer
}

fn elsewhere() -> Vec<u8> {
    event("valid", "url-elsewhere")
}

#[tokio::test]
async fn what_is_not_the_endpoints_goes_to_the_applications_own_routes() {
    let own = async |request: http::Request<Vec<u8>>, _state: Arc<()>| {
        let path = request.uri().path().as_bytes().to_vec();
        http::Response::builder().status(201).header("x-a", "1").header("x-a", "2").body(path).unwrap()
    };
    let function = app(builder()).fallback(own).start().await;
    let answer = read(&function, &elsewhere()).await;
    let expected = json!({
        "statusCode": 201, "cookies": [], "headers": {"x-a": "1, 2"}, "isBase64Encoded": false, "body": "/elsewhere",
    });
    assert_eq!(answer, expected);
    let answer = read(&function, &event("valid", "url-post-text")).await;
    assert_eq!(answer["body"]["result"]["status"], "shipped");
}

#[tokio::test]
async fn the_applications_own_routes_see_no_stage() {
    let own = async |request: http::Request<Vec<u8>>, _| http::Response::new(request.uri().path().into());
    let function = app(builder()).fallback(own).start().await;
    let answer = read(&function, &event("hostile", "stage-alone")).await;
    assert_eq!(answer["body"], "/");
}

#[tokio::test]
async fn cookies_and_bytes_of_the_applications_own_routes_come_through() {
    let own = async |_, _| {
        let response = http::Response::builder().header("set-cookie", "a=1").header("set-cookie", "b=2");
        response.body(vec![0xff]).unwrap()
    };
    let function = app(builder()).fallback(own).start().await;
    let expected = json!({
        "statusCode": 200, "headers": {}, "cookies": ["a=1", "b=2"], "isBase64Encoded": true, "body": "/w==",
    });
    assert_eq!(read(&function, &elsewhere()).await, expected);
}

#[tokio::test]
async fn a_coded_response_of_the_applications_own_routes_is_passed_on_as_bytes() {
    let own =
        async |_, _| http::Response::builder().header("content-encoding", "x").body(b"x".to_vec()).unwrap();
    let function = app(builder()).fallback(own).start().await;
    let answer = read(&function, &elsewhere()).await;
    assert_eq!((&answer["isBase64Encoded"], &answer["body"]), (&json!(true), &json!("eA==")));
}

#[tokio::test]
async fn a_panic_in_the_applications_own_routes_is_a_500() {
    let own = async |request: http::Request<Vec<u8>>, _| {
        assert!(request.uri().path().is_empty(), "no");
        http::Response::new(Vec::new())
    };
    let function = app(builder()).fallback(own).start().await;
    assert_eq!(read(&function, &elsewhere()).await["statusCode"], 500);
    assert_eq!(read(&function, &event("valid", "url-get")).await["statusCode"], 200);
}

#[tokio::test]
async fn a_mount_that_begins_with_the_stage_is_found_as_it_is() {
    let function = function(builder().mount("/prod/api/median")).await;
    assert_eq!(read(&function, &event("valid", "http-api-post-text")).await["statusCode"], 200);
}

#[tokio::test]
async fn an_endpoint_at_the_root_takes_every_path() {
    let function = function(builder().mount("/")).await;
    assert_eq!(read(&function, &event("valid", "url-post-text")).await["statusCode"], 200);
    assert_eq!(read(&function, &event("hostile", "path-without-slash")).await["statusCode"], 200);
}

fn order_number() -> FieldSpec {
    field::string("orderNumber")
}

/// A tool whose answer has so many bytes, most of which take two in JSON.
fn with_long_answer(bytes: usize) -> EndpointBuilder<()> {
    let long = Tool::builder("orderStatus", "Answer at length.").risk(Risk::Low);
    let long = long.field(order_number());
    Endpoint::builder()
        .tools([long.run_boxed(move |_| Box::pin(async move { ToolResult::Ok("\"".repeat(bytes)) }))])
        .clock(|| support::NOW_MS)
        .keys(median_edge::Keys::new(median_edge::MedianKey::local()))
}

async fn length(name: &str, bytes: usize) -> (usize, Value) {
    let function = function(with_long_answer(bytes)).await;
    let text = answer(&function, &event("valid", name)).await.unwrap();
    (text.len(), read(&function, &event("valid", name)).await)
}

#[tokio::test]
async fn an_answer_as_large_as_aws_takes_is_sent() {
    let around = length("url-post-text", 0).await.0;
    // Each is written in the result as \", and in the response as \\\".
    let bytes = (6_291_556 - around) / 4;
    let (sent, answer) = length("url-post-text", bytes).await;
    assert!(sent > 6_291_550 && sent <= 6_291_556, "{sent}");
    assert_eq!(answer["body"]["result"].as_str().unwrap().len(), bytes);
}

#[tokio::test]
async fn an_answer_larger_than_aws_takes_is_an_error_that_says_so() {
    let around = length("url-post-text", 0).await.0;
    let (_, answer) = length("url-post-text", (6_291_556 - around) / 4 + 1).await;
    assert_eq!(
        (&answer["statusCode"], &answer["body"]["error"]["code"]),
        (&json!(200), &json!("execution_failed"))
    );
    let message = answer["body"]["error"]["message"].as_str().unwrap();
    assert!(message.contains("6291556 is the most"), "{message}");
}

#[tokio::test]
async fn a_load_balancer_takes_less() {
    assert!(length("alb-post-text", 240_000).await.1["body"]["result"].is_string());
    let (_, answer) = length("alb-post-text", 260_000).await;
    assert_eq!(answer["body"]["error"]["code"], "execution_failed");
    assert_eq!(answer["statusDescription"], "200 OK");
}

#[tokio::test]
async fn a_response_of_the_applications_own_that_is_too_large_is_a_500() {
    let function =
        app(builder()).fallback(async |_, _| http::Response::new(vec![b'x'; 6_300_000])).start().await;
    assert_eq!(read(&function, &elsewhere()).await["statusCode"], 500);
}

fn with_slow_tool() -> EndpointBuilder<()> {
    let slow = Tool::builder("orderStatus", "Never answer.").risk(Risk::Low).effect(Effect::Read);
    let slow = slow.field(order_number());
    Endpoint::builder()
        .tools([slow.run(async |_: Context<'_, ()>| std::future::pending::<ToolResult<()>>().await)])
        .clock(|| support::NOW_MS)
        .keys(median_edge::Keys::new(median_edge::MedianKey::local()))
}

#[tokio::test]
async fn a_call_is_cut_off_before_aws_would_end_it() {
    let function = function(with_slow_tool()).await;
    let now_ms = u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap();
    let host = LambdaHost::new(Some(now_ms + 400));
    let answer = read_with(&function, &event("valid", "url-post-text"), &host).await;
    assert_eq!(answer["body"]["error"]["code"], "execution_failed");
    assert!(
        answer["body"]["error"]["message"].as_str().unwrap().contains("did not answer within 0."),
        "{answer}"
    );
}

#[tokio::test]
async fn an_endpoint_that_cannot_be_built_is_told_to_each_request() {
    let function = app(builder().mount("nowhere")).start().await;
    for name in ["url-get", "url-post-text", "url-elsewhere", "rest-options"] {
        let answer = read(&function, &event("valid", name)).await;
        let told = (&answer["statusCode"], &answer["body"]["error"]["code"]);
        assert_eq!(told, (&json!(500), &json!("invalid_config")), "{name}");
    }
}

#[tokio::test]
async fn a_state_whose_making_panics_is_told() {
    let connect = async || -> Result<(), String> { panic!("no database") };
    let function = App::new(builder().build(), connect).start().await;
    let answer = read(&function, &event("valid", "url-get")).await;
    assert_eq!(answer["body"]["error"]["code"], "invalid_config");
}

#[tokio::test]
async fn a_panic_in_a_tool_ends_its_own_call() {
    let panics = Tool::builder("orderStatus", "Panic.").risk(Risk::Low).field(order_number());
    let builder = Endpoint::builder()
        .tools([panics.run(async |_: Context<'_, ()>| -> ToolResult<()> { panic!("a secret detail") })])
        .clock(|| support::NOW_MS)
        .keys(median_edge::Keys::new(median_edge::MedianKey::local()));
    let function = function(builder).await;
    for _ in 0..2 {
        let answer = read(&function, &event("valid", "url-post-text")).await;
        assert_eq!(answer["body"]["error"]["code"], "execution_failed");
        assert!(!answer.to_string().contains("secret detail"), "{answer}");
    }
}

fn get(path: &str, members: &Value) -> Vec<u8> {
    let mut event = json!({
        "rawPath": path, "requestContext": {"http": {"method": "GET"}, "stage": "prod"}, "headers": {"x-user": "user_1"},
    });
    for (name, value) in members.as_object().unwrap() {
        event[name] = value.clone();
    }
    serde_json::to_vec(&event).unwrap()
}

/// Whoever the header or the cookie names.
async fn who(request: IdentityRequest<'_, ()>) -> ToolResult<Option<IdentityUser>> {
    let id = request.cookie("session").or_else(|| request.header("x-user"));
    Ok(id.map(IdentityUser::new))
}

#[tokio::test]
async fn the_identity_sees_headers_and_cookies_and_comes_before_the_applications_own_routes() {
    let own = async |_, _| http::Response::new(b"own".to_vec());
    let function = app(builder().identity(who)).fallback(own).start().await;
    for path in ["/api/median/identity", "/prod/api/median/identity"] {
        let answer = read(&function, &get(path, &json!({}))).await;
        assert_eq!(answer["body"]["visitor"], json!({"id": "user_1"}), "{path}");
        let answer = read(&function, &get(path, &json!({"cookies": ["a=1", "session=user_2"]}))).await;
        assert_eq!(answer["body"]["visitor"], json!({"id": "user_2"}), "{path}");
    }
}
