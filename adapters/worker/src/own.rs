//! Requests that the Worker shares with routes of the application's own.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::thread::LocalKey;

use js_sys::futures::{JsFuture, future_to_promise};
use median_edge::MaybeSync;
use median_edge::event::Level;
use wasm_bindgen::{JsCast, JsValue};
use worker::{Context, Env, Request, Response, web_sys};

use crate::{App, boundary, log};

/// Answers a request as [`serve`](crate::__private::serve) does, with the application's own routes.
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
        return app.with(|app| app.serve_first(&request, &env, &context, true));
    }
    let request = Request::from(request.unchecked_into::<web_sys::Request>());
    let answer = own(request, env, Context::new(context.clone().unchecked_into()));
    let answered = future_to_promise(AssertUnwindSafe(InHand::during(async {
        let response = answer.await.map(web_sys::Response::from);
        response.map(JsValue::from).map_err(|error| {
            log::note(Level::Error, &format!("One of the application's own routes failed. {error}"));
            JsValue::from(error)
        })
    })));
    // Nothing goes on of a request whose connection was aborted, unless somebody waits for it: it would be in hand for good.
    let whole = JsFuture::from(answered.clone());
    Context::new(context.unchecked_into()).wait_until(async { drop(whole.await) });
    Ok(answered.into())
}

/// Counts a request in hand while it lives, so that its instance is not given up under it.
#[derive(Debug)]
struct InHand(f64);

impl InHand {
    fn enter() -> Self {
        Self(boundary::enter())
    }

    /// Does something with a request in hand.
    async fn during<F: Future>(work: F) -> F::Output {
        let _in_hand = Self::enter();
        work.await
    }
}

impl Drop for InHand {
    fn drop(&mut self) {
        boundary::leave(self.0);
    }
}
