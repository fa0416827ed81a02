//! Keys out of a fake extension: fetched, kept, rotated, late, away, malformed, oversized, slow.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use median_edge::{Endpoint, Keys, MedianKey};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::Attempts;
use crate::{App, Function, LambdaHost};

const ONE: &str = "median_key_one_00000000000000000000";
const TWO: &str = "median_key_two_00000000000000000000";
const NOW_MS: u64 = 1_790_000_000_000;

/// A server in the place of the extension. It gives the same answer until it is told another, and keeps what it was asked.
#[derive(Clone)]
struct Fake {
    answer: Arc<Mutex<Vec<u8>>>,
    asked: Arc<Mutex<Vec<String>>>,
    port: u16,
    /// What is added to the time of the function's clock.
    passed: Arc<AtomicU64>,
}

fn http(status: u16, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn secret(text: &str) -> Vec<u8> {
    http(
        200,
        &json!({"ARN": "arn:x", "Name": "median", "SecretString": text, "VersionStages": ["AWSCURRENT"]})
            .to_string(),
    )
}

impl Fake {
    async fn start(answer: Vec<u8>) -> Self {
        Self::at(TcpListener::bind("127.0.0.1:0").await.unwrap(), answer)
    }

    fn at(listener: TcpListener, answer: Vec<u8>) -> Self {
        let port = listener.local_addr().unwrap().port();
        let fake = Self {
            answer: Arc::new(Mutex::new(answer)),
            asked: Arc::default(),
            port,
            passed: Arc::default(),
        };
        let serving = fake.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    head.push(stream.read_u8().await.unwrap());
                }
                serving.asked.lock().unwrap().push(String::from_utf8(head).unwrap());
                let answer = serving.answer.lock().unwrap().clone();
                // An empty one is a server that does not answer.
                if answer.is_empty() {
                    tokio::spawn(async move {
                        std::future::pending::<()>().await;
                        drop(stream);
                    });
                    continue;
                }
                let _ = stream.write_all(&answer).await;
            }
        });
        fake
    }

    fn answers(&self, answer: Vec<u8>) {
        *self.answer.lock().unwrap() = answer;
    }

    /// Lets time pass between two invocations.
    fn pass(&self, seconds: u64) {
        self.passed.fetch_add(seconds * 1000, Ordering::Relaxed);
    }

    fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn app(port: u16, set: &'static [(&'static str, &'static str)]) -> App<()> {
    let endpoint = Endpoint::builder().clock(|| NOW_MS).build();
    App::new(endpoint, async || Ok::<_, String>(())).environment(move |name| match name {
        "PARAMETERS_SECRETS_EXTENSION_HTTP_PORT" => Some(port.to_string()),
        "AWS_SESSION_TOKEN" => Some("the-token".to_owned()),
        _ => set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()),
    })
}

const BY_SECRET: &[(&str, &str)] =
    &[("MEDIAN_KEY_SECRET_ARN", "arn:aws:secretsmanager:eu-west-1:1:secret:median")];

async fn started(fake: &Fake) -> Function<()> {
    let passed = Arc::clone(&fake.passed);
    let clock = move || NOW_MS + passed.load(Ordering::Relaxed);
    app(fake.port, BY_SECRET).clock(Rc::new(clock)).start().await
}

/// The code that a GET signed with a key is answered with; `manifest` for the manifest.
async fn code(function: &Function<()>, key: &str) -> String {
    code_of(&answered(function, key).await)
}

fn code_of(body: &Value) -> String {
    body["error"]["code"].as_str().unwrap_or("manifest").to_owned()
}

async fn answered(function: &Function<()>, key: &str) -> Value {
    let signature = MedianKey::parse(key).unwrap().tool_secret().sign(NOW_MS, b"");
    got(function, "median-signature", &signature).await
}

async fn got(function: &Function<()>, header: &str, value: &str) -> Value {
    let event = json!({
        "rawPath": "/api/median", "requestContext": {"http": {"method": "GET"}}, "headers": {header: value},
    });
    let event = serde_json::to_vec(&event).unwrap();
    let answer = function.answer(&event, &LambdaHost::new(None)).await.unwrap();
    let answer: Value = serde_json::from_str(answer.get()).unwrap();
    serde_json::from_str(answer["body"].as_str().unwrap()).unwrap()
}

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_secret_is_fetched_once_with_the_functions_token() {
    let fake = Fake::start(secret(ONE)).await;
    let function = started(&fake).await;
    assert_eq!(code(&function, ONE).await, "manifest");
    assert_eq!(code(&function, ONE).await, "manifest");
    let [asked] = fake.asked().try_into().unwrap();
    let line = "GET /secretsmanager/get?secretId=arn%3Aaws%3Asecretsmanager%3Aeu-west-1%3A1%3Asecret%3Amedian HTTP/1.1\r\n";
    assert!(asked.starts_with(line), "{asked}");
    assert!(asked.to_lowercase().contains("\r\nx-aws-parameters-secrets-token: the-token\r\n"), "{asked}");
}

#[tokio::test]
async fn a_parameter_is_fetched_decrypted() {
    let fake = Fake::start(http(200, &json!({"Parameter": {"Name": "k", "Value": ONE}}).to_string())).await;
    let function = app(fake.port, &[("MEDIAN_KEY_PARAMETER", "/shop/key")]).start().await;
    assert_eq!(code(&function, ONE).await, "manifest");
    assert!(
        fake.asked()[0]
            .starts_with("GET /systemsmanager/parameters/get?name=%2Fshop%2Fkey&withDecryption=true ")
    );
}

#[tokio::test]
async fn keys_are_kept_for_a_minute() {
    let fake = Fake::start(secret(ONE)).await;
    let function = started(&fake).await;
    fake.pass(59);
    assert_eq!(code(&function, ONE).await, "manifest");
    assert_eq!(fake.count(), 1);
    fake.pass(2);
    assert_eq!(code(&function, ONE).await, "manifest");
    assert_eq!(fake.count(), 2);
}

#[tokio::test]
async fn a_rotated_key_is_accepted_at_its_first_call() {
    let fake = Fake::start(secret(ONE)).await;
    let function = started(&fake).await;
    fake.answers(secret(TWO));
    fake.pass(11);
    assert_eq!(code(&function, TWO).await, "manifest");
    assert_eq!(code(&function, ONE).await, "invalid_signature");
}

#[cfg(feature = "connect")]
#[tokio::test]
async fn a_rotated_key_connects_at_its_first_request() {
    let fake = Fake::start(secret(ONE)).await;
    let function = started(&fake).await;
    fake.answers(secret(TWO));
    fake.pass(11);
    let connected = async |key: &str| got(&function, "authorization", &format!("Bearer {key}")).await;
    // There is no platform to connect to, which is said only to who has the key.
    assert_eq!(code_of(&connected(TWO).await), "connect_failed");
    assert_eq!(code_of(&connected(ONE).await), "invalid_signature");
}

#[tokio::test]
async fn wrong_signatures_do_not_fetch_more_often_than_every_ten_seconds() {
    let fake = Fake::start(secret(ONE)).await;
    let function = started(&fake).await;
    for _ in 0..3 {
        assert_eq!(code(&function, TWO).await, "invalid_signature");
    }
    assert_eq!(fake.count(), 1);
    fake.pass(11);
    for _ in 0..3 {
        assert_eq!(code(&function, TWO).await, "invalid_signature");
    }
    assert_eq!(fake.count(), 2);
}

#[tokio::test]
async fn a_secret_of_several_members_names_both_keys_of_a_rotation() {
    let both = json!({"MEDIAN_KEY": TWO, "MEDIAN_KEY_PREVIOUS": ONE, "note": "x"}).to_string();
    let fake = Fake::start(secret(&both)).await;
    let function = started(&fake).await;
    assert_eq!(code(&function, ONE).await, "manifest");
    assert_eq!(code(&function, TWO).await, "manifest");
}

#[tokio::test]
async fn what_the_secret_leaves_out_the_environment_says() {
    let fake = Fake::start(secret(TWO)).await;
    let set =
        &[("MEDIAN_KEY_SECRET_ARN", "median"), ("MEDIAN_KEY_PREVIOUS", ONE), ("MEDIAN_KEY", "median_key_x")];
    let function = app(fake.port, set).start().await;
    assert_eq!(code(&function, ONE).await, "manifest");
    assert_eq!(code(&function, TWO).await, "manifest");
}

#[tokio::test]
async fn an_extension_that_starts_later_than_the_function_is_waited_for() {
    let fake = Fake::start(http(400, "not ready to serve traffic, please wait")).await;
    let function = started(&fake).await;
    let before = fake.count();
    assert_eq!(before, 1, "the cold start does not wait");
    let late = fake.clone();
    tokio::spawn(async move {
        while late.count() < before + 2 {
            tokio::task::yield_now().await;
        }
        late.answers(secret(ONE));
    });
    assert_eq!(code(&function, ONE).await, "manifest");
}

#[tokio::test]
async fn without_an_extension_requests_are_told_and_a_second_later_it_is_asked_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let time = Rc::new(Cell::new(NOW_MS));
    let clock = Rc::clone(&time);
    let function = app(port, BY_SECRET).clock(Rc::new(move || clock.get())).start().await;
    let body = answered(&function, ONE).await;
    assert_eq!(code_of(&body), "missing_secret");
    assert!(body["error"]["message"].as_str().unwrap().contains("log says why"), "{body}");
    let fake = Fake::at(TcpListener::bind(("127.0.0.1", port)).await.unwrap(), secret(ONE));
    assert_eq!(code(&function, ONE).await, "missing_secret");
    time.set(NOW_MS + 1_000);
    assert_eq!(code(&function, ONE).await, "manifest");
    assert_eq!(fake.count(), 1);
}

#[tokio::test]
async fn keys_that_cannot_be_fetched_anew_stay() {
    let fake = Fake::start(secret(ONE)).await;
    let function = started(&fake).await;
    fake.answers(http(403, "AccessDeniedException"));
    fake.pass(61);
    assert_eq!(code(&function, ONE).await, "manifest");
    assert_eq!(fake.count(), 2);
}

#[tokio::test]
async fn an_answer_that_is_none_leaves_no_key() {
    let cut_off = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".to_vec();
    let oversized = http(200, &"x".repeat(300_000));
    let no_http = b"hello\r\n\r\n".to_vec();
    let no_key = secret(r#"{"user":"admin"}"#);
    let answers = [
        http(200, "{}"),
        http(200, "median_key_one"),
        http(500, "oops"),
        cut_off,
        oversized,
        no_http,
        no_key,
    ];
    for answer in answers {
        let fake = Fake::start(answer.clone()).await;
        let stored = stored(fake.port);
        stored.fetch(Duration::from_millis(200), Attempts::Several).await.unwrap_err();
        assert_eq!(
            stored.keys().check().unwrap_err().code().as_str(),
            "missing_secret",
            "{:?}",
            answer.get(..60)
        );
    }
}

fn stored(port: u16) -> super::Stored {
    let lookup = move |name: &str| match name {
        "PARAMETERS_SECRETS_EXTENSION_HTTP_PORT" => Some(port.to_string()),
        "AWS_SESSION_TOKEN" => Some("the-token".to_owned()),
        _ => None,
    };
    super::Stored::new(super::Reference::Secret("median".to_owned()), Rc::new(lookup), Rc::new(|| NOW_MS))
}

#[tokio::test]
async fn an_extension_that_does_not_answer_is_not_waited_for_without_end() {
    let fake = Fake::start(Vec::new()).await;
    let failure = stored(fake.port).fetch(Duration::from_millis(100), Attempts::Several).await.unwrap_err();
    assert!(failure.why.contains("did not answer within 100ms"), "{}", failure.why);
    assert_eq!(fake.count(), 1);
}

#[tokio::test]
async fn a_refusal_is_not_asked_again_and_its_reason_is_told() {
    let fake = Fake::start(http(403, "AccessDeniedException:\n no")).await;
    let failure = stored(fake.port).fetch(SECOND, Attempts::Several).await.unwrap_err();
    assert_eq!(
        (failure.why.as_str(), fake.count()),
        ("the extension answered 403: AccessDeniedException: no", 1)
    );
}

#[tokio::test]
async fn what_is_wrong_with_the_environment_is_told() {
    for (name, expected) in [
        ("PARAMETERS_SECRETS_EXTENSION_HTTP_PORT", "is not a port"),
        ("AWS_SESSION_TOKEN", "is no header's value"),
    ] {
        let wrong = move |asked: &str| match asked {
            "PARAMETERS_SECRETS_EXTENSION_HTTP_PORT" if asked != name => None,
            _ => Some("a\nb".to_owned()),
        };
        let reference = super::Reference::Secret("median".to_owned());
        let fake = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = fake.local_addr().unwrap().port();
        let lookup = move |asked: &str| match wrong(asked) {
            None => Some(port.to_string()),
            wrong => wrong,
        };
        let failure = super::Stored::new(reference, Rc::new(lookup), Rc::new(|| NOW_MS))
            .fetch(SECOND, Attempts::Several)
            .await
            .unwrap_err();
        assert!(failure.why.contains(expected), "{}", failure.why);
    }
}

#[tokio::test]
async fn two_names_for_the_key_leave_none() {
    let set = &[("MEDIAN_KEY_SECRET_ARN", "a"), ("MEDIAN_KEY_PARAMETER", "b"), ("MEDIAN_KEY", ONE)];
    let function = app(1, set).start().await;
    assert_eq!(code(&function, ONE).await, "missing_secret");
}

#[tokio::test]
async fn the_environments_own_key_takes_no_extension() {
    let function = app(1, &[("MEDIAN_KEY", ONE)]).start().await;
    assert_eq!(code(&function, ONE).await, "manifest");
}

#[tokio::test]
async fn an_endpoint_with_keys_of_its_own_fetches_none() {
    let fake = Fake::start(secret(TWO)).await;
    let keys = Keys::new(MedianKey::parse(ONE).unwrap());
    let endpoint = Endpoint::builder().clock(|| NOW_MS).keys(keys).build();
    let port = fake.port;
    let app = App::new(endpoint, async || Ok::<_, String>(())).environment(move |name| match name {
        "PARAMETERS_SECRETS_EXTENSION_HTTP_PORT" => Some(port.to_string()),
        _ => Some("x".to_owned()),
    });
    let function = app.start().await;
    assert_eq!(code(&function, ONE).await, "manifest");
    assert_eq!(fake.count(), 0);
}
