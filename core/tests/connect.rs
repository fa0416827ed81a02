//! Connecting: who may ask for it, what goes out, and what is said when the platform does not take the endpoint.

use std::collections::BTreeMap;
use std::sync::Mutex;

use median_edge::fetch::{FetchError, FetchRequest, FetchResponse};
use median_edge::host::{NoRandomness, Panicked, contain_unwind};
use median_edge::key::LOCAL_KEY;
use median_edge::prelude::*;
use median_edge::{
    BoxFuture, ConnectSettings, Event, Host, Keys, MedianKey, Method, Platform, Request, Response,
};
use serde_json::{Value, json};

type Fetched = Result<FetchResponse, FetchError>;

/// A runtime whose client is a script.
struct Scripted {
    script: Box<dyn Fn(&FetchRequest) -> Fetched + Send + Sync>,
    sent: Mutex<Vec<FetchRequest>>,
    events: Mutex<Vec<Value>>,
    hangs: bool,
}

impl Scripted {
    fn answering(script: impl Fn(&FetchRequest) -> Fetched + Send + Sync + 'static) -> Self {
        let (sent, events) = (Mutex::default(), Mutex::default());
        Self { script: Box::new(script), sent, events, hangs: false }
    }

    fn accepting() -> Self {
        Self::answering(|_| Ok(FetchResponse::new(202, Vec::new())))
    }
}

impl Host for Scripted {
    fn now_ms(&self) -> u64 {
        1_790_000_000_000
    }

    fn sleep(&self, _ms: u64) -> BoxFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }

    fn random(&self, _buffer: &mut [u8]) -> Result<(), NoRandomness> {
        Err(NoRandomness)
    }

    fn event(&self, event: &Event<'_>) {
        self.events.lock().unwrap().push(serde_json::to_value(event).unwrap());
    }

    fn fetch(&self, request: FetchRequest) -> BoxFuture<'static, Fetched> {
        let answer = (self.script)(&request);
        self.sent.lock().unwrap().push(request);
        if self.hangs { Box::pin(std::future::pending()) } else { Box::pin(std::future::ready(answer)) }
    }

    fn contain(&self, work: &mut dyn FnMut()) -> Result<(), Panicked> {
        contain_unwind(work)
    }
}

/// Say hello.
#[tool(risk = "low", effect = "read")]
fn hello() -> ToolResult<()> {
    Ok(())
}

fn endpoint() -> EndpointBuilder<()> {
    Endpoint::builder().tools(tools![hello])
}

fn settings(variables: &[(&str, &str)]) -> ConnectSettings {
    let variables: BTreeMap<&str, &str> = variables.iter().copied().collect();
    ConnectSettings::from_lookup(|name| variables.get(name).map(ToString::to_string))
}

fn api() -> ConnectSettings {
    settings(&[("MEDIAN_API_URL", "https://api.example.com")])
}

fn asking() -> Request {
    Request::new(Method::Get, "/api/median?x=1")
        .url("https://shop.example/api/median?x=1")
        .header("authorization", format!("Bearer {LOCAL_KEY}"))
}

async fn answer(
    endpoint: EndpointBuilder<()>,
    host: &Scripted,
    settings: &ConnectSettings,
    request: Request,
) -> Response {
    let keys = Keys::new(MedianKey::local());
    let endpoint = endpoint.build().unwrap();
    endpoint.answer(&Platform::new(host, &keys, &()).with_connect(settings), &request).await
}

#[track_caller]
fn fails(response: &Response, status: u16, code: &str) -> String {
    let body: Value = serde_json::from_slice(response.body()).unwrap();
    assert_eq!((response.status(), &body["error"]["code"]), (status, &json!(code)), "{body}");
    let message = body["error"]["message"].as_str().unwrap().to_owned();
    assert!(!message.contains(LOCAL_KEY), "{message}");
    message
}

async fn fails_to_connect(script: impl Fn(&FetchRequest) -> Fetched + Send + Sync + 'static) -> String {
    let host = Scripted::answering(script);
    fails(&answer(endpoint(), &host, &api(), asking()).await, 502, "connect_failed")
}

#[tokio::test]
async fn the_owner_connects_and_is_told_the_url_and_how_many_tools() {
    let host = Scripted::accepting();
    let response = answer(endpoint(), &host, &api(), asking()).await;
    let expected = r#"{"connected":true,"url":"https://shop.example/api/median","tools":1}"#;
    assert_eq!((response.status(), String::from_utf8_lossy(response.body()).as_ref()), (200, expected));

    let sent = host.sent.lock().unwrap();
    let request = &sent[0];
    assert_eq!((request.method(), request.url()), ("POST", "https://api.example.com/v1/tool-endpoints"));
    assert_eq!(request.body(), br#"{"url":"https://shop.example/api/median"}"#);
    let bearer = format!("Bearer {LOCAL_KEY}");
    let headers: Vec<_> = request.headers().collect();
    assert_eq!(headers, [("content-type", "application/json"), ("authorization", bearer.as_str())]);
    assert_eq!((request.limit_ms(), sent.len()), (10_000, 1));
    assert!(!format!("{request:?}").contains(LOCAL_KEY));
    let events = host.events.lock().unwrap();
    assert_eq!((&events[0]["asked"], &events[0]["status"]), (&json!("connect"), &json!(200)));
}

#[tokio::test]
async fn the_public_url_comes_before_the_requests_own() {
    let host = Scripted::accepting();
    let settings = settings(&[
        ("MEDIAN_API_URL", "http://127.0.0.1:4000/base/"),
        ("MEDIAN_PUBLIC_URL", "https://public.example/tools"),
    ]);
    let response = answer(endpoint(), &host, &settings, asking()).await;
    assert_eq!(response.status(), 200);
    let sent = host.sent.lock().unwrap();
    assert_eq!(sent[0].url(), "http://127.0.0.1:4000/base/v1/tool-endpoints");
    assert_eq!(sent[0].body(), br#"{"url":"https://public.example/tools"}"#);
}

#[tokio::test]
async fn a_stranger_causes_no_request_and_is_told_how_it_is_done() {
    let host = Scripted::accepting();
    let unsigned = Request::new(Method::Get, "/api/median").url("https://shop.example/api/median");
    let message = fails(&answer(endpoint(), &host, &api(), unsigned.clone()).await, 401, "missing_signature");
    assert!(
        message.contains("tool endpoint") && message.contains("Authorization: Bearer $MEDIAN_KEY"),
        "{message}"
    );
    let basic = unsigned.clone().header("authorization", "Basic eDp5");
    fails(&answer(endpoint(), &host, &api(), basic).await, 401, "missing_signature");
    for wrong in ["Bearer x", "Bearer", "bearer median_key_local_000000000000000000000000000"] {
        let wrong = unsigned.clone().header("authorization", wrong);
        fails(&answer(endpoint(), &host, &api(), wrong).await, 401, "invalid_signature");
    }
    let twice = asking().header("authorization", format!("Bearer {LOCAL_KEY}"));
    fails(&answer(endpoint(), &host, &api(), twice).await, 401, "invalid_signature");
    assert!(host.sent.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_previous_key_connects_nothing() {
    let host = Scripted::accepting();
    let key = MedianKey::parse("median_key_another_0000000000000000").unwrap();
    let endpoint = endpoint().keys(Keys::new(key).accepting(&MedianKey::local()));
    fails(&answer(endpoint, &host, &api(), asking()).await, 401, "invalid_signature");
}

#[tokio::test]
async fn a_tool_secret_alone_connects_nothing() {
    let keys = Keys::from_lookup(|name| (name == "MEDIAN_TOOL_SECRET").then(|| "ab".repeat(32)));
    let message = fails(
        &answer(endpoint().keys(keys), &Scripted::accepting(), &api(), asking()).await,
        500,
        "missing_secret",
    );
    assert!(message.contains("MEDIAN_KEY"), "{message}");
}

#[tokio::test]
async fn with_connect_off_the_bearer_is_as_if_it_were_not_there() {
    let host = Scripted::accepting();
    let message =
        fails(&answer(endpoint().connect(false), &host, &api(), asking()).await, 401, "missing_signature");
    assert!(!message.contains("Bearer"), "{message}");
    assert!(host.sent.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_signed_get_is_answered_with_the_manifest_whatever_its_bearer() {
    let signature = MedianKey::local().tool_secret().sign(1_790_000_000_000, b"");
    let request = asking().header("median-signature", signature);
    let response = answer(endpoint(), &Scripted::accepting(), &api(), request).await;
    assert!(response.body().starts_with(br#"{"version":1"#));
}

#[tokio::test]
async fn a_post_does_not_connect() {
    let request =
        Request::new(Method::Post, "/api/median").header("authorization", format!("Bearer {LOCAL_KEY}"));
    let host = Scripted::accepting();
    fails(&answer(endpoint(), &host, &api(), request).await, 401, "missing_signature");
    assert!(host.sent.lock().unwrap().is_empty());
}

#[tokio::test]
async fn settings_that_are_missing_or_bad_are_named() {
    let host = Scripted::accepting();
    let bad = [
        (settings(&[]), "MEDIAN_API_URL is not set"),
        (settings(&[("MEDIAN_API_URL", "http://api.example.com")]), "use https"),
        (
            settings(&[("MEDIAN_API_URL", "https://api.example.com"), ("MEDIAN_PUBLIC_URL", "shop")]),
            "MEDIAN_PUBLIC_URL is no URL",
        ),
    ];
    for (settings, why) in bad {
        let message = fails(&answer(endpoint(), &host, &settings, asking()).await, 502, "connect_failed");
        assert!(message.contains(why), "{message}");
    }
    assert!(host.sent.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_request_that_does_not_say_where_it_came_is_told_of_the_variable() {
    let bearer = format!("Bearer {LOCAL_KEY}");
    let without = Request::new(Method::Get, "/api/median").header("authorization", bearer);
    for request in [without.clone(), without.clone().url("http://a b/"), without.url("http://x@y/")] {
        let message =
            fails(&answer(endpoint(), &Scripted::accepting(), &api(), request).await, 502, "connect_failed");
        assert!(message.contains("MEDIAN_PUBLIC_URL"), "{message}");
    }
}

#[tokio::test]
async fn a_refusal_is_told_with_its_status_and_the_platforms_own_words() {
    let message = fails_to_connect(|request| {
        let (_, bearer) = request.headers().last().unwrap();
        let body = json!({"error": {"code": "unauthorized", "message": format!("No key\nlike {bearer}.")}});
        Ok(FetchResponse::new(401, body.to_string().into_bytes()))
    })
    .await;
    let expected = "The platform did not take the endpoint (status 401). It says: No key\\u{a}like Bearer (the key). \
                    Check that MEDIAN_KEY is the key of this endpoint on that platform.";
    assert_eq!(message, expected);
}

#[tokio::test]
async fn an_answer_that_is_no_error_of_the_platforms_is_told_by_its_status() {
    for (status, hint) in [(404, "MEDIAN_API_URL"), (429, "Wait"), (503, "later"), (400, "again")] {
        let message = fails_to_connect(move |_| Ok(FetchResponse::new(status, b"<html>".to_vec()))).await;
        assert!(message.contains(&status.to_string()) && message.contains(hint), "{message}");
        assert!(!message.contains("html"), "{message}");
    }
}

#[tokio::test]
async fn a_redirect_is_named_and_not_followed() {
    let message = fails_to_connect(|_| Ok(FetchResponse::new(301, Vec::new()))).await;
    assert!(message.contains("redirect (status 301)") && message.contains("MEDIAN_API_URL"), "{message}");
}

#[tokio::test]
async fn each_way_of_getting_no_answer_is_told_apart() {
    let ways = [
        (FetchError::Unsupported, "no HTTP client"),
        (FetchError::TimedOut, "within 10 seconds"),
        (FetchError::Unreachable(format!("refused {LOCAL_KEY}")), "cannot be reached: refused (the key)"),
        (FetchError::Untrusted("expired".to_owned()), "cannot be trusted with the key: expired"),
        (FetchError::Failed("broke off".to_owned()), "broke off"),
    ];
    for (error, told) in ways {
        let message = fails_to_connect(move |_| Err(error.clone())).await;
        assert!(message.contains(told), "{message}");
    }
}

#[tokio::test]
async fn a_client_that_does_not_end_is_cut_off_and_one_that_panics_is_told() {
    let host = Scripted { hangs: true, ..Scripted::accepting() };
    let message = fails(&answer(endpoint(), &host, &api(), asking()).await, 502, "connect_failed");
    assert!(message.contains("within 10 seconds"), "{message}");
    let message = fails_to_connect(|_| panic!("the secret of the panic")).await;
    assert!(message.contains("does not work") && !message.contains("secret"), "{message}");
}
