//! From an HTTP request to the endpoint and back.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http::{Request, Response};
use median_edge::event::Level;
use median_edge::outcome::NEUTRAL_MESSAGE;
use median_edge::{Code, Endpoint, Fault, Keys, Platform, Route};
use tokio::sync::Semaphore;
use tower::{Service, service_fn};

use crate::Server;
use crate::body::{self, NoBody};
use crate::host::LocalHost;

/// An endpoint as routes for an axum application of your own: its mount path, with and without a trailing slash, or,
/// when it is mounted at `/`, the fallback.
///
/// Merge it; or nest it, and mount the endpoint at what is left of the path (one that is mounted at `/` takes
/// `nest_service`, since `nest` keeps the trailing slash from it). Unlike a server it starts without a usable key, and
/// answers requests with the protocol's 500.
///
/// ```
/// # use median_edge::prelude::*;
/// # use median_edge::Keys;
/// # fn build(endpoint: Endpoint<()>) -> axum::Router {
/// let keys = Keys::from_lookup(|name| std::env::var(name).ok());
/// axum::Router::new()
///     .route("/", axum::routing::get(async || "the shop"))
///     .merge(median_edge_local::router(endpoint, (), keys))
/// # }
/// ```
///
/// The options of a server that matter here are there with [`Server::into_router`].
pub fn router<S: Send + Sync + 'static>(endpoint: Endpoint<S>, state: S, keys: Keys) -> Router {
    Server::new(endpoint, state).keys(keys).into_router()
}

/// All that answering takes.
pub(crate) struct App<S> {
    pub(crate) endpoint: Arc<Endpoint<S>>,
    pub(crate) state: Arc<S>,
    pub(crate) keys: Keys,
    pub(crate) host: Arc<LocalHost>,
    /// Whether `/healthz` is ours.
    pub(crate) health: bool,
    pub(crate) fallback: Option<Router>,
    /// One permit for each call in hand.
    pub(crate) calls: Arc<Semaphore>,
    pub(crate) body_timeout: Duration,
}

impl<S: Send + Sync + 'static> App<S> {
    /// Answers a request, or lets the application's own routes have it as it came.
    pub(crate) async fn answer(self: Arc<Self>, request: Request<Body>) -> Response<Body> {
        let route = self.endpoint.route(request.uri().path());
        if let (Route::Elsewhere, Some(fallback)) = (route, &self.fallback) {
            return match fallback.clone().call(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            };
        }
        let (parts, body) = request.into_parts();
        let request = median_edge::Request::from(&parts);
        let wants_body = parts.method == http::Method::POST
            && match route {
                Route::Endpoint => true,
                Route::Health => !self.health,
                _ => false,
            };
        if !wants_body {
            // Nothing of the application runs here.
            body::discard(&parts.headers, body);
            return respond(self.run(request).await);
        }

        // A call has its permit before its body is read: bodies in hand are what takes memory.
        let Ok(permit) = Arc::clone(&self.calls).try_acquire_owned() else {
            body::discard(&parts.headers, body);
            self.host.note(Level::Error, "a call was turned away: as many as are allowed are in hand");
            return respond_fault(Code::Overloaded, "The server has as many calls in hand as it takes.");
        };
        let request = match body::read(body, self.endpoint.body_limit(), self.body_timeout).await {
            Ok(bytes) => request.body(bytes),
            Err(NoBody::TooLarge(rest)) => {
                body::discard(&parts.headers, rest);
                request.body_too_large()
            }
            Err(NoBody::CutOff) => {
                self.host.note(Level::Warn, "a request's body was cut off");
                return respond_fault(Code::InvalidBody, "The body was cut off before its end.");
            }
            Err(NoBody::TooSlow) => {
                self.host.note(Level::Warn, "a request's body took too long");
                let message = format!("The body did not arrive within {:?}.", self.body_timeout);
                return respond_fault(Code::InvalidBody, message);
            }
        };
        // A task of its own: the call runs to its end even when the server, whichever it is, drops this future because the
        // client has gone or because it is itself about to end.
        let call = tokio::spawn(async move {
            let response = self.run(request).await;
            drop(permit);
            response
        });
        match call.await {
            Ok(response) => respond(response),
            // The runtime is ending, and the call with it.
            Err(_) => respond_fault(Code::ExecutionFailed, NEUTRAL_MESSAGE),
        }
    }

    async fn run(&self, request: median_edge::Request) -> median_edge::Response {
        let platform = Platform::new(&*self.host, &self.keys, &*self.state);
        let platform = if self.health { platform.with_health() } else { platform };
        self.endpoint.answer(&platform, &request).await
    }
}

/// As a router for an application that has its own server.
pub(crate) fn into_router<S: Send + Sync + 'static>(app: App<S>) -> Router {
    let mount = app.endpoint.mount().to_owned();
    let app = Arc::new(app);
    let service = service_fn(move |request: Request<Body>| infallible(Arc::clone(&app).answer(request)));
    if mount == "/" {
        return Router::new().fallback_service(service);
    }
    // A mount path is text; to axum, braces are a pattern, and a leading colon or star looks like an old one.
    let path = mount.replace('{', "{{").replace('}', "}}");
    Router::new()
        .without_v07_checks()
        .route_service(&format!("{path}/"), service.clone())
        .route_service(&path, service)
}

pub(crate) async fn infallible<T>(future: impl Future<Output = T>) -> Result<T, Infallible> {
    Ok(future.await)
}

fn respond(response: median_edge::Response) -> Response<Body> {
    Response::from(response).map(Body::from)
}

fn respond_fault(code: Code, message: impl Into<std::borrow::Cow<'static, str>>) -> Response<Body> {
    respond(median_edge::Response::from(&Fault::new(code, message)))
}
