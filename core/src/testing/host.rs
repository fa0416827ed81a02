//! A host whose clock stands still until the test moves it.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::future::poll_fn;
use core::sync::atomic::{AtomicU8, Ordering};
use core::task::{Poll, Waker};
use core::time::Duration;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::event::Event;
use crate::host::{Host, NoRandomness, Panicked, contain_unwind};
use crate::sendable::BoxFuture;

#[derive(Debug, Default)]
pub(super) struct TestHost {
    pub(super) clock: Arc<TestClock>,
    events: Mutex<Vec<Value>>,
    randomness: AtomicU8,
}

impl TestHost {
    pub(super) fn take_events(&self) -> Vec<Value> {
        core::mem::take(&mut *lock(&self.events))
    }
}

impl Host for TestHost {
    fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        let clock = self.clock.clone();
        let due_ms = clock.now_ms().saturating_add(ms);
        Box::pin(poll_fn(move |cx| clock.poll_until(due_ms, cx.waker())))
    }

    /// A sequence that is the same in every run.
    fn random(&self, buffer: &mut [u8]) -> Result<(), NoRandomness> {
        buffer.fill_with(|| self.randomness.fetch_add(1, Ordering::Relaxed));
        Ok(())
    }

    fn event(&self, event: &Event<'_>) {
        lock(&self.events).push(serde_json::to_value(event).expect("an event is JSON"));
    }

    fn contain(&self, work: &mut dyn FnMut()) -> Result<(), Panicked> {
        contain_unwind(work)
    }
}

/// A clock that stands still until the test moves it.
#[derive(Debug)]
pub struct TestClock(Mutex<Time>);

#[derive(Debug)]
struct Time {
    now_ms: u64,
    sleepers: Vec<Waker>,
}

impl Default for TestClock {
    /// At `1790000000000`, the time of the published vectors.
    fn default() -> Self {
        Self(Mutex::new(Time { now_ms: 1_790_000_000_000, sleepers: Vec::new() }))
    }
}

impl TestClock {
    /// Unix time in milliseconds.
    pub fn now_ms(&self) -> u64 {
        lock(&self.0).now_ms
    }

    /// Moves the clock forward, and wakes whoever was waiting for it.
    pub fn advance(&self, by: Duration) {
        let by_ms = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        let woken = {
            let mut time = lock(&self.0);
            time.now_ms = time.now_ms.saturating_add(by_ms);
            core::mem::take(&mut time.sleepers)
        };
        woken.into_iter().for_each(Waker::wake);
    }

    fn poll_until(&self, due_ms: u64, waker: &Waker) -> Poll<()> {
        let mut time = lock(&self.0);
        if time.now_ms >= due_ms {
            return Poll::Ready(());
        }
        time.sleepers.push(waker.clone());
        Poll::Pending
    }
}

/// A tool that panicked while it held the lock leaves nothing half-done here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
