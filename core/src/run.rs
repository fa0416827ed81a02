//! Running a call: to its end, to its deadline, or to its panic.

use core::future::poll_fn;
use core::task::Poll;

use crate::host::{Host, Panicked};
use crate::outcome::Stop;
use crate::sendable::BoxFuture;

/// How a run ended.
pub(crate) enum Ended<T> {
    Done(T),
    Stopped(Stop),
    Panicked(Panicked),
    TimedOut,
}

/// Polls a call, which was started in [`contain`], until it is done, or until `limit_ms` have passed.
///
/// Every step into the application's code is contained. The timer is made only when the call is not done at once.
pub(crate) async fn run<T>(
    host: &dyn Host,
    limit_ms: u64,
    started: Result<Result<BoxFuture<'_, T>, Stop>, Panicked>,
) -> Ended<T> {
    let mut future = match started {
        Ok(Ok(future)) => future,
        Ok(Err(stop)) => return Ended::Stopped(stop),
        Err(panicked) => return Ended::Panicked(panicked),
    };
    let mut timer: Option<BoxFuture<'static, ()>> = None;
    let ended = poll_fn(|cx| {
        let mut polled = Poll::Pending;
        if let Err(panicked) = host.contain(&mut || polled = future.as_mut().poll(cx)) {
            return Poll::Ready(Ended::Panicked(panicked));
        }
        if let Poll::Ready(outcome) = polled {
            return Poll::Ready(Ended::Done(outcome));
        }
        let timer = timer.get_or_insert_with(|| host.sleep(limit_ms));
        timer.as_mut().poll(cx).map(|()| Ended::TimedOut)
    })
    .await;
    // Dropping what was cut off runs the application's code once more.
    match (contain(host, move || drop(future)), ended) {
        (Err(panicked), Ended::Done(_)) => Ended::Panicked(panicked),
        (_, ended) => ended,
    }
}

/// [`Host::contain`] for work that gives something.
pub(crate) fn contain<T>(host: &dyn Host, work: impl FnOnce() -> T) -> Result<T, Panicked> {
    let mut work = Some(work);
    let mut given = None;
    host.contain(&mut || given = work.take().map(|work| work()))?;
    given.ok_or_else(|| Panicked(alloc::string::String::from("the host did not do the work")))
}
