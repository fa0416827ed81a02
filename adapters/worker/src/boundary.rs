//! The functions of `boundary.js`.
//!
//! They exist where there is JavaScript. Elsewhere this compiles, so that editors and tests of an application can look
//! at its Worker, and cannot be called.

use wasm_bindgen::prelude::*;

use crate::Env;

/// What a request is handed to once it is read: the method, the path with what follows it, the two headers of
/// [`Request::HEADERS`](median_edge::Request::HEADERS), the body unless it is over the limit, whether it was cut off, the
/// environment, and, of a `GET`, the request itself. It gives a response, or a promise of one.
pub(crate) type Take = Closure<
    dyn Fn(String, String, Option<String>, Option<String>, Option<Vec<u8>>, bool, Env, JsValue) -> JsValue,
>;

#[wasm_bindgen(module = "/src/boundary.js")]
extern "C" {
    pub(crate) fn contain(work: &mut dyn FnMut(), exports: &JsValue) -> Option<String>;

    pub(crate) fn variable(env: &Env, name: &str) -> Option<String>;

    pub(crate) fn headers(request: &JsValue) -> String;

    pub(crate) fn entrance(
        take: &JsValue,
        limit: f64,
        first: &str,
        second: &str,
        exports: &JsValue,
    ) -> JsValue;

    #[wasm_bindgen(catch, js_name = receiveFirst)]
    pub(crate) fn receive_first(
        request: &JsValue,
        env: &Env,
        context: &JsValue,
        entrance: &JsValue,
        shared: bool,
    ) -> Result<JsValue, JsValue>;

    pub(crate) fn handlers(entrypoint: &JsValue) -> JsValue;

    pub(crate) fn log(level: &str, line: &str);

    pub(crate) fn sleep(ms: u32) -> js_sys::Promise;

    pub(crate) fn wake(sleep: &js_sys::Promise);

    pub(crate) fn unseen(names: &str) -> JsValue;

    pub(crate) fn changed(env: &Env, seen: &JsValue) -> bool;

    pub(crate) fn kind(status: u16, headers: &str) -> JsValue;

    pub(crate) fn respond(kind: &JsValue, body: &[u8]) -> JsValue;
}

#[cfg(feature = "bindings")]
#[wasm_bindgen(module = "/src/boundary.js")]
extern "C" {
    pub(crate) fn path(request: &JsValue) -> String;

    pub(crate) fn enter() -> f64;

    pub(crate) fn leave(entered: f64);

    #[wasm_bindgen(catch)]
    pub(crate) fn receive(
        request: &JsValue,
        env: &Env,
        context: &JsValue,
        entrance: &JsValue,
    ) -> Result<JsValue, JsValue>;
}
