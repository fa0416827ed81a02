//! The ways in: from a function of the application's own, or straight from JavaScript.

#[cfg(feature = "bindings")]
use std::thread::LocalKey;

#[cfg(feature = "bindings")]
use js_sys::futures::JsFuture;
#[cfg(feature = "bindings")]
use median_edge::MaybeSync;
#[cfg(feature = "bindings")]
use wasm_bindgen::{JsCast, JsValue};
#[cfg(feature = "bindings")]
use worker::{Context, Request, web_sys};

#[cfg(feature = "bindings")]
use crate::App;
use crate::{Env, boundary};

/// What a variable or a secret holds, when that is text. `Env::var` throws where a binding is there and null.
pub fn variable(env: &Env, name: &str) -> Option<String> {
    boundary::variable(env, name)
}

/// Answers a request in an `#[event(fetch)]` of your own. Paths that are not the endpoint's get 404 `not_found`.
///
/// ```
/// # use median_edge::Endpoint;
/// use median_edge_worker::worker::{self, Context, Env, Request, Response, Result, event, web_sys};
/// use median_edge_worker::{App, handle};
///
/// thread_local! {
///     static SHOP: App<()> = App::new(|_| Endpoint::builder().build(), |_| Ok(()));
/// }
///
/// #[event(fetch)]
/// async fn fetch(request: Request, env: Env, context: Context) -> Result<web_sys::Response> {
///     if request.path() == "/" {
///         return Ok(Response::ok("the shop")?.into());
///     }
///     handle(&SHOP, &request, &env, &context).await
/// }
/// # fn main() {}
/// ```
///
/// Leave reading the body to the endpoint: a request whose body was read before is answered as one that was cut off,
/// with `invalid_body`.
///
/// # Errors
///
/// What JavaScript threw, if it did.
#[cfg(feature = "bindings")]
pub async fn handle<S: MaybeSync + 'static>(
    app: &'static LocalKey<App<S>>,
    request: &Request,
    env: &Env,
    context: &Context,
) -> worker::Result<web_sys::Response> {
    let context: &JsValue = context.as_ref();
    let given = app.with(|app| app.serve(request.inner(), env, context))?;
    let response = match given.dyn_into::<js_sys::Promise>() {
        Ok(promise) => JsFuture::from(promise).await?,
        Err(response) => response,
    };
    Ok(response.unchecked_into())
}

/// Makes the Worker's `fetch` out of an [`App`]. It takes the place of an `#[event(fetch)]`, and is quicker: a call
/// that is ready at once is answered without a promise of Rust's own.
///
/// ```
/// # use median_edge::Endpoint;
/// use median_edge_worker::App;
/// use median_edge_worker::worker::{Context, Env, Request, Response, Result};
///
/// thread_local! {
///     static SHOP: App<()> = App::new(|_| Endpoint::builder().build(), |_| Ok(()));
/// }
///
/// // What is not the endpoint's is for the application's own routes; without them it gets 404 `not_found`.
/// median_edge_worker::fetch!(SHOP, own);
///
/// async fn own(request: Request, _env: Env, _context: Context) -> Result<Response> {
///     match request.path().as_str() {
///         "/" => Response::ok("the shop"),
///         _ => Response::error("Nothing is here.", 404),
///     }
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! fetch {
    ($app:path) => {
        $crate::fetch!(@ |request, env, context| $crate::__private::serve(&$app, &request, &env, &context));
    };
    ($app:path, $own:path) => {
        $crate::fetch!(@ |request, env, context| $crate::__private::serve_or(&$app, $own, request, env, context));
    };
    (@ |$request:ident, $env:ident, $context:ident| $serve:expr) => {
        const _: () = {
            use $crate::__private::wasm_bindgen;

            #[wasm_bindgen::prelude::wasm_bindgen(js_name = fetch, wasm_bindgen = wasm_bindgen)]
            pub fn __median_edge_fetch(
                $request: wasm_bindgen::JsValue,
                $env: $crate::Env,
                $context: wasm_bindgen::JsValue,
            ) -> ::core::result::Result<wasm_bindgen::JsValue, wasm_bindgen::JsValue> {
                $serve
            }

            #[wasm_bindgen::prelude::wasm_bindgen(js_name = handlers, wasm_bindgen = wasm_bindgen)]
            pub fn __median_edge_handlers(entrypoint: &wasm_bindgen::JsValue) -> wasm_bindgen::JsValue {
                $crate::__private::handlers(entrypoint)
            }
        };
    };
}
