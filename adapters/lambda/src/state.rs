//! What the tools work on: made at the cold start, and once more where that did not come about.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use crate::contain::{LocalFuture, contained};
use crate::{Clock, host, log};

/// How long after one that failed there is no other attempt, in milliseconds.
const PAUSE_MS: u64 = 1_000;

pub(crate) struct State<S> {
    make: Box<dyn Fn() -> LocalFuture<Result<S, String>>>,
    made: OnceCell<Arc<S>>,
    clock: Clock,
    failed_ms: Cell<Option<u64>>,
}

impl<S: 'static> State<S> {
    pub(crate) fn new(make: impl Fn() -> LocalFuture<Result<S, String>> + 'static) -> Self {
        let (make, clock) = (Box::new(make), Rc::new(host::now_ms));
        Self { make, made: OnceCell::new(), clock, failed_ms: Cell::new(None) }
    }

    #[cfg(test)]
    pub(crate) fn clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    /// One that is there already.
    pub(crate) fn ready(state: S) -> Self {
        let this = Self::new(|| Box::pin(async { Err(String::new()) }));
        Self { made: OnceCell::from(Arc::new(state)), ..this }
    }

    /// The state, made now if it is not there. The log says why it cannot be made.
    pub(crate) async fn get(&self, limit: Duration) -> Option<Arc<S>> {
        if let Some(made) = self.made.get() {
            return Some(Arc::clone(made));
        }
        if self.failed_ms.get().is_some_and(|at_ms| (self.clock)().abs_diff(at_ms) < PAUSE_MS) {
            return None;
        }
        let problem = match timeout(limit, contained(|| (self.make)())).await {
            Ok(Ok(Ok(state))) => return Some(Arc::clone(self.made.get_or_init(|| Arc::new(state)))),
            Ok(Ok(Err(error))) => error,
            Ok(Err(panicked)) => format!("It panicked: {}", panicked.0),
            Err(_) => format!("It took longer than {limit:?}."),
        };
        self.failed_ms.set(Some((self.clock)()));
        log::error(&format!("The application's state cannot be made. {problem}"));
        None
    }
}
