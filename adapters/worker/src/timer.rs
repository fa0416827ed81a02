//! The platform's timer, given back when nobody waits for it any more.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use js_sys::Promise;
use js_sys::futures::JsFuture;

use crate::boundary;

/// Longer ones would overflow the platform's timer and fire at once.
const LONGEST_MS: u64 = 0x7fff_ffff;

/// Waits.
pub(crate) struct Timer {
    sleep: Promise,
    woken: JsFuture,
}

impl Timer {
    pub(crate) fn new(ms: u64) -> Self {
        let ms = u32::try_from(ms.min(LONGEST_MS)).unwrap_or_default();
        let sleep = boundary::sleep(ms);
        Self { woken: JsFuture::from(sleep.clone()), sleep }
    }
}

impl Future for Timer {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.woken).poll(cx).map(drop)
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        boundary::wake(&self.sleep);
    }
}
