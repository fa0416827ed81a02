//! What a Worker lends to an endpoint.

use std::cell::{Cell, RefCell};
use std::panic;
use std::sync::Once;
use std::time::Duration;

use median_edge::host::{NoRandomness, Panicked};
use median_edge::{BoxFuture, Event, Host};
use wasm_bindgen::JsValue;
use worker::Delay;
use worker::send::{SendFuture, SendWrapper};

#[cfg(feature = "connect")]
use crate::fetch;
use crate::{boundary, log};
#[cfg(feature = "connect")]
use median_edge::fetch::{FetchError, FetchRequest, FetchResponse};

/// The isolate as the endpoint sees it: the platform's clock, timers and randomness, the console, and panics that are
/// caught.
///
/// [`App`](crate::App) uses it by itself. It is public for those who call
/// [`Endpoint::answer`](median_edge::Endpoint::answer) themselves.
///
/// The clock stands still while code runs: Cloudflare moves it only when something was waited for. So a call that waits
/// for nothing takes 0 ms in the log.
#[derive(Clone, Debug)]
pub struct WorkerHost {
    exports: SendWrapper<JsValue>,
}

impl WorkerHost {
    /// The isolate that this runs in.
    pub fn new() -> Self {
        prepare_for_panics();
        Self { exports: SendWrapper::new(wasm_bindgen::exports()) }
    }
}

impl Default for WorkerHost {
    fn default() -> Self {
        Self::new()
    }
}

impl Host for WorkerHost {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A time is whole, and `as` saturates.
    fn now_ms(&self) -> u64 {
        js_sys::Date::now() as u64
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        // Longer ones would overflow the platform's timer and fire at once.
        const LONGEST_MS: u64 = 0x7fff_ffff;
        Box::pin(SendFuture::new(Delay::from(Duration::from_millis(ms.min(LONGEST_MS)))))
    }

    fn random(&self, buffer: &mut [u8]) -> Result<(), NoRandomness> {
        getrandom::fill(buffer).map_err(|_| NoRandomness)
    }

    fn event(&self, event: &Event<'_>) {
        log::event(event);
    }

    #[cfg(feature = "connect")]
    fn fetch(&self, request: FetchRequest) -> BoxFuture<'static, Result<FetchResponse, FetchError>> {
        Box::pin(SendFuture::new(fetch::fetch(request)))
    }

    /// A panic ends in a trap, which passes through Rust without running destructors, and is caught where JavaScript
    /// stands between.
    fn contain(&self, work: &mut dyn FnMut()) -> Result<(), Panicked> {
        let outer = CONTAINING.replace(true);
        let trap = boundary::contain(&mut || work(), &self.exports);
        CONTAINING.set(outer);
        trap.map_or(Ok(()), |trap| Err(Panicked(MESSAGE.take().unwrap_or(trap))))
    }
}

thread_local! {
    /// Whether a trap would be caught.
    static CONTAINING: Cell<bool> = const { Cell::new(false) };
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A trap only says that there was one. And what `worker` does about one, a fresh instance at once, is for those that
/// nobody catches.
fn prepare_for_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            MESSAGE.set(Some(info.to_string()));
            previous(info);
        }));
        wasm_bindgen::handler::set_on_abort(|| {
            if !CONTAINING.get() {
                wasm_bindgen::handler::schedule_reinit();
            }
        });
    });
}
