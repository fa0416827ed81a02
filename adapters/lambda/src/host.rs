//! What an invocation lends to an endpoint.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[cfg(feature = "connect")]
use median_edge::fetch::{FetchError, FetchRequest, FetchResponse};
use median_edge::host::{NoRandomness, Panicked, contain_unwind};
use median_edge::{BoxFuture, Event, Host};

use crate::log;

/// How long before its deadline an invocation has to be done with its call, in milliseconds: the answer still has to be
/// written and taken.
const MARGIN_MS: u64 = 200;

/// One invocation as the endpoint sees it: the system's clock and randomness, tokio's timer, the deadline that AWS gave it,
/// a log, and panics that are caught.
#[derive(Clone, Debug)]
pub struct LambdaHost {
    deadline_ms: Option<u64>,
}

impl LambdaHost {
    /// An invocation that AWS ends at a Unix time in milliseconds: its context says when. Calls are cut off 200 milliseconds
    /// before.
    pub fn new(deadline_ms: Option<u64>) -> Self {
        Self { deadline_ms }
    }

    /// How long what comes before a call may take: what is left, or what is enough, whichever is less.
    pub(crate) fn at_most(&self, enough: Duration) -> Duration {
        self.remaining_ms().map_or(enough, |ms| enough.min(Duration::from_millis(ms)))
    }
}

/// The system's clock. One before 1970 makes every request stale, which says what is wrong.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

impl Host for LambdaHost {
    fn now_ms(&self) -> u64 {
        now_ms()
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
        log::event(event);
    }

    #[cfg(feature = "connect")]
    fn fetch(&self, request: FetchRequest) -> BoxFuture<'static, Result<FetchResponse, FetchError>> {
        Box::pin(median_edge_client::fetch(request))
    }

    fn contain(&self, work: &mut dyn FnMut()) -> Result<(), Panicked> {
        contain_unwind(work)
    }
}
