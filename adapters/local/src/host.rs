//! What this machine lends to an endpoint.

use std::fmt;
use std::io::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use median_edge::event::Level;
use median_edge::host::{NoRandomness, Panicked, contain_unwind};
use median_edge::{BoxFuture, Event, Host};

use crate::log::{Log, LogFormat};

/// This machine as the endpoint sees it: the system's clock and randomness, tokio's timer, a log, and panics that are
/// caught.
///
/// [`Server`](crate::Server) makes one by itself. It is public for those who call
/// [`Endpoint::answer`](median_edge::Endpoint::answer) themselves, inside a tokio runtime.
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
        // A clock before 1970 makes every request stale, which says what is wrong.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
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

    fn contain(&self, work: &mut dyn FnMut()) -> Result<(), Panicked> {
        contain_unwind(work)
    }
}
