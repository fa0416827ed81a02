//! What the tests share.
#![allow(dead_code)] // Each test binary uses its part.

use std::fmt::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use median_edge::{Endpoint, Keys};
use median_edge_conformance::{Report, Verdict};
use median_edge_local::{LogFormat, Server};
use tokio::sync::oneshot;

/// A key that nobody else has.
pub(crate) const OWN_KEY: &str = "median_key_conformance_tests_0123456789";

/// The local server with an endpoint, until it is dropped.
pub(crate) struct Served {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub(crate) fn start<S: Send + Sync + 'static>(endpoint: Endpoint<S>, state: S, keys: Keys) -> Self {
        let (started, address) = mpsc::channel();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
            runtime.unwrap().block_on(async move {
                let server = Server::new(endpoint, state).keys(keys).log(LogFormat::Off);
                let bound = server.bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
                started.send(bound.local_addr()).unwrap();
                bound
                    .run_until(Box::pin(async move {
                        let _ = stopped.await;
                    }))
                    .await;
            });
        });
        let address = address.recv().expect("the server starts");
        Self { address, stop: Some(stop), thread: Some(thread) }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let joined = thread.join();
            assert!(joined.is_ok() || thread::panicking(), "the server panicked");
        }
    }
}

/// What failed, for a message.
pub(crate) fn summary(report: &Report) -> String {
    let mut text = format!("{} requests in {:?}, {:?}\n", report.requests, report.took, report.counts());
    for outcome in &report.outcomes {
        if let Verdict::Failed(findings) = &outcome.verdict {
            let _ = writeln!(text, "{}: {}", outcome.requirement.id, outcome.requirement.sentence);
            for finding in findings {
                let _ = writeln!(
                    text,
                    "   {}: expected {}, came {}",
                    finding.case, finding.expected, finding.came
                );
            }
        }
    }
    text
}
