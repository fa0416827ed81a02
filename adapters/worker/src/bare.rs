//! What `worker` does for a Worker, in one that is built without it: the environment's type, and the start of an instance
//! as `worker-build`'s entry wants it.

use std::panic;

use wasm_bindgen::prelude::*;

use crate::host;

#[wasm_bindgen]
extern "C" {
    /// What is bound to the Worker: variables and secrets, by [`variable`](crate::variable).
    #[derive(Clone, Debug)]
    pub type Env;
}

/// Why a state cannot be made.
pub type Error = String;

#[wasm_bindgen(module = "/src/bare.js")]
extern "C" {
    fn state() -> JsValue;

    fn started();

    fn panicked(message: &str);
}

/// Where `worker-build`'s entry looks for whether it has to make a fresh instance.
#[allow(unreachable_pub)] // JavaScript reaches it.
#[wasm_bindgen(js_name = "__worker_init_state")]
pub fn worker_init_state() -> JsValue {
    state()
}

#[wasm_bindgen(start, private)]
fn start() {
    panic::set_hook(Box::new(|info| {
        let message = info.to_string();
        panicked(&message);
        host::keep(message);
    }));
    started();
    wasm_bindgen::handler::set_on_abort(host::end);
}
