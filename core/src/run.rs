//! Running a call: to its end, to its deadline, or to its panic.

use core::future::poll_fn;
use core::task::Poll;

use crate::host::{Host, Panicked};
use crate::outcome::Stop;
use crate::sendable::{BoxFuture, MaybeSend};

/// How a run ended.
pub(crate) enum Ended<T> {
    Done(T),
    Stopped(Stop),
    Panicked(Panicked),
    TimedOut,
}

/// What starts a call, once.
pub(crate) trait Start<'c, T>: MaybeSend {
    fn start(&mut self) -> Result<BoxFuture<'c, T>, Stop>;
}

impl<'c, T, F: FnMut() -> Result<BoxFuture<'c, T>, Stop> + MaybeSend> Start<'c, T> for F {
    fn start(&mut self) -> Result<BoxFuture<'c, T>, Stop> {
        self()
    }
}

/// Starts a call and polls it until it is done, or until `limit_ms` have passed.
///
/// Every step into the application's code is contained, and there are as few as can be: for some hosts each one costs.
/// The timer is made only when the call is not done at once.
pub(crate) async fn run<'c, T>(host: &dyn Host, limit_ms: u64, start: &mut dyn Start<'c, T>) -> Ended<T> {
    let mut future: Option<BoxFuture<'c, T>> = None;
    let mut timer: Option<BoxFuture<'static, ()>> = None;
    let ended = poll_fn(|cx| {
        let mut ended = Poll::Pending;
        // From the start to the drop, when it is done at once.
        let contained = host.contain(&mut || {
            let running = match &mut future {
                Some(running) => running,
                None => match start.start() {
                    Ok(started) => future.insert(started),
                    Err(stop) => return ended = Poll::Ready(Ended::Stopped(stop)),
                },
            };
            if let Poll::Ready(outcome) = running.as_mut().poll(cx) {
                future = None;
                ended = Poll::Ready(Ended::Done(outcome));
            }
        });
        if let Err(panicked) = contained {
            return Poll::Ready(Ended::Panicked(panicked));
        }
        if ended.is_ready() {
            return ended;
        }
        let timer = timer.get_or_insert_with(|| host.sleep(limit_ms));
        timer.as_mut().poll(cx).map(|()| Ended::TimedOut)
    })
    .await;
    if future.is_some() {
        // Dropping what was cut off runs the application's code once more; what that does has no say in the answer.
        let _ = contain(host, move || drop(future));
    }
    ended
}

/// [`Host::contain`] for work that gives something.
pub(crate) fn contain<T>(host: &dyn Host, work: impl FnOnce() -> T) -> Result<T, Panicked> {
    let mut work = Some(work);
    let mut given = None;
    host.contain(&mut || given = work.take().map(|work| work()))?;
    given.ok_or_else(|| Panicked(alloc::string::String::from("the host did not do the work")))
}
