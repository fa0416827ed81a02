//! Who is signed in: what the route answers, to whom, and what it keeps to itself.

use std::future::pending;
use std::time::Duration;

use median_edge::prelude::*;
use median_edge::testing::TestClient;
use median_edge::{Keys, MedianKey, Method, Request, Response};
use serde_json::{Value, json};
use tokio::task::yield_now;

const PATH: &str = "/api/median/identity";

/// With the id of the customer in the session `ana`.
struct Shop(&'static str);

const SHOP: Shop = Shop("user_1");

impl Shop {
    fn user(&self, session: &str) -> ToolResult<Option<IdentityUser>> {
        Ok(match session {
            "ana" => Some(
                IdentityUser::new(self.0)
                    .name("Ana")
                    .email("ana@example.com")
                    .avatar_url("https://example.com/ana.png"),
            ),
            "bare" => Some(IdentityUser::new("user_2")),
            "blank" => Some(IdentityUser::new(" ")),
            "broken" => return Err(ToolError::internal("the secret of the database")),
            "public" => return Err(ToolError::public("the secret of the message")),
            "refused" => return Err(Refusal::new("no_such_session").into()),
            "panics" => panic!("the secret of the panic"),
            _ => None,
        })
    }
}

async fn resolve(request: IdentityRequest<'_, Shop>) -> ToolResult<Option<IdentityUser>> {
    match request.cookie("session").or(request.header("X-Session")) {
        Some("slow") => pending().await,
        Some(session) => request.state().user(session),
        None => Ok(None),
    }
}

fn client() -> TestClient<Shop> {
    Endpoint::builder().identity(resolve).build().unwrap().test_client(SHOP)
}

fn keyed(keys: Keys) -> TestClient<Shop> {
    Endpoint::builder().identity(resolve).keys(keys).build().unwrap().test_client(SHOP)
}

fn asked(session: &str) -> Request {
    Request::new(Method::Get, PATH).header("cookie", format!("theme=dark; session={session}"))
}

fn json(response: &Response) -> Value {
    serde_json::from_slice(response.body()).unwrap()
}

#[track_caller]
fn fails(response: &Response, status: u16, code: &str) -> String {
    let body = json(response);
    assert_eq!((response.status(), &body["error"]["code"]), (status, &json!(code)), "{body}");
    body["error"]["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn somebody_is_answered_with_a_signature_over_their_id() {
    let response = client().send(asked("ana")).await;
    assert_eq!(response.status(), 200);
    let expected = r#"{"visitor":{"id":"user_1","name":"Ana","email":"ana@example.com","avatarUrl":"https://example.com/ana.png"},"publicKey":"median_pk_f8f2f752b9e37308ffc36d8228b6e925","signature":"SIGNATURE"}"#;
    // Computed with Python: hmac.new(bytes.fromhex(identity secret), b"user_1", "sha256").hexdigest()
    let signature = "799e1a7f53562345eac7d90889198e3dc0c4cd0f5a5aae0dd5869b8ff124467f";
    let expected = expected.replace("SIGNATURE", signature);
    assert_eq!(String::from_utf8_lossy(response.body()), expected);
}

#[tokio::test]
async fn what_is_not_known_of_somebody_is_left_out() {
    let body = json(&client().send(asked("bare")).await);
    assert_eq!(body["visitor"], json!({"id": "user_2"}));
}

#[tokio::test]
async fn nobody_is_null_and_nothing_else() {
    let response = client().send(asked("unknown")).await;
    assert_eq!((response.status(), response.body()), (200, br#"{"visitor":null}"#.as_slice()));
    let response = client().send(Request::new(Method::Get, PATH)).await;
    assert_eq!(response.body(), br#"{"visitor":null}"#);
}

#[tokio::test]
async fn a_resolver_reads_headers_too() {
    let response = client().send(Request::new(Method::Get, PATH).header("x-session", "bare")).await;
    assert_eq!(json(&response)["visitor"]["id"], "user_2");
}

#[tokio::test]
async fn the_answer_is_for_the_page_that_asked_alone() {
    let client = client();
    for session in ["ana", "unknown", "broken"] {
        let headers = client.send(asked(session).header("origin", "https://else.example")).await;
        let expected = [
            ("content-type", "application/json"),
            ("cache-control", "private, no-store"),
            ("x-content-type-options", "nosniff"),
        ];
        assert_eq!(headers.headers(), expected, "{session}");
    }
}

#[tokio::test]
async fn other_methods_are_refused_and_told_of_get() {
    for method in [Method::Post, Method::Other] {
        let response = client().send(Request::new(method, PATH).header("cookie", "session=ana")).await;
        fails(&response, 405, "method_not_allowed");
        assert_eq!(response.headers().last(), Some(&("allow", "GET")));
    }
}

#[tokio::test]
async fn the_path_is_answered_with_and_without_its_slash() {
    for path in [PATH, "/api/median/identity/", "/api/median/identity?x=1"] {
        let response = client().send(Request::new(Method::Get, path)).await;
        assert_eq!(response.body(), br#"{"visitor":null}"#, "{path}");
    }
    for path in ["/api/median/identity//", "/api/median/identit", "/api/median/identity/x"] {
        fails(&client().send(Request::new(Method::Get, path)).await, 404, "not_found");
    }
}

#[tokio::test]
async fn without_a_resolver_nothing_is_there() {
    let client = Endpoint::builder().build().unwrap().test_client(SHOP);
    fails(&client.send(asked("ana")).await, 404, "not_found");
}

#[tokio::test]
async fn another_path_takes_the_place_of_the_first() {
    let endpoint = Endpoint::builder().mount("/").identity_at("/who/", resolve).build().unwrap();
    assert_eq!(endpoint.identity_path(), Some("/who"));
    let client = endpoint.test_client(SHOP);
    let response = client.send(Request::new(Method::Get, "/who")).await;
    assert_eq!(response.body(), br#"{"visitor":null}"#);
    // The root takes what nothing else claims.
    fails(&client.send(Request::new(Method::Get, PATH)).await, 401, "missing_signature");
}

#[test]
fn a_path_that_is_taken_or_odd_is_a_problem() {
    for (path, why) in [
        ("/api/median", "the endpoint itself is there"),
        ("/api/median/", "the endpoint itself is there"),
        ("/", "must not be the root"),
        ("/healthz", "say that they are up"),
        ("/agent/manifest", "the application manifest"),
        ("who", "begin with /"),
    ] {
        let error = Endpoint::<Shop>::builder().identity_at(path, resolve).build().unwrap_err().to_string();
        assert!(error.contains("the identity path") && error.contains(why), "{path}: {error}");
    }
}

#[tokio::test]
async fn why_it_failed_is_in_the_log_and_not_in_the_answer() {
    let client = client();
    for (session, detail) in [
        ("broken", "the secret of the database"),
        ("public", "the secret of the message"),
        ("refused", "refused: no_such_session"),
        ("panics", "panicked: the secret of the panic"),
        ("blank", "the user's id is blank"),
    ] {
        let message = fails(&client.send(asked(session)).await, 500, "identity_failed");
        assert!(!message.contains("secret"), "{session}: {message}");
        let event = &client.take_events()[0];
        assert_eq!((&event["asked"], &event["detail"]), (&json!("identity"), &json!(detail)), "{session}");
    }
}

#[tokio::test]
async fn a_resolver_that_does_not_end_is_cut_off_after_ten_seconds() {
    let client = client();
    let clock = client.clock().clone();
    let (response, ()) = tokio::join!(client.send(asked("slow")), async {
        yield_now().await;
        clock.advance(Duration::from_secs(10));
    });
    fails(&response, 500, "identity_failed");
    assert_eq!(client.take_events()[0]["detail"], "cut off after 10000 ms");
}

#[tokio::test]
async fn an_event_says_nothing_of_who_it_was() {
    let endpoint = Endpoint::builder().identity(resolve).observe_payloads(true).build().unwrap();
    let client = endpoint.test_client(SHOP);
    client.send(asked("ana")).await;
    let event = client.take_events()[0].to_string();
    assert!(event.contains(r#""asked":"identity""#), "{event}");
    for private in ["user_1", "Ana", "ana", "session"] {
        assert!(!event.contains(private), "{private}: {event}");
    }
}

#[tokio::test]
async fn a_tool_secret_alone_signs_no_identity() {
    let keys = Keys::from_lookup(|name| (name == "MEDIAN_TOOL_SECRET").then(|| "ab".repeat(32)));
    keys.check().unwrap();
    let message = fails(&keyed(keys).send(asked("ana")).await, 500, "missing_secret");
    assert!(message.contains("MEDIAN_KEY"), "{message}");
}

#[tokio::test]
async fn keys_that_are_missing_or_malformed_have_their_own_codes() {
    fails(&keyed(Keys::missing()).send(asked("ana")).await, 500, "missing_secret");
    let malformed = Keys::from_lookup(|name| (name == "MEDIAN_KEY").then(|| "median_key_short".to_owned()));
    fails(&keyed(malformed).send(asked("ana")).await, 500, "invalid_median_key");
}

#[tokio::test]
async fn only_the_current_key_signs() {
    let key = MedianKey::parse("median_key_another_0000000000000000").unwrap();
    let signed = |body: Value| (body["publicKey"].clone(), body["signature"].clone());
    let alone = json(&keyed(Keys::new(key.clone())).send(asked("ana")).await);
    let rotating = json(&keyed(Keys::new(key).accepting(&MedianKey::local())).send(asked("ana")).await);
    assert_eq!(signed(alone), signed(rotating));
}
