//! The HTTP API.
//!
//! Every route but `/healthz` takes the organization's key as a bearer. On loopback, a request that names another host, or
//! comes from another page, is turned away before that.

mod approvals;
mod body;
mod calls;
mod clock;
mod conversations;
mod endpoints;
mod events;
mod guard;
mod identities;
mod logs;
mod problem;
mod reports;
mod runs;
mod tools;
mod turns;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::Method;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use axum::{Json, Router};
use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::domain::{Code, Problem};
use crate::engine::Platform;
use crate::server::ServeError;

pub(crate) use guard::foreign_host;

/// The most bytes of a request's body.
const BODY_BYTES: usize = 1024 * 1024;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "median-edge: the local stand-in for the platform",
        description = "A development tool: endpoints, tools, conversations, requests that wait for sign-off, runs, reports \
                       and the log, on your own machine."
    ),
    security(("key" = []))
)]
struct Document;

/// The routes with their document.
fn documented() -> OpenApiRouter<Platform> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(endpoints::list, endpoints::connect))
        .routes(routes!(endpoints::one, endpoints::remove))
        .routes(routes!(endpoints::sync))
        .routes(routes!(tools::list))
        .routes(routes!(tools::enable))
        .routes(routes!(tools::disable))
        .routes(routes!(tools::test))
        .routes(routes!(approvals::list))
        .routes(routes!(approvals::one))
        .routes(routes!(approvals::approve))
        .routes(routes!(approvals::deny))
        .routes(routes!(conversations::list, conversations::begin))
        .routes(routes!(conversations::one))
        .routes(routes!(conversations::thread))
        .routes(routes!(conversations::write))
        .routes(routes!(conversations::note))
        .routes(routes!(conversations::identify))
        .routes(routes!(conversations::set_state))
        .routes(routes!(conversations::hand_over))
        .routes(routes!(conversations::read))
        .routes(routes!(identities::sign))
        .routes(routes!(turns::begin))
        .routes(routes!(turns::one))
        .routes(routes!(turns::reply))
        .routes(routes!(calls::list, calls::call))
        .routes(routes!(calls::one))
        .routes(routes!(runs::list, runs::run))
        .routes(routes!(runs::one))
        .routes(routes!(reports::list, reports::file))
        .routes(routes!(reports::one))
        .routes(routes!(logs::alerts))
        .routes(routes!(logs::list))
        .routes(routes!(clock::read))
        .routes(routes!(clock::forward))
        .routes(routes!(events::listen))
}

/// The API's description, in the form of `OpenAPI` 3.1.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let (_, mut document) = documented().split_for_parts();
    let key = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    document.components.get_or_insert_default().add_security_scheme("key", key);
    document
}

/// Who may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only this machine: requests have to name it as their host.
    Loopback,
    /// Whoever reaches the address and has the key, which must not be the public example.
    Anyone,
}

/// The API as routes for an axum application. With [`Access::Loopback`] they are for an address of this machine alone: what
/// a request names as its host is all that they see of where it comes from.
///
/// # Errors
///
/// [`ServeError::ExampleKey`] for anyone with the public example key, on loopback too: a page in a browser of this machine
/// reaches it under a name of its own (DNS rebinding), and knows that key.
pub fn router(platform: Platform, access: Access) -> Result<Router, ServeError> {
    if access == Access::Anyone && platform.has_example_key() {
        return Err(ServeError::ExampleKey);
    }
    let (routes, _) = documented().split_for_parts();
    let document = Arc::new(openapi());
    let document = move || {
        let document = Arc::clone(&document);
        async move { Json(document.as_ref().clone()) }
    };
    let guard = guard::Guard { platform: platform.clone(), access };
    let routes = routes
        .route("/v1/openapi.json", get(document))
        .route("/healthz", get(async || "ok"))
        .fallback(async || {
            Problem::new(Code::NotFound, "There is no such route. GET /v1/openapi.json lists them.")
        })
        .method_not_allowed_fallback(async |method: Method| {
            let message =
                format!("This route does not take {method}. GET /v1/openapi.json says what it takes.");
            Problem::new(Code::MethodNotAllowed, message)
        })
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(from_fn_with_state(guard, guard::check))
        .with_state(platform);
    Ok(routes)
}
