//! A future as JavaScript sees it: its value when it is ready at once, which most tools are, and a promise otherwise.

use std::future::{Future, poll_fn};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use js_sys::futures::future_to_promise;
use wasm_bindgen::JsValue;

/// Wakes the task that polls the future by now.
///
/// The first poll has no task yet, and some futures (`worker::Delay`) keep the waker of their first poll for good.
#[derive(Default)]
struct Relay(Mutex<Option<Waker>>);

impl Relay {
    fn to(&self, waker: &Waker) {
        // Nobody else is there to hold it.
        let Ok(mut to) = self.0.try_lock() else { return };
        if !to.as_ref().is_some_and(|to| to.will_wake(waker)) {
            *to = Some(waker.clone());
        }
    }
}

impl Wake for Relay {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // Woken before there is a task, it is polled anyway as soon as there is one.
        let to = self.0.try_lock().ok().and_then(|to| to.clone());
        if let Some(waker) = to {
            waker.wake();
        }
    }
}

/// Polls a future once: a promise costs more than most tools do.
pub(crate) fn or_value(future: impl Future<Output = JsValue> + 'static) -> JsValue {
    let mut future = Box::pin(future);
    let relay = Arc::new(Relay::default());
    let waker = Waker::from(Arc::clone(&relay));
    if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
        return value;
    }
    let rest = poll_fn(move |cx| {
        relay.to(cx.waker());
        future.as_mut().poll(&mut Context::from_waker(&waker))
    });
    future_to_promise(AssertUnwindSafe(async { Ok(rest.await) })).into()
}
