//! What [`fetch!`](crate::fetch) expands to. Not for use by hand.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::thread::LocalKey;

use js_sys::futures::future_to_promise;
use median_edge::MaybeSync;
use median_edge::event::Level;
pub use wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use worker::{Context, Env, Request, Response, web_sys};

use crate::app::InHand;
use crate::{App, boundary, log};

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
    app.with(|app| app.serve(request, env, context))
}

/// The same, with the application's own routes.
///
/// # Errors
///
/// What JavaScript threw.
pub fn serve_or<S, F>(
    app: &'static LocalKey<App<S>>,
    own: impl FnOnce(Request, Env, Context) -> F + 'static,
    request: JsValue,
    env: Env,
    context: JsValue,
) -> Result<JsValue, JsValue>
where
    S: MaybeSync + 'static,
    F: Future<Output = worker::Result<Response>> + 'static,
{
    if app.with(|app| app.claims(&env, &boundary::path(&request))) {
        return serve(app, &request, &env, &context);
    }
    let request = Request::from(request.unchecked_into::<web_sys::Request>());
    let answer = own(request, env, Context::new(context.unchecked_into()));
    Ok(future_to_promise(AssertUnwindSafe(InHand::during(async {
        let response = answer.await.map(web_sys::Response::from);
        response.map(JsValue::from).map_err(|error| {
            log::note(Level::Error, &format!("One of the application's own routes failed. {error}"));
            JsValue::from(error)
        })
    })))
    .into())
}
