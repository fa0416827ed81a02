//! What an invocation lends to an endpoint.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use median_edge::host::{NoRandomness, Panicked, contain_unwind};
use median_edge::{BoxFuture, Event, Host};

/// How long before its deadline an invocation has to be done with its call, in milliseconds: the answer still has to be
/// written and taken.
const MARGIN_MS: u64 = 200;

/// One invocation as the endpoint sees it.
#[derive(Debug)]
pub struct LambdaHost {
    deadline_ms: Option<u64>,
}

impl LambdaHost {
    /// The host of an invocation that ends at a Unix time in milliseconds, if that is known.
    pub fn new(deadline_ms: Option<u64>) -> Self {
        Self { deadline_ms }
    }
}

impl Host for LambdaHost {
    fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(Duration::from_millis(ms)))
    }

    fn remaining_ms(&self) -> Option<u64> {
        Some(self.deadline_ms?.saturating_sub(self.now_ms()).saturating_sub(MARGIN_MS))
    }

    fn random(&self, buffer: &mut [u8]) -> Result<(), NoRandomness> {
        getrandom::fill(buffer).map_err(|_| NoRandomness)
    }

    fn event(&self, event: &Event<'_>) {
        if let Ok(line) = serde_json::to_string(event) {
            println!("{line}");
        }
    }

    fn contain(&self, work: &mut dyn FnMut()) -> Result<(), Panicked> {
        contain_unwind(work)
    }
}
