//! The requests that are measured, and the floor of each: HMAC over the same bytes from a prepared key state,
//! `serde_json` decoding into plain structs, `serde_json` encoding of the answer.

use std::hint::black_box;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context as TaskContext, Poll, Waker};

use hmac::{Hmac, KeyInit, Mac};
use median_edge::host::NoRandomness;
use median_edge::key::LOCAL_KEY;
use median_edge::prelude::*;
use median_edge::{BoxFuture, Event, Host, Keys, MedianKey, Method, Platform, Request, Response};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

const NOW_MS: u64 = 1_790_000_000_000;

struct Bench {
    endpoint: Endpoint<()>,
    keys: Keys,
}

struct BenchHost;

impl Host for BenchHost {
    fn now_ms(&self) -> u64 {
        NOW_MS
    }

    fn sleep(&self, _: u64) -> BoxFuture<'static, ()> {
        Box::pin(std::future::pending())
    }

    fn random(&self, _: &mut [u8]) -> Result<(), NoRandomness> {
        Err(NoRandomness)
    }

    fn event(&self, event: &Event<'_>) {
        black_box(event);
    }
}

#[derive(Serialize)]
struct OrderStatus {
    status: &'static str,
    characters: usize,
}

/// Look up the status of an order.
#[tool(risk = "low", effect = "read")]
fn order_status(
    /// The order number, like ORD-1042.
    order_number: String,
) -> ToolResult<OrderStatus> {
    Ok(OrderStatus { status: "shipped", characters: order_number.len() })
}

/// Look up the customer's own order.
#[tool(risk = "low", effect = "read")]
fn my_order(
    /// The order number, like ORD-1042.
    order_number: String,
    _customer: VerifiedVisitor,
) -> ToolResult<OrderStatus> {
    order_status(order_number)
}

impl Bench {
    fn new() -> Self {
        let endpoint = Endpoint::builder().tools(tools![order_status, my_order]).build();
        let endpoint = endpoint.expect("the endpoint is sound");
        Self { endpoint, keys: Keys::new(MedianKey::local()) }
    }

    fn request(&self, method: Method, body: &str) -> Request {
        let signer = self.keys.signer().expect("the local key signs");
        let request = Request::new(method, "/api/median");
        request.header("median-signature", signer.sign(NOW_MS, body.as_bytes())).body(body)
    }

    /// The tool is ready when it is first polled, and so is the answer.
    fn answer(&self, request: &Request) -> Response {
        let platform = Platform::new(&BenchHost, &self.keys, &());
        let future = pin!(self.endpoint.answer(&platform, request));
        match future.poll(&mut TaskContext::from_waker(Waker::noop())) {
            Poll::Ready(response) => response,
            Poll::Pending => unreachable!("the tool is ready at once"),
        }
    }
}

/// The least that has to be done for a request.
struct Floor {
    mac: Hmac<Sha256>,
    message: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)] // Decoding them is what is measured.
struct FloorCall<'a> {
    tool: &'a str,
    tool_call_id: &'a str,
    input: FloorInput,
    #[serde(borrow)]
    context: FloorContext<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FloorInput {
    order_number: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct FloorContext<'a> {
    conversation_id: &'a str,
    risk: &'a str,
    #[serde(borrow)]
    visitor: FloorVisitor<'a>,
    approved_by: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct FloorVisitor<'a> {
    verified: bool,
    external_id: Option<&'a str>,
    email: Option<&'a str>,
    name: Option<&'a str>,
}

#[derive(Serialize)]
struct FloorAnswer<T> {
    result: T,
}

impl Floor {
    /// With the tool signing secret of the public example key.
    fn new() -> Self {
        let derived = Hmac::<Sha256>::new_from_slice(LOCAL_KEY.as_bytes()).expect("HMAC takes any key");
        let secret = derived.chain_update("median-edge/tool-signing/v1").finalize().into_bytes();
        let mac = Hmac::new_from_slice(&secret).expect("HMAC takes any key");
        Self { mac, message: "m".repeat(MESSAGE) }
    }

    fn mac(&self, body: &[u8]) -> [u8; 32] {
        let mut mac = self.mac.clone();
        mac.update(b"1790000000000.");
        mac.update(body);
        mac.finalize().into_bytes().into()
    }

    fn call(&self, body: &str) -> Vec<u8> {
        black_box(self.mac(body.as_bytes()));
        let call: FloorCall<'_> = serde_json::from_slice(body.as_bytes()).expect("the call is sound");
        let call = black_box(call);
        let result = OrderStatus { status: "shipped", characters: call.input.order_number.len() };
        serde_json::to_vec(&FloorAnswer { result }).expect("the answer is sound")
    }

    fn refusal(&self, body: &str) -> Vec<u8> {
        black_box(self.mac(body.as_bytes()));
        let call: FloorCall<'_> = serde_json::from_slice(body.as_bytes()).expect("the call is sound");
        black_box(call);
        let (reason, detail) = ("not_signed_in", "Sign in first: this needs to know who is asking.");
        let result = FloorRefusal { ok: false, reason, detail };
        serde_json::to_vec(&FloorAnswer { result }).expect("the answer is sound")
    }

    fn bad_signature(&self, body: &str) -> Vec<u8> {
        black_box(self.mac(body.as_bytes()));
        let error = FloorError { code: "invalid_signature", message: &self.message };
        serde_json::to_vec(&FloorErrorAnswer { error }).expect("the answer is sound")
    }
}

#[derive(Serialize)]
struct FloorRefusal<'a> {
    ok: bool,
    reason: &'a str,
    detail: &'a str,
}

/// The length of the message that a bad signature is answered with.
const MESSAGE: usize = 335;

#[derive(Serialize)]
struct FloorErrorAnswer<'a> {
    error: FloorError<'a>,
}

#[derive(Serialize)]
struct FloorError<'a> {
    code: &'a str,
    message: &'a str,
}

fn call(tool: &str, order_number: &str, verified: bool) -> String {
    format!(
        r#"{{"tool":"{tool}","toolCallId":"call_9f2c41d07b3e4a6f8c1d2e3f4a5b6c7d","input":{{"orderNumber":"{order_number}"}},"context":{{"conversationId":"k57c2x9vx8p4q1m0z3b6n7r2hd6s8t4w","risk":"low","visitor":{{"verified":{verified},"externalId":"user_123","email":"ana@example.com"}}}}}}"#
    )
}

/// One kind of request: what we do for it, and the least that it could cost.
pub struct Case {
    /// What it is called in the table.
    pub name: String,
    /// Answers the request.
    pub ours: Box<dyn Fn()>,
    /// Does the least.
    pub floor: Box<dyn Fn()>,
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// The kinds of requests that the budget is for.
pub fn kinds() -> Vec<Case> {
    let (bench, floor) = (Rc::new(Bench::new()), Rc::new(Floor::new()));
    let case = |name: &str, request: Request, least: Box<dyn Fn()>| {
        let bench = Rc::clone(&bench);
        let ours = Box::new(move || drop(black_box(bench.answer(&request))));
        Case { name: name.to_owned(), ours, floor: least }
    };
    let post = |body: &str| bench.request(Method::Post, body);
    let least = |work: fn(&Floor, &str) -> Vec<u8>, body: &str| -> Box<dyn Fn()> {
        let (floor, body) = (Rc::clone(&floor), body.to_owned());
        Box::new(move || drop(black_box(work(&floor, &body))))
    };

    let small = call("orderStatus", "ORD-1042", true);
    let large = call("orderStatus", &"x".repeat(64 * 1024), true);
    let unverified = call("myOrder", "ORD-1042", false);
    let altered = post(&small).body(small.replace("1042", "1043"));
    vec![
        case("manifest", bench.request(Method::Get, ""), least(|floor, _| floor.mac(b"").to_vec(), "")),
        case("small call", post(&small), least(Floor::call, &small)),
        case("call, 64 KiB string", post(&large), least(Floor::call, &large)),
        case("refusal", post(&unverified), least(Floor::refusal, &unverified)),
        case("bad signature", altered, least(Floor::bad_signature, &small)),
    ]
}

/// A call whose one string has so many KiB.
pub fn growing(kib: u16) -> Case {
    let (bench, floor) = (Bench::new(), Floor::new());
    let body = call("orderStatus", &"x".repeat(usize::from(kib) * 1024), true);
    let request = bench.request(Method::Post, &body);
    Case {
        name: format!("{kib} KiB"),
        ours: Box::new(move || drop(black_box(bench.answer(&request)))),
        floor: Box::new(move || drop(black_box(floor.call(&body)))),
    }
}
