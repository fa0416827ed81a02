//! Endpoints in another language: one that is right passes, and one with three typical mistakes is reported rightly.

mod support;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use median_edge::MedianKey;
use median_edge_conformance::http::Http;
use median_edge_conformance::{Allowed, Options, Report, Verdict, run};
use support::{OWN_KEY, summary};

/// The endpoint in Python, until it is dropped.
struct Python {
    child: Child,
    url: String,
}

impl Python {
    fn start(arguments: &[&str]) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/endpoint.py");
        let mut command = Command::new("python3");
        let mut child =
            command.arg(script).args(arguments).stdout(Stdio::piped()).spawn().expect("python3 is there");
        let mut port = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut port).unwrap();
        Self { child, url: format!("http://127.0.0.1:{}/api/median", port.trim()) }
    }

    fn check(&self) -> Report {
        let http = Http::new(&self.url, Duration::from_secs(10)).unwrap();
        let call = vec![Allowed { tool: "refundOrder".to_owned(), input: None }];
        let options = Options { call, call_low: true, ..Options::default() };
        run(&http, &MedianKey::parse(OWN_KEY).unwrap().tool_secret(), &options, |_| ())
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn an_endpoint_in_python_that_is_right_passes() {
    let report = Python::start(&[]).check();
    assert!(report.failing().is_empty() && report.ended.is_none(), "{}", summary(&report));
    let is_skipped = |verdict: &Verdict| matches!(verdict, Verdict::Skipped(_));
    let skipped: Vec<_> =
        report.outcomes.iter().filter(|o| is_skipped(&o.verdict)).map(|o| o.requirement.id).collect();
    // It describes itself nowhere, and knows nobody.
    let (others, skipped): (Vec<_>, Vec<_>) =
        skipped.into_iter().partition(|id| id.starts_with("application-") || id.starts_with("identity-"));
    assert_eq!((others.len(), skipped), (16, vec!["timing-compare"]));
}

#[test]
fn three_typical_mistakes_are_reported() {
    let report = Python::start(&["--mistakes"]).check();
    // JSON that is written again loses the white space that was signed, and what was added to it.
    let expected = ["signature-over-body", "signature-raw-body", "input-number", "error-status"];
    assert_eq!(report.failing(), expected, "{}", summary(&report));
}
