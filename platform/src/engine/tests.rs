//! What the engine does when something else than an answer comes: silence, too much at once, an endpoint that is gone.

use std::future::pending;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use http::Method;
use median_edge::MedianKey;

use super::{Options, Platform};
use crate::domain::{
    AgentCall, Answer, Call, CallState, Desk, DiagnosisState, Endpoint, NewConversation, NewReport, Outcome,
    Problem, Report, SyncState,
};

const OWN_KEY: &str = "median_key_of_its_own_0000000000";
const MANIFEST: &str = r#"{"version":1,"diagnostics":true,"tools":[{"name":"look","description":"Looks.","risk":"low",
    "inputSchema":{"type":"object","properties":{},"additionalProperties":false}}]}"#;

fn options() -> Options {
    Options::new(MedianKey::local())
}

/// An endpoint that takes connections and answers none: the system takes them for a listener that nobody asks.
fn silent() -> (TcpListener, String) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    (listener, url)
}

/// An endpoint that answers its manifest, and nothing to a `POST`; and how often it was posted.
async fn half_silent() -> (String, Arc<AtomicUsize>) {
    let posted = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&posted);
    let answer = async move |method: Method| {
        if method == Method::POST {
            counted.fetch_add(1, Ordering::SeqCst);
            return pending().await;
        }
        MANIFEST
    };
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
    (url, posted)
}

/// Looks until it is done. Tokio's clock runs ahead in some of the tests, so that no time limit of its holds here.
async fn until<T: Send + 'static>(
    platform: &Platform,
    look: impl Fn(&mut Desk<'_>) -> Result<T, Problem> + Clone + Send + 'static,
    is_done: impl Fn(&T) -> bool,
) -> T {
    let started = Instant::now();
    loop {
        let seen = platform.run(look.clone()).await.unwrap();
        if is_done(&seen) {
            return seen;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "it never came about");
        tokio::task::yield_now().await;
    }
}

async fn connect(platform: &Platform, url: &str) -> Endpoint {
    let url = url.to_owned();
    let id = platform.run(move |desk| desk.connect(&url, None)).await.unwrap().id;
    let is_done = |endpoint: &Endpoint| !matches!(endpoint.sync, SyncState::Syncing { .. });
    until(platform, move |desk| desk.endpoint(&id), is_done).await
}

#[tokio::test(start_paused = true)]
async fn a_silent_endpoint_fails_its_sync_after_10_seconds() {
    let (_listener, url) = silent();
    let platform = Platform::start(options()).await.unwrap();
    let endpoint = connect(&platform, &url).await;
    let SyncState::Failed { code, reasons, .. } = endpoint.sync else { panic!("{:?}", endpoint.sync) };
    assert_eq!(
        (code.as_str(), reasons[0].as_str()),
        ("not_answering", "It did not answer within 10 seconds.")
    );
}

#[tokio::test]
async fn an_endpoint_that_is_silent_about_itself_is_waited_for_8_seconds() {
    let (url, _) = half_silent().await;
    let platform = Platform::start(options()).await.unwrap();
    connect(&platform, &url).await;
    // From here on the clock runs ahead whenever there is nothing to do but wait.
    tokio::time::pause();
    let new = NewReport {
        text: "It is broken.".to_owned(),
        conversation: None,
        page: std::collections::BTreeMap::new(),
    };
    let id = platform.run(move |desk| desk.report(new)).await.unwrap().id;
    let is_done = |report: &Report| report.diagnostics[0].state != DiagnosisState::Waiting;
    let report = until(&platform, move |desk| desk.report_of(&id), is_done).await;
    let diagnosis = &report.diagnostics[0];
    assert_eq!(diagnosis.state, DiagnosisState::Failed);
    assert_eq!(diagnosis.text, "It did not answer within 8 seconds.");
}

#[tokio::test]
async fn nothing_is_signed_for_an_endpoint_that_was_removed_meanwhile() {
    let (url, posted) = half_silent().await;
    let platform = Platform::start(options()).await.unwrap();
    let own = Some(OWN_KEY.to_owned());
    let endpoint = platform.run(|desk| desk.connect("http://127.0.0.1:1/", own)).await.unwrap().id;
    let id = endpoint.clone();
    platform.run(move |desk| desk.remove(&id)).await.unwrap();
    // As it goes for a call that was recorded before.
    let limit = Duration::from_millis(500);
    let answer = platform.signed(Method::POST, &endpoint, &url, "{}".to_owned(), limit).await.unwrap();
    let why = "The endpoint was removed before this was sent, so nothing was sent.";
    assert_eq!(answer, Answer::None { why: why.to_owned() });
    assert_eq!(posted.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn what_is_more_than_can_be_under_way_is_given_up_at_once() {
    let (url, posted) = half_silent().await;
    let mut options = options();
    options.limits.under_way = 2;
    let platform = Platform::start(options).await.unwrap();
    connect(&platform, &url).await;
    let mut calls = Vec::new();
    for _ in 0..3 {
        let conversation =
            platform.run(|desk| desk.begin(NewConversation::default(), None)).await.unwrap().id;
        let turn = {
            let id = conversation.clone();
            platform.run(move |desk| desk.begin_turn(&id)).await.unwrap().id
        };
        until(&platform, move |desk| desk.turn(&turn), |turn| turn.waits_for.is_empty()).await;
        let call = AgentCall { tool: "look".to_owned(), input: "{}".to_owned(), send_anyway: false };
        let answer = platform.run(move |desk| desk.call(&conversation, &call)).await.unwrap();
        calls.push(answer.call.expect("it was recorded").id);
    }
    let last = calls.pop().unwrap();
    let is_done = |call: &Call| call.state == CallState::Finished;
    let last = until(&platform, move |desk| desk.call_of(&last), is_done).await;
    let Some(Outcome::NotAnswering { why }) = last.outcome else { panic!("{last:?}") };
    assert_eq!(why, "Too many requests are under way in the stand-in already, so this one was not sent.");
    assert!(posted.load(Ordering::SeqCst) <= 2);
    for id in calls {
        let call = platform.run(move |desk| desk.call_of(&id)).await.unwrap();
        assert_eq!(call.state, CallState::Sent, "the others are waited for");
    }
}
