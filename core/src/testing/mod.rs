//! A signed client that calls an endpoint in-process, and a clock that the test moves.
//!
//! The requests are the platform's own, byte for byte, and go the whole way: signature, decoding, gate, tool. Answers
//! are read by the platform's rules.
//!
//! ```
//! use median_edge::field::string;
//! use median_edge::prelude::*;
//! use serde_json::json;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let tool = Tool::builder("greet", "Say hello.").risk(Risk::Low).field(string("name")).run(
//!     async |call: Context<'_, ()>| -> ToolResult<String> {
//!         let customer: VerifiedVisitor = call.extract()?;
//!         Ok(format!("Hello {}, {}", call.get::<String>("name")?, customer.id()))
//!     },
//! );
//! let client = Endpoint::builder().tools([tool]).build().unwrap().test_client(());
//!
//! let answer = client.call("greet").visitor("user_1").input(json!({"name": "Ana"})).await;
//! assert_eq!(answer.result::<String>(), "Hello Ana, user_1");
//!
//! let answer = client.call("greet").input(json!({"name": "Ana"})).await;
//! assert_eq!(answer.refusal().reason, "not_signed_in");
//!
//! let answer = client.call("greet").visitor("user_1").input(json!({"name": 12})).await;
//! assert_eq!(answer.error().message, "name must be a string; a number came.");
//! # }
//! ```

mod answer;
mod call;
mod host;
mod queue;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use answer::{ReadError, ReadRefusal, TestAnswer};
pub use call::TestCall;
pub use host::TestClock;
use host::TestHost;
use queue::TestQueue;
use serde_json::Value;

use crate::endpoint::Endpoint;
use crate::http::{Method, Request, Response, SIGNATURE_HEADER};
use crate::job::{JobMessage, Jobs, Verdict};
use crate::key::{Keys, MedianKey};
use crate::platform::Platform;
use crate::sendable::MaybeSync;

/// An endpoint with its state, called as the platform calls it.
///
/// It signs with the endpoint's own keys, or with the public example key.
#[derive(Debug)]
pub struct TestClient<S> {
    endpoint: Endpoint<S>,
    state: S,
    keys: Keys,
    host: TestHost,
    queue: TestQueue,
}

impl<S: MaybeSync + 'static> Endpoint<S> {
    /// A client that calls this endpoint in-process.
    pub fn test_client(self, state: S) -> TestClient<S> {
        let keys = self.keys().cloned().unwrap_or_else(|| Keys::new(MedianKey::local()));
        TestClient { endpoint: self, state, keys, host: TestHost::default(), queue: TestQueue::default() }
    }
}

impl<S: MaybeSync + 'static> TestClient<S> {
    /// The application's state, to look at after a call.
    pub fn state(&self) -> &S {
        &self.state
    }

    /// The endpoint.
    pub fn endpoint(&self) -> &Endpoint<S> {
        &self.endpoint
    }

    /// The clock that signatures, deadlines and tools go by. It stands still until it is moved.
    pub fn clock(&self) -> &Arc<TestClock> {
        &self.host.clock
    }

    /// Takes the events since the last time, each as the JSON that is logged of it.
    pub fn take_events(&self) -> Vec<Value> {
        self.host.take_events()
    }

    /// Takes the jobs that were enqueued since the last time. [`TestClient::run_job`] runs one.
    pub fn take_jobs(&self) -> Vec<JobMessage> {
        self.queue.take()
    }

    /// Runs a job once, as the run of this number.
    pub async fn run_job(&self, jobs: &Jobs<S>, message: &JobMessage, attempt: u32) -> Verdict {
        jobs.run(&self.host, &self.state, message, attempt).await
    }

    /// Begins a call. Nobody is signed in, nobody has approved it and the input is empty, unless it is said.
    pub fn call<'a>(&'a self, tool: &'a str) -> TestCall<'a, S> {
        TestCall::new(self, tool)
    }

    /// The manifest, through a signed GET.
    ///
    /// # Panics
    ///
    /// When it is not answered.
    pub async fn manifest(&self) -> Value {
        let signature = self.sign(b"");
        let response =
            self.send(Request::new(Method::Get, self.path()).header(SIGNATURE_HEADER, signature)).await;
        assert_eq!(response.status(), 200, "{}", String::from_utf8_lossy(response.body()));
        serde_json::from_slice(response.body()).expect("a manifest is JSON")
    }

    /// Diagnostics, as the platform asks for them when a report is filed.
    pub async fn diagnostics(&self) -> TestAnswer {
        TestAnswer::read(&self.post(br#"{"op":"diagnostics"}"#).await)
    }

    /// Sends a body as it is, signed.
    pub async fn post(&self, body: &[u8]) -> Response {
        let signature = self.sign(body);
        self.send(Request::new(Method::Post, self.path()).header(SIGNATURE_HEADER, signature).body(body))
            .await
    }

    /// Sends a request as it is.
    pub async fn send(&self, request: Request) -> Response {
        let platform = Platform::new(&self.host, &self.keys, &self.state).with_queue(&self.queue);
        self.endpoint.answer(&platform, &request).await
    }

    /// The `median-signature` value for a body that is sent now.
    ///
    /// # Panics
    ///
    /// When the endpoint has no key.
    pub fn sign(&self, body: &[u8]) -> String {
        let signer = self.keys.signer().expect("the endpoint has a key to sign with");
        signer.sign(self.host.clock.now_ms(), body)
    }

    fn path(&self) -> String {
        self.endpoint.mount().into()
    }
}
