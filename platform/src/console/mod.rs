//! The console: pages in the browser that show everything the API knows, and let a person play the agent, the customer and
//! the team.
//!
//! One page, a few modules and one style sheet, all in the program. They speak to the API beside them and to nothing else.
//!
//! # Who gets in
//!
//! The browser keeps nothing that it would send along by itself: no cookie, no password of HTTP. Each request of the console
//! carries a bearer that only its own scripts know, so that no other page can ask in its name. That bearer is
//!
//! - the public example key, when it is the organization's key, which only this machine is served with: the page then opens
//!   as it is, since it gives nobody what they do not have;
//! - otherwise a token, made anew at each start and shown in the link of [`Bound::console_url`](crate::Bound::console_url).
//!   It stands after `#`, which no browser sends. Whoever opens the page without it is asked for the link or the key.
//!
//! The page is for no frame, takes scripts and styles from its own address only, and its headers say so. Requests that name
//! another host get no page, as they get nothing of the API. Whatever an endpoint
//! or a customer says becomes text nodes, never markup.

mod files;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue};
use median_edge::key::LOCAL_KEY;

use crate::api::{Access, foreign_host};
use crate::engine::Platform;

/// What the page may do: ask its own address for scripts, styles and data, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
                      form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

const HEADERS: [(HeaderName, &str); 7] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (CACHE_CONTROL, "no-store"),
];

/// The console's routes: `/`, and its files below `/console/`.
pub(crate) fn router(platform: &Platform, access: Access) -> Router {
    let key = if opens_itself(platform) { LOCAL_KEY } else { "" };
    let page = Html(files::PAGE.replace("{{key}}", key));
    let mut routes = Router::new().route("/", get(async move || page.clone()));
    for &(path, kind, text) in files::FILES {
        routes = routes.route(path, get(async move || ([(CONTENT_TYPE, kind)], text)));
    }
    routes.layer(from_fn_with_state(access, guarded))
}

/// Whether the page lets in whoever opens it. With the example key, only this machine can: nothing else is served.
pub(crate) fn opens_itself(platform: &Platform) -> bool {
    platform.has_example_key()
}

async fn guarded(State(access): State<Access>, request: Request, next: Next) -> Response {
    let mut response = match foreign_host(access, request.headers()) {
        Some(problem) => problem.into_response(),
        None => next.run(request).await,
    };
    add_headers(response.headers_mut());
    response
}

fn add_headers(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
