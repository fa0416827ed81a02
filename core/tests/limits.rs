//! What an endpoint's options and its host change, each seen from outside.
#![allow(missing_docs)]

use std::pin::pin;
use std::sync::Mutex;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Duration;

use median_edge::field::{integer, number};
use median_edge::host::{NoRandomness, Panicked, contain_unwind};
use median_edge::prelude::*;
use median_edge::{
    BoxFuture, EndpointBuilder, Event, Host, Keys, MedianKey, Method, Platform, Request, Response, Route,
};
use serde_json::{Value, json};

const NOW_MS: u64 = 1_790_000_000_000;

/// A host that leaves so much time, and notes how long it was asked to sleep; each sleep is over at once.
#[derive(Default)]
struct Hurried {
    remaining_ms: Option<u64>,
    slept: Mutex<Vec<u64>>,
    events: Mutex<Vec<Value>>,
}

impl Host for Hurried {
    fn now_ms(&self) -> u64 {
        NOW_MS
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        self.slept.lock().unwrap().push(ms);
        Box::pin(std::future::ready(()))
    }

    fn remaining_ms(&self) -> Option<u64> {
        self.remaining_ms
    }

    fn random(&self, _: &mut [u8]) -> Result<(), NoRandomness> {
        Err(NoRandomness)
    }

    fn event(&self, event: &Event<'_>) {
        self.events.lock().unwrap().push(serde_json::to_value(event).unwrap());
    }

    fn contain(&self, work: &mut dyn FnMut()) -> Result<(), Panicked> {
        contain_unwind(work)
    }
}

fn tool(name: &'static str) -> median_edge::tool::ToolBuilder<()> {
    Tool::builder(name, "A tool of the tests.").risk(Risk::Low)
}

fn stuck(name: &'static str) -> Tool<()> {
    tool(name).run(async |_: Context<'_, ()>| -> ToolResult<()> { std::future::pending().await })
}

fn body(tool: &str, input: &str) -> String {
    format!(
        r#"{{"tool":"{tool}","toolCallId":"x","input":{input},"context":{{"conversationId":"c","risk":"low","visitor":{{"verified":false}},"approvedBy":"Mia"}}}}"#
    )
}

fn answer(builder: EndpointBuilder<()>, host: &Hurried, request: &Request) -> Response {
    let endpoint = builder.build().unwrap();
    let keys = Keys::new(MedianKey::local());
    let platform = Platform::new(host, &keys, &());
    let answer = pin!(endpoint.answer(&platform, request));
    match answer.poll(&mut TaskContext::from_waker(Waker::noop())) {
        Poll::Ready(response) => response,
        Poll::Pending => panic!("nothing here waits"),
    }
}

fn post(body: &str) -> Request {
    let signature = MedianKey::local().tool_secret().sign(NOW_MS, body.as_bytes());
    Request::new(Method::Post, "/api/median").header("median-signature", signature).body(body)
}

fn slept(builder: EndpointBuilder<()>, remaining_ms: Option<u64>, body: &str) -> Vec<u64> {
    let host = Hurried { remaining_ms, ..Hurried::default() };
    answer(builder, &host, &post(body));
    host.slept.into_inner().unwrap()
}

#[test]
fn a_call_is_cut_off_at_the_shortest_of_its_limits() {
    let limited = || Endpoint::builder().tools([stuck("stuck")]).time_limit(Duration::from_secs(9));
    let call = body("stuck", "{}");
    assert_eq!(slept(Endpoint::builder().tools([stuck("stuck")]), None, &call), [25_000]);
    assert_eq!(slept(limited(), None, &call), [9_000]);
    assert_eq!(slept(limited(), Some(4_321), &call), [4_321]);
    let short = tool("short")
        .timeout(2)
        .run(async |_: Context<'_, ()>| -> ToolResult<()> { std::future::pending().await });
    assert_eq!(slept(limited().tools([short]), Some(4_321), &body("short", "{}")), [2_000]);
}

#[test]
fn diagnostics_stop_before_the_host_does() {
    let endpoint = || {
        Endpoint::builder().diagnostics(async |(): &()| -> ToolResult<()> { std::future::pending().await })
    };
    let diagnostics = r#"{"op":"diagnostics"}"#;
    assert_eq!(slept(endpoint(), None, diagnostics), [7_500]);
    assert_eq!(slept(endpoint(), Some(900), diagnostics), [900]);
}

#[test]
fn a_tool_knows_its_deadline_and_the_time() {
    let tool = tool("when").run(async |call: Context<'_, ()>| -> ToolResult<Value> {
        let (deadline, clock): (Deadline<'_>, Clock<'_>) = (call.extract()?, call.extract()?);
        let left_ms = u64::try_from(deadline.remaining().as_millis())?;
        Ok(json!({"at": deadline.at_ms(), "left": left_ms, "now": clock.now_ms()}))
    });
    let builder = Endpoint::builder().tools([tool]).time_limit(Duration::from_secs(9));
    let response = answer(builder, &Hurried::default(), &post(&body("when", "{}")));
    let answer: Value = serde_json::from_slice(response.body()).unwrap();
    assert_eq!(answer["result"], json!({"at": NOW_MS + 9_000, "left": 9_000, "now": NOW_MS}));
}

#[test]
fn the_tolerance_is_the_endpoints_own() {
    let request = |apart: u64| {
        let signature = MedianKey::local().tool_secret().sign(NOW_MS - apart, b"");
        Request::new(Method::Get, "/api/median").header("median-signature", signature)
    };
    let status =
        |apart| answer(Endpoint::builder().tolerance_ms(500), &Hurried::default(), &request(apart)).status();
    assert_eq!((status(500), status(501)), (200, 401));
}

#[test]
fn a_panic_while_a_call_is_dropped_is_contained() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("while it was dropped");
        }
    }
    let bomb = tool("bomb").run(async |_: Context<'_, ()>| -> ToolResult<()> {
        let _bomb = Bomb;
        std::future::pending().await
    });
    let response = answer(Endpoint::builder().tools([bomb]), &Hurried::default(), &post(&body("bomb", "{}")));
    let body = String::from_utf8_lossy(response.body()).into_owned();
    assert!(body.contains("timed_out"), "{body}");
}

#[test]
fn an_event_says_who_approved_and_nothing_of_a_body_that_was_not_read() {
    let host = Hurried::default();
    answer(Endpoint::builder().tools([stuck("stuck")]), &host, &post(&body("stuck", "{}")));
    let too_large = Request::new(Method::Post, "/api/median").body_too_large();
    answer(Endpoint::builder(), &host, &too_large);
    let events = host.events.into_inner().unwrap();
    assert_eq!(events[0]["approved_by"], "Mia");
    assert_eq!(events[1].get("request_bytes"), None);
}

#[test]
fn directives_do_not_count_into_what_the_agent_reads() {
    let page = tool("page").run(async |_: Context<'_, ()>| {
        // 4,000 characters without the page.
        let data = std::collections::BTreeMap::from([("a".to_owned(), "x".repeat(3_992))]);
        ToolResult::Ok(Reply::new(data).navigate_to("/orders")?)
    });
    let host = Hurried::default();
    answer(Endpoint::builder().tools([page]), &host, &post(&body("page", "{}")));
    assert_eq!(host.events.into_inner().unwrap()[0].get("warnings"), None);
}

#[test]
fn a_fraction_as_the_end_of_an_integers_range_means_the_integer_inside() {
    let builder = || {
        let field = integer("n").range(0.5..=2.5);
        Endpoint::builder().tools([tool("t").field(field).run(async |_: Context<'_, ()>| ToolResult::Ok(()))])
    };
    let status = |n: &str| {
        answer(builder(), &Hurried::default(), &post(&body("t", &format!("{{\"n\":{n}}}")))).status()
    };
    assert_eq!(["0", "1", "2", "3"].map(status), [400, 200, 200, 400]);
}

#[test]
fn a_root_mount_takes_healthz_too_where_nobody_asks_for_health() {
    let signature = MedianKey::local().tool_secret().sign(NOW_MS, b"");
    let request = Request::new(Method::Get, "/healthz").header("median-signature", signature);
    let builder = || Endpoint::builder().mount("/");
    assert_eq!(builder().build().unwrap().route("/healthz"), Route::Health);
    assert!(answer(builder(), &Hurried::default(), &request).body().starts_with(br#"{"version":1"#));
}

#[test]
fn a_number_at_the_end_of_its_range_is_in_it() {
    let builder = || {
        let field = number("n").min(0.5).max(1.5);
        Endpoint::builder().tools([tool("t").field(field).run(async |_: Context<'_, ()>| ToolResult::Ok(()))])
    };
    let status = |n: &str| {
        answer(builder(), &Hurried::default(), &post(&body("t", &format!("{{\"n\":{n}}}")))).status()
    };
    assert_eq!(["0.4", "0.5", "15e-1", "1.6"].map(status), [400, 200, 200, 400]);
}
