//! Futures of the application's own, and panics in them.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use median_edge::host::{Panicked, contain_unwind};

/// What the application gives us to wait for. It stays on its thread.
pub(crate) type LocalFuture<T> = Pin<Box<dyn Future<Output = T>>>;

/// Makes a future and runs it to its end, or to its panic.
pub(crate) async fn contained<T>(start: impl FnOnce() -> LocalFuture<T>) -> Result<T, Panicked> {
    let (mut start, mut started) = (Some(start), None);
    contain_unwind(&mut || started = start.take().map(|start| start()))?;
    let mut future = started.ok_or_else(|| Panicked(String::new()))?;
    poll_fn(|cx| {
        let mut polled = Poll::Pending;
        match contain_unwind(&mut || polled = future.as_mut().poll(cx)) {
            Ok(()) => std::mem::replace(&mut polled, Poll::Pending).map(Ok),
            Err(panicked) => Poll::Ready(Err(panicked)),
        }
    })
    .await
}
