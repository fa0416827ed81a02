//! What becomes of a request before it is a call: method, key, body, signature, envelope, in this order.
#![allow(missing_docs)]

use median_edge::host::NoRandomness;
use median_edge::prelude::*;
use median_edge::testing::TestClient;
use median_edge::{BoxFuture, Event, Host, Keys, MedianKey, Method, Request, Response};
use serde_json::Value;

const SIGNATURE: &str = "median-signature";
const CALL: &str = r#"{"tool":"ping","toolCallId":"x","input":{},"context":{"conversationId":"c","risk":"low","visitor":{"verified":false}}}"#;

fn builder() -> EndpointBuilder<()> {
    let ping = Tool::builder("ping", "Answer.").risk(Risk::Low);
    Endpoint::builder().tools([ping.run(async |_: Context<'_, ()>| ToolResult::Ok("pong"))])
}

fn client() -> TestClient<()> {
    builder().build().unwrap().test_client(())
}

fn code(response: &Response) -> (u16, String) {
    let body: Value = serde_json::from_slice(response.body()).unwrap();
    let code = body["error"]["code"].as_str().unwrap_or("result").to_owned();
    (response.status(), code)
}

async fn answered(client: &TestClient<()>, request: Request) -> (u16, String) {
    let response = client.send(request).await;
    let headers = response.headers();
    assert!(headers.contains(&("content-type", "application/json")), "{headers:?}");
    assert!(headers.contains(&("cache-control", "private, no-store")), "{headers:?}");
    code(&response)
}

fn post(client: &TestClient<()>, body: &str) -> Request {
    Request::new(Method::Post, "/api/median").header(SIGNATURE, client.sign(body.as_bytes())).body(body)
}

fn is(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

#[tokio::test]
async fn the_checks_come_in_their_order() {
    let missing = builder().keys(Keys::missing()).build().unwrap().test_client(());
    let any = |method| Request::new(method, "/api/median");
    assert_eq!(answered(&missing, any(Method::Other)).await, is(405, "method_not_allowed"));
    assert_eq!(answered(&missing, any(Method::Post).body_too_large()).await, is(500, "missing_secret"));

    let client = client();
    assert_eq!(answered(&client, any(Method::Post).body_too_large()).await, is(400, "invalid_body"));
    assert_eq!(answered(&client, any(Method::Post).body("{")).await, is(401, "missing_signature"));
    let with = |value: &str| any(Method::Post).body("{").header(SIGNATURE, value);
    assert_eq!(answered(&client, with("t=1")).await, is(401, "malformed_signature"));
    let zeros = "0".repeat(64);
    assert_eq!(answered(&client, with(&format!("t=1,v1={zeros}"))).await, is(401, "stale_timestamp"));
    assert_eq!(
        answered(&client, with(&format!("t=1790000000000,v1={zeros}"))).await,
        is(401, "invalid_signature")
    );
    assert_eq!(answered(&client, post(&client, "{")).await, is(400, "invalid_body"));
    assert_eq!(
        answered(&client, post(&client, &CALL.replace("ping", "pong"))).await,
        is(404, "unknown_tool")
    );
    assert_eq!(
        answered(&client, post(&client, &CALL.replace("{}", r#"{"x":1}"#))).await,
        is(400, "invalid_input")
    );
    assert_eq!(answered(&client, post(&client, CALL)).await, is(200, "result"));
}

#[tokio::test]
async fn a_key_that_is_none_answers_500_through_the_library() {
    for (text, code) in [("", "missing_secret"), ("median_key_short", "invalid_median_key")] {
        let keys = Keys::from_lookup(|name| (name == "MEDIAN_KEY").then(|| text.to_owned()));
        let client = builder().keys(keys).build().unwrap().test_client(());
        for method in [Method::Get, Method::Post] {
            assert_eq!(answered(&client, Request::new(method, "/api/median")).await, is(500, code));
        }
    }
}

#[tokio::test]
async fn the_previous_key_is_accepted_and_shows_in_the_event() {
    let old = MedianKey::parse("median_key_old_00000000000000000").unwrap();
    let client =
        builder().keys(Keys::new(MedianKey::local()).accepting(&old)).build().unwrap().test_client(());
    let signed = old.tool_secret().sign(client.clock().now_ms(), CALL.as_bytes());
    let request = Request::new(Method::Post, "/api/median").header(SIGNATURE, signed).body(CALL);
    assert_eq!(answered(&client, request).await, is(200, "result"));
    assert_eq!(answered(&client, post(&client, CALL)).await, is(200, "result"));
    let events = client.take_events();
    assert_eq!((&events[0]["previous_key"], events[1].get("previous_key")), (&Value::Bool(true), None));
}

#[tokio::test]
async fn a_get_is_the_manifest_whatever_its_body() {
    let client = client();
    let get = Request::new(Method::Get, "/api/median/").header(SIGNATURE, client.sign(b""));
    assert_eq!(answered(&client, get.clone()).await, is(200, "result"));
    assert_eq!(answered(&client, get.clone().body("anything")).await, is(200, "result"));
    assert_eq!(answered(&client, get.clone().body_too_large()).await, is(200, "result"));
    assert_eq!(client.send(get).await.body(), client.endpoint().manifest());
}

#[cfg(not(feature = "connect"))]
#[tokio::test]
async fn a_bearer_is_as_if_it_were_absent() {
    let client = client();
    let get = Request::new(Method::Get, "/api/median")
        .header("authorization", format!("Bearer {}", median_edge::key::LOCAL_KEY));
    assert_eq!(answered(&client, get).await, is(401, "missing_signature"));
}

#[tokio::test]
async fn a_post_signature_is_no_get_signature_but_for_the_empty_body() {
    let client = client();
    let get = Request::new(Method::Get, "/api/median").header(SIGNATURE, client.sign(CALL.as_bytes()));
    assert_eq!(answered(&client, get).await, is(401, "invalid_signature"));
    assert_eq!(answered(&client, post(&client, "")).await, is(400, "invalid_body"));
}

#[tokio::test]
async fn the_cap_is_the_last_size_that_is_taken() {
    let client = builder().body_limit(CALL.len()).build().unwrap().test_client(());
    assert_eq!(answered(&client, post(&client, CALL)).await, is(200, "result"));
    assert_eq!(answered(&client, post(&client, &format!("{CALL} "))).await, is(400, "invalid_body"));
}

#[tokio::test]
async fn a_coding_is_refused_after_the_signature() {
    let client = client();
    for (coding, expected) in
        [("identity", 200), ("Identity", 200), ("", 200), ("gzip", 400), ("identity, br", 400)]
    {
        let request = post(&client, CALL).header("content-encoding", coding);
        assert_eq!(answered(&client, request).await.0, expected, "{coding:?}");
    }
    let twice =
        post(&client, CALL).header("content-encoding", "identity").header("content-encoding", "identity");
    assert_eq!(answered(&client, twice).await, is(400, "invalid_body"));
    let unsigned = Request::new(Method::Post, "/api/median").header("content-encoding", "gzip").body(CALL);
    assert_eq!(answered(&client, unsigned).await, is(401, "missing_signature"));
}

fn error(response: &Response) -> (String, String) {
    let body: Value = serde_json::from_slice(response.body()).unwrap();
    let text = |member: &str| body["error"][member].as_str().unwrap().to_owned();
    (text("code"), text("message"))
}

/// The message of an answer to a body that is not the one that was signed.
async fn told_of(change: impl FnOnce(Request) -> Request) -> String {
    let client = client();
    let (code, message) = error(&client.send(change(post(&client, CALL))).await);
    assert_eq!(code, "invalid_signature");
    message
}

#[tokio::test]
async fn bytes_that_were_lost_in_a_text_are_told_with_the_adapters_advice() {
    let lost = CALL.replace("\"x\"", "\"\u{fffd}\"");
    let told = told_of(|request| request.text_body(lost.clone(), "Let the front pass bytes on.")).await;
    assert!(told.contains("U+FFFD") && told.ends_with("Let the front pass bytes on."), "{told}");
    let told = told_of(|request| request.body(lost)).await;
    assert!(!told.contains("U+FFFD"), "{told}");
    let told = told_of(|request| request.text_body("{}", "Let the front pass bytes on.")).await;
    assert!(!told.contains("pass bytes on"), "{told}");
}

#[tokio::test]
async fn a_coding_that_may_have_been_undone_is_told() {
    let told = told_of(|request| request.header("content-encoding", "gzip").body("{}")).await;
    assert!(told.contains(r#"Content-Encoding "gzip""#), "{told}");
    let told = told_of(|request| request.header("content-encoding", "identity").body("{}")).await;
    assert!(!told.contains("Content-Encoding"), "{told}");
}

#[tokio::test]
async fn a_text_is_as_good_a_body_as_bytes() {
    let client = client();
    let request = post(&client, CALL).text_body(CALL, "Nothing was lost.");
    assert_eq!(answered(&client, request).await, is(200, "result"));
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_told_where_a_body_counts() {
    let client = client();
    let broken = post(&client, CALL).body_unreadable("The body is torn.");
    let (code, message) = error(&client.send(broken.clone()).await);
    assert_eq!((code.as_str(), message.as_str()), ("invalid_body", "The body is torn."));
    let get = Request::new(Method::Get, "/api/median").header(SIGNATURE, client.sign(b""));
    let get = get.body_unreadable("The body is torn.");
    assert_eq!(answered(&client, get).await.0, 200);
    let missing = builder().keys(Keys::missing()).build().unwrap().test_client(());
    assert_eq!(answered(&missing, broken).await, is(500, "missing_secret"));
}

/// A host whose clock stands still.
struct Still;

impl Host for Still {
    fn now_ms(&self) -> u64 {
        1_790_000_000_000
    }

    fn sleep(&self, _: u64) -> BoxFuture<'static, ()> {
        Box::pin(std::future::pending())
    }

    fn random(&self, _: &mut [u8]) -> Result<(), NoRandomness> {
        Err(NoRandomness)
    }

    fn event(&self, _: &Event<'_>) {}
}

#[test]
fn a_wrong_signature_is_told_from_other_refusals_before_an_answer() {
    let endpoint = builder().build().unwrap();
    let (keys, other) = (Keys::new(MedianKey::local()), Keys::missing());
    let wrong = |keys, request: &Request| endpoint.fits_no_key(&Still, keys, request);
    let signed = |body: &[u8]| {
        let signature = MedianKey::local().tool_secret().sign(Still.now_ms(), body);
        Request::new(Method::Post, "/api/median").header(SIGNATURE, signature).body(CALL)
    };
    assert!(wrong(&keys, &signed(b"{}")));
    assert!(!wrong(&keys, &signed(CALL.as_bytes())));
    assert!(!wrong(&other, &signed(b"{}")));
    assert!(!wrong(&keys, &Request::new(Method::Post, "/api/median").body(CALL)));
    assert!(!wrong(&keys, &Request::new(Method::Post, "/elsewhere").body(CALL)));
    let bearer =
        |key: &str| Request::new(Method::Get, "/api/median").header("authorization", format!("Bearer {key}"));
    assert_eq!(wrong(&keys, &bearer("median_key_another_0000000000000000")), cfg!(feature = "connect"));
    assert!(!wrong(&keys, &bearer("median_key_local_0000000000000000000000000000")));
}

#[cfg(feature = "application-manifest")]
#[test]
fn a_wrong_signature_over_the_application_manifest_is_told_too() {
    use median_edge::application_manifest::{Application, StorageMode};
    let application = Application::new("shop", "1.0.0", "A shop.").storage_mode(StorageMode::Memory);
    let wrong = |application| {
        let endpoint = Endpoint::<()>::builder().application(application).build().unwrap();
        let other = MedianKey::parse("median_key_another_0000000000000000").unwrap();
        let request = Request::new(Method::Get, "/agent/manifest")
            .header(SIGNATURE, other.tool_secret().sign(Still.now_ms(), b""));
        endpoint.fits_no_key(&Still, &Keys::new(MedianKey::local()), &request)
    };
    assert!(wrong(application.clone().signed()));
    assert!(!wrong(application));
}

#[tokio::test]
async fn keys_that_are_not_there_for_now_say_why() {
    let keys = Keys::unavailable("The safe is locked.");
    let client = builder().keys(keys).build().unwrap().test_client(());
    let (code, message) = error(&client.send(Request::new(Method::Get, "/api/median")).await);
    assert_eq!((code.as_str(), message.as_str()), ("missing_secret", "The safe is locked."));
}

#[tokio::test]
async fn what_is_elsewhere_is_not_found() {
    let client = client();
    for path in ["/", "/api", "/api/median/x", "/healthz"] {
        assert_eq!(answered(&client, Request::new(Method::Get, path)).await, is(404, "not_found"), "{path}");
    }
}

#[tokio::test]
async fn hostile_bodies_get_their_answer() {
    let client = client();
    let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let ignored = CALL.replacen('{', &format!(r#"{{"extra":{},"#, deep(300_000)), 1);
    assert_eq!(answered(&client, post(&client, &ignored)).await, is(200, "result"));
    let nested = CALL.replace("{}", &format!(r#"{{"a":{}}}"#, deep(300_000)));
    assert_eq!(answered(&client, post(&client, &nested)).await, is(400, "invalid_input"));
    for body in [
        deep(400_000),
        "[".repeat(1_000_000),
        r#"{"a":"#.repeat(200_000),
        "\"".repeat(1_000_000),
        "9".repeat(1_000_000),
        format!("{{{}}}", r#""a":1,"#.repeat(100_000)),
        "\u{feff}{}".to_owned(),
        "null".to_owned(),
    ] {
        assert_eq!(answered(&client, post(&client, &body)).await, is(400, "invalid_body"), "{body:.20}");
    }
    let digits = CALL.replace("{}", &format!(r#"{{"x":{}}}"#, "9".repeat(900_000)));
    assert_eq!(answered(&client, post(&client, &digits)).await, is(400, "invalid_input"));
}

#[tokio::test]
async fn a_raw_control_character_in_a_string_is_no_json() {
    let client = client();
    for (from, to) in [
        (r#""verified":false"#, "\"verified\":false,\"name\":\"a\nb\""),
        (r#""verified":false"#, "\"verified\":false,\"email\":\"a\0b\""),
        (r#""verified":false"#, "\"verified\":false,\"a\nb\":1"),
        (r#""toolCallId":"x""#, "\"toolCallId\":\"\t\""),
    ] {
        let body = CALL.replacen(from, to, 1);
        assert_eq!(answered(&client, post(&client, &body)).await, is(400, "invalid_body"), "{to:?}");
    }
}

#[tokio::test]
async fn a_member_of_the_input_that_is_twice_is_wrong_beside_an_op_too() {
    let client = client();
    let body = r#"{"op":"diagnostics","input":{"a":1,"a":2}}"#;
    assert_eq!(answered(&client, post(&client, body)).await, is(400, "invalid_body"));
}

#[tokio::test]
async fn a_clock_that_panics_is_answered() {
    let client = builder().clock(|| panic!("the clock is broken")).build().unwrap().test_client(());
    assert_eq!(answered(&client, post(&client, CALL)).await, is(500, "invalid_config"));
}

#[tokio::test]
async fn messages_name_the_path_and_show_nothing_of_the_body() {
    let client = client();
    let mut said = Vec::new();
    for (from, to) in [
        (r#""ping""#, "7"),
        (r#""toolCallId":"x","#, ""),
        (r#""x""#, r#""\ud83d""#),
        ("{}", "[]"),
        (r#""input":{},"#, ""),
        (r#""conversationId":"c","#, ""),
        (r#""low""#, r#""extreme""#),
        (r#"{"verified":false}"#, "null"),
        ("false", r#""false""#),
        ("false", "1e999"),
        (r#""verified":false"#, r#""verified":true,"externalId":7"#),
        (r#""verified":false"#, r#""verified":true,"verified":true"#),
        (r#""toolCallId""#, r#""op":"diagnostics","toolCallId""#),
        (r#""tool":"ping","#, ""),
        (r#""tool":"ping""#, r#""op":7"#),
        (r#""tool":"ping""#, r#""op":"restart""#),
        (r#""ping""#, r#""wipe\u0000\u202e""#),
        ("}}}", "}}"),
        ("}}}", "}}} x"),
    ] {
        let body = CALL.replacen(from, to, 1);
        assert_ne!(body, CALL);
        let response = client.send(post(&client, &body)).await;
        let answer: Value = serde_json::from_slice(response.body()).unwrap();
        said.push(format!("{to}\n  {} {}", response.status(), answer["error"]["message"]));
    }
    insta::assert_snapshot!(said.join("\n"));
}
