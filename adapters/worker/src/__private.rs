//! What [`fetch!`](crate::fetch) expands to. Not for use by hand.

use std::thread::LocalKey;

use median_edge::MaybeSync;
pub use wasm_bindgen;
use wasm_bindgen::JsValue;

#[cfg(feature = "bindings")]
pub use crate::own::serve_or;
use crate::{App, Env, boundary};

/// Answers a request: with a response, or with a promise of one.
///
/// # Errors
///
/// What JavaScript threw.
pub fn serve<S: MaybeSync + 'static>(
    app: &'static LocalKey<App<S>>,
    request: &JsValue,
    env: &Env,
    context: &JsValue,
) -> Result<JsValue, JsValue> {
    app.with(|app| app.serve_first(request, env, context, false))
}

/// The handlers of a main module, which spare requests the way through `worker-build`'s class.
pub fn handlers(entrypoint: &JsValue) -> JsValue {
    boundary::handlers(entrypoint)
}
