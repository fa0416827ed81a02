//! Calls of runtimes whose clock is the real one.

use std::time::{SystemTime, UNIX_EPOCH};

use median_edge::key::ToolSecret;
use median_edge_conformance::{Options, Report, requirements, run, wire::Transport as Checked};
use serde_json::Value;

use crate::{Answer, Ask, MOUNT, Transport, call, signed_at};

/// The time, in Unix milliseconds.
///
/// # Panics
///
/// When this machine's clock is not set.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970");
    u64::try_from(since.as_millis()).expect("it is before the year 500 million")
}

/// A call to an endpoint at [`MOUNT`], signed for now.
pub fn called_now(tool: &str, input: &Value) -> Ask {
    signed_at(now_ms(), "POST", MOUNT, call(tool, input))
}

/// What a tool answers.
///
/// # Panics
///
/// When there is no answer, or none in JSON.
pub fn result(runtime: &impl Transport, tool: &str, input: &Value) -> Value {
    let answer = runtime.send(&called_now(tool, input)).expect("it answers");
    answer.json()["result"].clone()
}

/// Makes sure that a call has failed, and that its answer says nothing of what only the log may have.
///
/// # Panics
///
/// When it has not, or does.
pub fn assert_failed(answer: &Answer) {
    assert_eq!((answer.status, answer.code().as_deref()), (200, Some("execution_failed")), "{answer:?}");
    answer.check_headers().expect("it has the headers of every answer");
    assert!(!answer.message().contains("secret"), "{}", answer.message());
}

/// Has the checker go over an endpoint, which has to pass all that is asked of one.
///
/// # Panics
///
/// When a requirement fails, or the checker does not come to its end.
pub fn proved(endpoint: &impl Checked, secret: &ToolSecret, options: &Options) -> Report {
    let report = run(endpoint, secret, options, |_| ());
    let failed: Vec<_> = report.outcomes.iter().filter(|outcome| outcome.failed()).collect();
    assert!(failed.is_empty() && report.ended.is_none(), "{failed:#?} {:?}", report.ended);
    assert_eq!(report.outcomes.len(), requirements().len());
    report
}
