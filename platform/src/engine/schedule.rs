//! Waking up when something is due: an expiry, or the hourly check.

use std::sync::Weak;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

use super::{Inner, Platform};
use crate::store::real_ms;

/// A machine that slept finds its timers late; the clock is looked at at least this often.
const LONGEST_SLEEP: Duration = Duration::from_mins(1);

/// Lets what is due happen, until the stand-in ends.
pub(super) async fn keep_time(inner: Weak<Inner>, mut due: watch::Receiver<u64>) {
    loop {
        let until = *due.borrow_and_update();
        let wait = Duration::from_millis(until.saturating_sub(real_ms())).min(LONGEST_SLEEP);
        tokio::select! {
            () = sleep(wait) => {}
            changed = due.changed() => match changed {
                Ok(()) => continue,
                Err(_) => return,
            },
        }
        let Some(inner) = inner.upgrade() else { return };
        // Every command begins with what is due; this one has nothing else to do.
        if let Err(problem) = Platform(inner).run(|_| Ok(())).await {
            eprintln!("median-edge-platform: {problem}");
            sleep(Duration::from_secs(1)).await;
        }
    }
}
