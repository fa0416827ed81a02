//! What this machine lends to an endpoint.

use std::fmt;
use std::io::Write;
use std::time::Duration;

use median_edge::event::Level;
#[cfg(feature = "connect")]
use median_edge::fetch::{FetchError, FetchRequest, FetchResponse};
use median_edge::host::{NoRandomness, Panicked, contain_unwind};
use median_edge::{BoxFuture, Event, Host};

use crate::log::{self, Log, LogFormat};

/// This machine as the endpoint sees it: the system's clock and randomness, tokio's timer, a log, and panics that are
/// caught.
///
/// [`Server`](crate::Server) makes one by itself. It is public for those who call
/// [`Endpoint::answer`](median_edge::Endpoint::answer) themselves, inside a tokio runtime.
///
/// A thread of its own writes the log, so that a reader who stalls (a full pipe, a terminal after Ctrl-S) keeps no request
/// waiting. Up to 4,096 lines and 8 MiB wait for it; what comes beyond that is dropped, and how many lines were is an error
/// in the log once it is read again. A host that is dropped gives the lines that it still has up to a second.
pub struct LocalHost {
    log: Log,
}

impl LocalHost {
    /// A host that logs to standard output.
    pub fn new(format: LogFormat) -> Self {
        Self { log: Log::to_stdout(format) }
    }

    /// A host that logs to something else. [`LogFormat::Auto`] is JSON here.
    pub fn logging_to(out: impl Write + Send + 'static, format: LogFormat) -> Self {
        Self { log: Log::to(out, format) }
    }

    pub(crate) fn note(&self, level: Level, message: &str) {
        self.log.note(self.now_ms(), level, message);
    }

    /// Waits until the log is written, but not for longer than so. It blocks the thread.
    pub(crate) fn flush(&self, limit: Duration) {
        self.log.flush(limit);
    }
}

impl Default for LocalHost {
    fn default() -> Self {
        Self::new(LogFormat::Auto)
    }
}

impl fmt::Debug for LocalHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LocalHost(…)")
    }
}

impl Host for LocalHost {
    fn now_ms(&self) -> u64 {
        log::now_ms()
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(Duration::from_millis(ms)))
    }

    fn random(&self, buffer: &mut [u8]) -> Result<(), NoRandomness> {
        getrandom::fill(buffer).map_err(|_| NoRandomness)
    }

    fn event(&self, event: &Event<'_>) {
        self.log.event(self.now_ms(), event);
    }

    #[cfg(feature = "connect")]
    fn fetch(&self, request: FetchRequest) -> BoxFuture<'static, Result<FetchResponse, FetchError>> {
        Box::pin(median_edge_client::fetch(request))
    }

    fn contain(&self, work: &mut dyn FnMut()) -> Result<(), Panicked> {
        contain_unwind(work)
    }
}
