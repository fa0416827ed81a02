//! `tools` and `logs`, against a stand-in that `dev` serves.

mod calls;
mod endpoints;
mod hostile;
mod logs;
mod refusals;

use std::process::Output;

use serde_json::Value;

use crate::running::Dev;
use crate::{median_edge, stable, stdout};

/// What every id ends with.
const ID_DIGITS: usize = 32;

/// A stand-in, and the words that are said to it.
struct Desk {
    dev: Dev,
    url: String,
    /// Where the demo is, when it is there.
    demo: String,
}

impl Desk {
    /// Without an endpoint.
    fn bare() -> Self {
        Self::start(&["dev", "--no-demo", "--json"], &[])
    }

    /// With the demo, synced.
    fn demo() -> Self {
        let desk = Self::start(&["dev", "--port", "0", "--json"], &[]);
        let synced = desk.say(&["tools", "sync"]);
        assert!(synced.status.success(), "{}", known(&synced));
        desk
    }

    fn start(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut dev = Dev::start(arguments, variables);
        let greeting = dev.json();
        let text = |name: &str| greeting[name].as_str().unwrap_or_default().to_owned();
        Self { url: text("platform"), demo: text("url"), dev }
    }

    /// What came of a command.
    fn say(&self, arguments: &[&str]) -> Output {
        median_edge(arguments).args(["--api", &self.url]).output().unwrap()
    }

    /// What came of it, for a snapshot.
    fn shown(&self, arguments: &[&str]) -> String {
        known(&self.say(arguments))
    }

    /// The document that it prints.
    #[track_caller]
    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.say(&[arguments, &["--json"]].concat());
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{error}: {output:?}"))
    }

    /// The id of a request that the agent's call of a high tool records.
    fn request(&self) -> String {
        let call = ["tools", "test", "refundOrder", "orderNumber=ORD-1042", "cents=500"];
        let called = self.json(&[&call[..], &["--visitor", "user_1", "--as-agent"]].concat());
        called["approval"]["id"].as_str().unwrap().to_owned()
    }
}

/// Everything that came of a command, without what differs from one run to the next.
fn known(output: &Output) -> String {
    without_times(&without_ids(&crate::shown(output)))
}

/// Text without the random digits of ids.
fn without_ids(text: &str) -> String {
    let mut text = text.to_owned();
    for prefix in ["endpoint_", "conv_", "call_", "apr_", "log_", "turn_", "sync_", "alert_"] {
        let is_digits = |part: &str| {
            part.len() >= ID_DIGITS && part.bytes().take(ID_DIGITS).all(|b| b.is_ascii_hexdigit())
        };
        let mut parts = text.split(prefix);
        let mut known = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (id, rest) = if is_digits(part) { ("ID", &part[ID_DIGITS..]) } else { ("", part) };
            known.extend([prefix, id, rest]);
        }
        text = known;
    }
    text
}

/// Text without dates and times of day.
fn without_times(text: &str) -> String {
    const FORM: &str = "0000-00-00 00:00:00Z";
    let mut known = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let is_time = rest.len() >= FORM.len()
            && rest.bytes().zip(FORM.bytes()).all(|(byte, form)| match form {
                b'0' => byte.is_ascii_digit(),
                form => byte == form,
            });
        if is_time {
            known.push_str("DATE AND TIME");
            rest = &rest[FORM.len()..];
        } else {
            known.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    known
}

#[test]
fn what_differs_is_taken_out_of_a_snapshot() {
    let text = format!("endpoint_{} endpoint_error 2026-11-30 09:06:35Z é 127.0.0.1:77", "0a".repeat(16));
    let text = stable(&without_times(&without_ids(&text)));
    assert_eq!(text, "endpoint_ID endpoint_error DATE AND TIME é 127.0.0.1:PORT");
}
