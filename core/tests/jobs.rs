//! Jobs: who may enqueue what, what is refused, and what becomes of a run.
#![allow(missing_docs)]

use std::sync::Mutex;
use std::time::Duration;

use median_edge::job::{Enqueue, EnqueueError, Job, JobCall, JobMessage, JobSpec, Jobs, Verdict};
use median_edge::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What the jobs of the tests do, one after the other, and what they saw.
#[derive(Default)]
struct Office(Mutex<Vec<String>>);

#[derive(Debug, Serialize, Deserialize)]
struct SendReceipt {
    order: String,
}

impl Job for SendReceipt {
    const NAME: &'static str = "send_receipt";
    const DESCRIPTION: &'static str = "Send the receipt of an order.";
    const QUEUE: &'static str = "mail";
    const MAX_RETRIES: u32 = 2;
    const TIMEOUT_SECONDS: u32 = 5;
}

/// A payload that is written as something that it is not read from.
#[derive(Deserialize)]
struct Crooked;

impl Serialize for Crooked {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(true)
    }
}

impl Job for Crooked {
    const NAME: &'static str = "crooked";
    const DESCRIPTION: &'static str = "Never run.";
    const QUEUE: &'static str = "mail";
}

/// Send a receipt once more.
#[tool(risk = "low")]
async fn resend_receipt(
    /// The order.
    order: String,
    receipts: Enqueue<'_, SendReceipt>,
) -> ToolResult<()> {
    receipts.enqueue_after(60, &SendReceipt { order }).await?;
    Ok(())
}

/// Try what no queue takes, and say why it did not.
#[tool(risk = "low")]
async fn misuse(receipts: Enqueue<'_, SendReceipt>) -> ToolResult<Vec<String>> {
    let long = SendReceipt { order: "x".repeat(120_000) };
    let short = SendReceipt { order: String::new() };
    let errors = [receipts.enqueue(&long).await, receipts.enqueue_after(901, &short).await];
    Ok(errors.into_iter().filter_map(Result::err).map(|error| error.to_string()).collect())
}

/// Enqueue what cannot be read back.
#[tool(risk = "low")]
async fn enqueue_crooked(crooked: Enqueue<'_, Crooked>) -> ToolResult<bool> {
    Ok(matches!(crooked.enqueue(&Crooked).await, Err(EnqueueError::InvalidPayload { .. })))
}

fn endpoint() -> Endpoint<Office> {
    Endpoint::builder().tools(tools![resend_receipt, misuse, enqueue_crooked]).build().unwrap()
}

#[tokio::test]
async fn a_job_travels_with_its_payload_and_the_call_that_enqueued_it() {
    let client = endpoint().test_client(Office::default());
    let answer = client.call("resendReceipt").id("call_7").input(json!({"order": "ORD-1"})).await;
    assert_eq!(answer.result::<Value>(), Value::Null);
    let [message] = client.take_jobs().try_into().unwrap();
    assert_eq!((&*message.job, &*message.tool_call_id), ("send_receipt", "call_7"));
    assert_eq!(message.payload, r#"{"order":"ORD-1"}"#);
    assert!(!format!("{message:?}").contains("ORD-1"), "a payload is customers' data");
}

#[tokio::test]
async fn what_is_too_large_or_too_late_is_refused_with_what_to_do() {
    let client = endpoint().test_client(Office::default());
    let errors = client.call("misuse").await.result::<Vec<String>>();
    insta::assert_snapshot!(errors.join("\n"), @r"
    the job's payload has 120012 bytes as JSON; 120000 is the most: keep what is large elsewhere, and enqueue where it is
    the job is delayed by 901 seconds; 900 is the most
    ");
    assert!(client.take_jobs().is_empty());
}

#[tokio::test]
async fn a_payload_that_the_job_could_not_read_is_refused() {
    let client = endpoint().test_client(Office::default());
    assert!(client.call("enqueueCrooked").await.result::<bool>());
    assert!(client.take_jobs().is_empty());
}

#[test]
fn what_a_tool_enqueues_follows_from_what_it_takes() {
    let endpoint = endpoint();
    assert_eq!(endpoint.tools()[0].enqueues_job(), Some("send_receipt"));
    assert!(endpoint.check_jobs(|_| true).is_ok());
    let error = endpoint.check_jobs(|job| job == "send_receipt").unwrap_err();
    insta::assert_snapshot!(error, @r#"
    the endpoint has a problem:
    - tool "enqueueCrooked": it enqueues the job "crooked", and nothing here runs it: this runtime has no queue, or its jobs lack the handler
    "#);
}

#[tokio::test]
async fn no_tool_gets_a_handle_for_a_job_that_it_does_not_declare() {
    let tool = |builder: median_edge::tool::ToolBuilder<()>| {
        builder.run(async |call: Context<'_, ()>| -> ToolResult<()> {
            let receipts: Enqueue<'_, SendReceipt> = call.extract()?;
            receipts.enqueue(&SendReceipt { order: "ORD-1".into() }).await?;
            Ok(())
        })
    };
    let builder = |name| Tool::builder(name, "Enqueue.").risk(Risk::Low);
    let tools = [
        tool(builder("honest").enqueues::<SendReceipt>()),
        tool(builder("thief")),
        // Saying the name is not enough.
        tool(builder("liar").enqueues_job("send_receipt")),
    ];
    let client = Endpoint::builder().tools(tools).build().unwrap().test_client(());
    client.call("honest").await.result::<()>();
    for name in ["thief", "liar"] {
        assert_eq!(client.call(name).await.error().code, median_edge::Code::ExecutionFailed);
    }
    assert_eq!(client.take_jobs().len(), 1);
}

#[test]
fn a_tool_that_says_another_job_than_it_takes_is_a_problem() {
    let tool = Tool::<()>::builder("both", "Enqueue.").risk(Risk::Low);
    let tool = tool.enqueues::<SendReceipt>().enqueues_job("clean_up");
    let tool = tool.run(async |_: Context<'_, ()>| ToolResult::Ok(()));
    let error = Endpoint::builder().tools([tool]).build().unwrap_err();
    insta::assert_snapshot!(error, @r#"
    the endpoint has a problem:
    - tool "both": it enqueues the jobs clean_up and send_receipt; a tool enqueues one
    "#);
}

#[test]
fn a_declaration_by_type_is_what_the_type_says() {
    let spec = JobSpec::of::<SendReceipt>();
    assert_eq!((spec.name(), spec.queue()), ("send_receipt", "mail"));
}

/// Runs one job whose order says what is to happen.
async fn run(order: &str, attempt: u32) -> (Verdict, Vec<String>) {
    let jobs = Jobs::new().handle(async |job: JobCall<'_, Office, SendReceipt>| -> ToolResult<()> {
        let seen = format!("{} {} {}", job.payload().order, job.tool_call_id(), job.attempt());
        job.state().0.lock().unwrap().push(seen);
        match job.payload().order.as_str() {
            "good" => Ok(()),
            "refused" => Err(Refusal::new("no_address").into()),
            "panics" => panic!("the printer is on fire"),
            "hangs" => std::future::pending().await,
            _ => Err(ToolError::internal("the mail server is down")),
        }
    });
    let client = Endpoint::<Office>::builder().build().unwrap().test_client(Office::default());
    let message: JobMessage = serde_json::from_value(json!({
        "job": "send_receipt",
        "payload": json!({"order": order}).to_string(),
        "tool_call_id": "call_7",
    }))
    .unwrap();
    let clock = client.clock().clone();
    let run = client.run_job(&jobs, &message, attempt);
    let tick = async {
        tokio::task::yield_now().await;
        clock.advance(Duration::from_secs(5));
    };
    let (verdict, ()) = tokio::join!(run, tick);
    let seen = client.state().0.lock().unwrap().clone();
    (verdict, seen)
}

#[tokio::test]
async fn a_run_that_goes_well_is_done_and_knows_its_call_and_its_number() {
    assert_eq!(run("good", 2).await, (Verdict::Done, vec!["good call_7 2".to_owned()]));
}

#[tokio::test]
async fn a_run_that_fails_is_tried_again_after_a_pause_that_grows() {
    let mut last = Duration::ZERO;
    for attempt in [1, 2] {
        let Verdict::Retry { after, error } = run("bad", attempt).await.0 else { panic!("not again") };
        assert_eq!(error, "the mail server is down");
        let whole = Duration::from_secs(1 << (attempt - 1));
        assert!(after >= whole / 2 && after <= whole && after > last, "{after:?}");
        last = whole / 2;
    }
}

#[tokio::test]
async fn the_last_run_that_fails_is_the_end() {
    let error = "the mail server is down".to_owned();
    assert_eq!(run("bad", 3).await.0, Verdict::Dead { error });
}

#[tokio::test]
async fn a_refusal_is_final() {
    assert_eq!(run("refused", 1).await.0, Verdict::Dead { error: "refused: no_address".to_owned() });
}

#[tokio::test]
async fn a_panic_and_a_run_that_does_not_end_are_failures() {
    for (order, expected) in
        [("panics", "panicked: the printer is on fire"), ("hangs", "cut off after 5 seconds")]
    {
        let Verdict::Retry { error, .. } = run(order, 1).await.0 else {
            panic!("{order} is not tried again")
        };
        assert_eq!(error, expected);
    }
}

#[tokio::test]
async fn a_message_that_nothing_reads_or_runs_is_dead_at_once() {
    let client = Endpoint::<Office>::builder().build().unwrap().test_client(Office::default());
    let jobs = Jobs::new().handle(async |_: JobCall<'_, Office, SendReceipt>| ToolResult::Ok(()));
    let message = |job: &str, payload: &str| -> JobMessage {
        serde_json::from_value(json!({"job": job, "payload": payload, "tool_call_id": "x"})).unwrap()
    };
    for (message, why) in
        [(message("unknown", "{}"), "nothing here runs"), (message("send_receipt", "{"), "can't be read")]
    {
        let Verdict::Dead { error } = client.run_job(&jobs, &message, 1).await else { panic!("{why}") };
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn two_functions_for_one_job_are_a_problem() {
    let run = async |_: JobCall<'_, Office, SendReceipt>| ToolResult::Ok(());
    insta::assert_snapshot!(Jobs::new().handle(run).handle(run).check().unwrap_err(), @r#"
    the endpoint has a problem:
    - job "send_receipt": more than one function runs it
    "#);
}
