//! What a Worker lends to an endpoint.

use std::cell::{Cell, RefCell};

use median_edge::host::{NoRandomness, Panicked};
use median_edge::{BoxFuture, Event, Host};
use wasm_bindgen::JsValue;
#[cfg(not(target_family = "wasm"))]
use worker::send::SendFuture;

#[cfg(feature = "connect")]
use crate::fetch;
use crate::timer::Timer;
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
    exports: Exports,
}

impl WorkerHost {
    /// The isolate that this runs in.
    pub fn new() -> Self {
        #[cfg(feature = "bindings")]
        prepare_for_panics();
        Self { exports: exports() }
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
        here(async move { Timer::new(ms).await })
    }

    fn random(&self, buffer: &mut [u8]) -> Result<(), NoRandomness> {
        getrandom::fill(buffer).map_err(|_| NoRandomness)
    }

    fn event(&self, event: &Event<'_>) {
        log::event(event);
    }

    #[cfg(feature = "connect")]
    fn fetch(&self, request: FetchRequest) -> BoxFuture<'static, Result<FetchResponse, FetchError>> {
        here(fetch::fetch(request))
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

/// What JavaScript knows stays in its thread, where there are several.
#[cfg(not(target_family = "wasm"))]
type Exports = worker::send::SendWrapper<JsValue>;
#[cfg(target_family = "wasm")]
type Exports = JsValue;

fn exports() -> Exports {
    let exports = wasm_bindgen::exports();
    #[cfg(not(target_family = "wasm"))]
    let exports = Exports::new(exports);
    exports
}

/// A future of what JavaScript promises.
fn here<T>(future: impl Future<Output = T> + 'static) -> BoxFuture<'static, T> {
    #[cfg(not(target_family = "wasm"))]
    let future = SendFuture::new(future);
    Box::pin(future)
}

thread_local! {
    /// Whether a trap would be caught.
    static CONTAINING: Cell<bool> = const { Cell::new(false) };
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps a panic's message for whoever catches its trap, which only says that there was one.
pub(crate) fn keep(message: String) {
    MESSAGE.set(Some(message));
}

/// What is done about a trap that nobody catches: the next call has a fresh instance.
pub(crate) fn end() {
    if !CONTAINING.get() {
        wasm_bindgen::handler::schedule_reinit();
    }
}

/// What `worker` does about a trap at the start of an instance, a fresh one at once, is for those that nobody catches.
#[cfg(feature = "bindings")]
fn prepare_for_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            keep(info.to_string());
            previous(info);
        }));
        wasm_bindgen::handler::set_on_abort(end);
    });
}
