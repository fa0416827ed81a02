//! A stand-in, its API without a network, and endpoints with one.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{Request, StatusCode};
use http_body_util::BodyExt;
use median_edge::key::LOCAL_KEY;
use median_edge::{Keys, MedianKey};
use median_edge_local::Server;
use median_edge_platform::{Access, Options, Platform, router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tower::ServiceExt;

pub(crate) struct Api {
    pub(crate) router: Router,
}

/// An answer of the API.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) json: Value,
}

impl Answer {
    /// The JSON of what went well.
    #[track_caller]
    pub(crate) fn good(self) -> Value {
        assert!(self.status.is_success(), "{self:?}");
        self.json
    }

    /// The code and the words of what did not.
    #[track_caller]
    pub(crate) fn refused(self) -> (String, String) {
        assert!(!self.status.is_success(), "{self:?}");
        let text = |name: &str| self.json["error"][name].as_str().expect("an error has it").to_owned();
        (text("code"), text("message"))
    }
}

impl Api {
    pub(crate) async fn start(options: Options) -> Self {
        let platform = Platform::start(options).await.expect("the stand-in starts");
        Self { router: router(platform, Access::Loopback).expect("it is for this machine") }
    }

    /// With the demo connected, whoever reviews.
    pub(crate) async fn with_demo(options: Options) -> Self {
        let api = Self::start(options).await;
        api.connect(&demo().await).await;
        api
    }

    /// With the demo connected and no reviewer.
    pub(crate) async fn demo() -> Self {
        Self::with_demo(options()).await
    }

    pub(crate) async fn request(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.expect("a router answers");
        let status = response.status();
        let bytes = response.into_body().collect().await.expect("a body ends").to_bytes();
        let json =
            if bytes.is_empty() { Value::Null } else { serde_json::from_slice(&bytes).expect("it is JSON") };
        Answer { status, json }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.request(with_key("GET", path).body(Body::empty()).expect("a request")).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.request(with_key("DELETE", path).body(Body::empty()).expect("a request")).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.post_text(path, &body.to_string()).await
    }

    pub(crate) async fn post_text(&self, path: &str, body: &str) -> Answer {
        let request = with_key("POST", path).header(CONTENT_TYPE, "application/json");
        self.request(request.body(Body::from(body.to_owned())).expect("a request")).await
    }

    /// Connects an endpoint and waits for its first sync.
    pub(crate) async fn connect(&self, url: &str) -> String {
        let answer = self.post("/v1/tool-endpoints", json!({ "url": url })).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED);
        let id = answer.json["id"].as_str().expect("an id").to_owned();
        self.until(&format!("/v1/tool-endpoints/{id}"), |endpoint| endpoint["sync"]["state"] != "syncing")
            .await;
        id
    }

    /// Looks until it is so. What takes longer than half a minute never will be.
    pub(crate) async fn until(&self, path: &str, is: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..600 {
            let json = self.get(path).await.good();
            if is(&json) {
                return json;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("it never came about at {path}");
    }

    /// A conversation whose visitor is verified as this customer, or is not.
    pub(crate) async fn conversation(&self, customer: Option<&str>) -> String {
        let identity = customer.map(|id| identity(id, &MedianKey::local()));
        let begun = self.post("/v1/conversations", json!({ "identity": identity })).await.good();
        begun["conversation"]["id"].as_str().expect("an id").to_owned()
    }

    pub(crate) async fn turn(&self, conversation: &str) -> Value {
        self.post(&format!("/v1/conversations/{conversation}/turns"), json!({})).await.good()
    }

    /// The agent calls a tool in its turn.
    pub(crate) async fn call(&self, conversation: &str, tool: &str, input: Value) -> Answer {
        self.turn(conversation).await;
        let call = json!({ "tool": tool, "input": input });
        self.post(&format!("/v1/conversations/{conversation}/calls"), call).await
    }

    /// The id of the request that a call records.
    pub(crate) async fn request_for(&self, conversation: &str, tool: &str, input: Value) -> String {
        let answer = self.call(conversation, tool, input).await.good();
        answer["approval"]["id"].as_str().expect("a request was recorded").to_owned()
    }
}

/// A request with the organization's key.
pub(crate) fn with_key(method: &str, path: &str) -> http::request::Builder {
    Request::builder().method(method).uri(path).header(AUTHORIZATION, format!("Bearer {LOCAL_KEY}"))
}

pub(crate) fn options() -> Options {
    Options::new(MedianKey::local())
}

/// What an application's identity route answers.
pub(crate) fn identity(id: &str, key: &MedianKey) -> Value {
    json!({ "visitor": { "id": id }, "publicKey": key.public_half(), "signature": key.identity_secret().sign(id) })
}

/// The demo on a free port, until the test ends.
pub(crate) async fn demo() -> String {
    demo_with(MedianKey::local()).await
}

pub(crate) async fn demo_with(key: MedianKey) -> String {
    let endpoint = support_desk::endpoint().expect("the demo is built");
    let server = Server::new(endpoint, support_desk::Desk::demo()).keys(Keys::new(key));
    let bound = server.bind((Ipv4Addr::LOCALHOST, 0)).await.expect("there is a free port");
    let url = bound.url();
    tokio::spawn(bound.run_until(std::future::pending()));
    url
}

/// The headers and the body of a request.
pub(crate) type Asked = (HashMap<String, String>, String);

/// Something that answers as it is told, and remembers what it was asked.
#[derive(Clone, Default)]
pub(crate) struct Stub {
    answers: Arc<Mutex<HashMap<&'static str, (u16, String)>>>,
    pub(crate) asked: Arc<Mutex<Vec<Asked>>>,
    hang: Arc<Mutex<bool>>,
}

impl Stub {
    /// Answers requests of a method with this from now on.
    pub(crate) fn say(&self, method: &'static str, status: u16, body: impl Into<String>) {
        self.answers.lock().unwrap().insert(method, (status, body.into()));
    }

    /// Never answers a POST from now on.
    pub(crate) fn hang(&self) {
        *self.hang.lock().unwrap() = true;
    }

    /// The bodies of what it was posted.
    pub(crate) fn posted(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        asked.iter().filter(|(_, body)| !body.is_empty()).map(|(_, body)| body.clone()).collect()
    }

    pub(crate) async fn serve(&self) -> String {
        let stub = self.clone();
        let answer = move |request: Request<Body>| {
            let stub = stub.clone();
            async move {
                let (parts, body) = request.into_parts();
                let body = body.collect().await.expect("a body ends").to_bytes();
                let headers = parts.headers.iter();
                let headers = headers
                    .map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned()));
                stub.asked
                    .lock()
                    .unwrap()
                    .push((headers.collect(), String::from_utf8_lossy(&body).into_owned()));
                let hangs = *stub.hang.lock().unwrap() && parts.method == "POST";
                if hangs {
                    std::future::pending::<()>().await;
                }
                let answer = stub.answers.lock().unwrap().get(parts.method.as_str()).cloned();
                let (status, body) = answer.unwrap_or((500, String::new()));
                let status = StatusCode::from_u16(status).expect("a status");
                (status, [("location", "/elsewhere")], body)
            }
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("there is a free port");
        let url = format!("http://{}/api/median", listener.local_addr().expect("an address"));
        tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
        url
    }

    /// With a manifest of one tool of each risk, each without fields.
    pub(crate) async fn endpoint() -> (Self, String) {
        let stub = Self::default();
        let tool = |risk: &str| {
            json!({ "name": format!("{risk}Tool"), "description": "Does it.", "risk": risk,
                "inputSchema": { "type": "object", "properties": {}, "additionalProperties": false } })
        };
        let tools: Vec<_> = ["low", "medium", "reviewed", "high"].map(tool).to_vec();
        stub.say("GET", 200, json!({ "version": 1, "tools": tools }).to_string());
        stub.say("POST", 200, r#"{"result":{"done":true}}"#);
        let url = stub.serve().await;
        (stub, url)
    }
}
