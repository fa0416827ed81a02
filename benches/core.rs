//! What the core costs for one request, beside its floor: HMAC over the same bytes from a prepared key state,
//! `serde_json` decoding into plain structs, `serde_json` encoding of the answer.

use std::hint::black_box;
use std::pin::pin;
use std::task::{Context as TaskContext, Poll, Waker};

use hmac::{Hmac, KeyInit, Mac};
use median_edge::host::NoRandomness;
use median_edge::key::LOCAL_KEY;
use median_edge::prelude::*;
use median_edge::{BoxFuture, Event, Host, Keys, MedianKey, Method, Platform, Request, Response};
use median_edge_benches::{Pair, allocations, pair};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// A request may cost at most so many times its floor.
const BUDGET: f64 = 1.25;
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
struct Floor(Hmac<Sha256>);

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
        Self(Hmac::new_from_slice(&secret).expect("HMAC takes any key"))
    }

    fn mac(&self, body: &[u8]) -> [u8; 32] {
        let mut mac = self.0.clone();
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

    fn bad_signature(&self, body: &str, message: &str) -> Vec<u8> {
        black_box(self.mac(body.as_bytes()));
        let error = FloorError { code: "invalid_signature", message };
        serde_json::to_vec(&error).expect("the answer is sound")
    }
}

#[derive(Serialize)]
struct FloorRefusal<'a> {
    ok: bool,
    reason: &'a str,
    detail: &'a str,
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

/// Measures one kind of request and prints its row.
fn row<A, B>(name: &str, mut ours: impl FnMut() -> A, mut floor: impl FnMut() -> B) -> f64 {
    let (allocations, floor_allocations) = (allocations(&mut ours), allocations(&mut floor));
    let Pair { ours_ns, floor_ns, ratio } = pair(ours, floor);
    let (ours, floor) = (time(ours_ns), time(floor_ns));
    println!("{name:<22} {ours:>10} {floor:>10} {ratio:>7.2} {allocations:>8} {floor_allocations:>8}");
    ratio
}

fn time(ns: f64) -> String {
    if ns < 10_000.0 { format!("{ns:.0} ns") } else { format!("{:.1} µs", ns / 1000.0) }
}

fn main() {
    let bench = Bench::new();
    let floor = Floor::new();
    let [small, large, unverified] = [
        call("orderStatus", "ORD-1042", true),
        call("orderStatus", &"x".repeat(64 * 1024), true),
        call("myOrder", "ORD-1042", false),
    ];
    let manifest = bench.endpoint.manifest();
    let get = bench.request(Method::Get, "");
    let [post, post_large, post_unverified] =
        [&small, &large, &unverified].map(|body| bench.request(Method::Post, body));
    let altered = bench.request(Method::Post, &small).body(small.replace("1042", "1043"));

    let refused: serde_json::Value =
        serde_json::from_slice(bench.answer(&altered).body()).expect("it is JSON");
    let message = refused["error"]["message"].as_str().expect("an error has a message").to_owned();

    println!("One request, beside its floor (budget {BUDGET}):\n");
    println!("{:<22} {:>10} {:>10} {:>7} {:>8} {:>8}", "", "ours", "floor", "ratio", "allocs", "floor's");
    let ratios = [
        row("manifest", || bench.answer(&get), || (floor.mac(b""), manifest)),
        row("small call", || bench.answer(&post), || floor.call(&small)),
        row("call, 64 KiB string", || bench.answer(&post_large), || floor.call(&large)),
        row("refusal", || bench.answer(&post_unverified), || floor.refusal(&unverified)),
        row("bad signature", || bench.answer(&altered), || floor.bad_signature(&small, &message)),
    ];

    println!("\nAs the body grows:\n");
    println!("{:<22} {:>10} {:>10} {:>7} {:>8}", "", "ours", "floor", "ratio", "ns/KiB");
    for kib in [1_u16, 4, 16, 64, 256, 1023] {
        let body = call("orderStatus", &"x".repeat(usize::from(kib) * 1024), true);
        let post = bench.request(Method::Post, &body);
        let Pair { ours_ns, floor_ns, ratio } = pair(|| bench.answer(&post), || floor.call(&body));
        let (ours, floor, per_kib) = (time(ours_ns), time(floor_ns), ours_ns / f64::from(kib));
        println!("{:<22} {ours:>10} {floor:>10} {ratio:>7.2} {per_kib:>8.0}", format!("{kib} KiB"));
    }

    let over = ratios.iter().any(|ratio| *ratio > BUDGET);
    if over && std::env::args().any(|argument| argument == "--budget") {
        eprintln!("\nA request costs more than {BUDGET} times its floor.");
        std::process::exit(1);
    }
}
