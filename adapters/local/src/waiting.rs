//! Those that hold something while they wait for their client: connections between two requests, bodies that arrive. When
//! what they hold is needed, the one that has waited longest gives way.
//!
//! So whoever takes room and then does nothing with it loses it to whoever does, and nobody else loses anything.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::oneshot;

/// How long whoever needs room waits for it before the next one is asked to give way.
pub(crate) const GIVING_WAY: Duration = Duration::from_millis(1);

/// The ones that wait, in the order in which they began.
#[derive(Debug, Default)]
pub(crate) struct Waiting(Mutex<Line>);

#[derive(Debug, Default)]
struct Line {
    next: u64,
    waiting: BTreeMap<u64, oneshot::Sender<()>>,
    /// The one that has been asked to give way, and has not gone yet.
    leaving: Option<u64>,
}

impl Waiting {
    fn line(&self) -> MutexGuard<'_, Line> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place in the order, to join with.
    pub(crate) fn ticket(&self) -> u64 {
        let mut line = self.line();
        line.next += 1;
        line.next
    }

    /// Waits in the place of a ticket, until what is returned is dropped.
    pub(crate) fn join(self: &Arc<Self>, ticket: u64) -> Waiter {
        let (ask, asked) = oneshot::channel();
        self.line().waiting.insert(ticket, ask);
        Waiter { all: Arc::clone(self), ticket, asked }
    }

    /// Asks the one that has waited longest to give way, unless one is just doing so. `false` when nobody waits.
    pub(crate) fn ask(&self) -> bool {
        let mut line = self.line();
        if line.leaving.is_some() {
            return true;
        }
        let Some((ticket, ask)) = line.waiting.pop_first() else { return false };
        line.leaving = Some(ticket);
        drop(line);
        let _ = ask.send(());
        true
    }
}

/// One that waits. It resolves when it is to give way.
#[derive(Debug)]
pub(crate) struct Waiter {
    all: Arc<Waiting>,
    ticket: u64,
    asked: oneshot::Receiver<()>,
}

impl Future for Waiter {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.asked).poll(cx).map(|_| ())
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut line = self.all.line();
        line.waiting.remove(&self.ticket);
        if line.leaving == Some(self.ticket) {
            line.leaving = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Waiting;
    use std::sync::Arc;

    #[test]
    fn the_longest_is_asked_first_and_one_at_a_time() {
        let all = Arc::new(Waiting::default());
        assert!(!all.ask());
        let (first, second) = (all.ticket(), all.ticket());
        let mut second = all.join(second);
        let mut first = all.join(first);
        assert!(all.ask() && all.ask());
        assert!(first.asked.try_recv().is_ok() && second.asked.try_recv().is_err());
        drop(first);
        assert!(all.ask());
        assert!(second.asked.try_recv().is_ok());
        drop(second);
        assert!(!all.ask());
    }
}
