//! From an HTTP request to the endpoint and back.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Context;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody};
use http::request::Parts;
use http::{Request, Response};
use median_edge::event::Level;
use median_edge::http::SIGNATURE_HEADER;
use median_edge::loopback;
use median_edge::outcome::NEUTRAL_MESSAGE;
use median_edge::{APPLICATION_MANIFEST_PATH, Code, Endpoint, Fault, Keys, Platform, Route};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Semaphore;
use tokio::task::block_in_place;
use tower::{Service, service_fn};

use crate::Server;
use crate::body::{self, NoBody, Room};
use crate::host::LocalHost;
use crate::queue::LocalQueue;

/// An endpoint as routes for an axum application of your own: its mount path and that of its identity, with and without a
/// trailing slash, or, when it is mounted at `/`, the fallback; and `/agent/manifest`, when it declares an application.
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
    #[cfg(feature = "connect")]
    pub(crate) connect: median_edge::ConnectSettings,
    /// Whether the public example key is among the keys that verify.
    pub(crate) anyone: bool,
    pub(crate) host: Arc<LocalHost>,
    /// Whether `/healthz` is ours.
    pub(crate) health: bool,
    pub(crate) fallback: Option<Router>,
    /// One permit for each call that runs.
    pub(crate) calls: Arc<Semaphore>,
    pub(crate) room: Room,
    pub(crate) body_timeout: Duration,
    /// Where tools enqueue jobs.
    pub(crate) queue: Option<LocalQueue>,
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
        if self.anyone && !loopback::is_named_by(&parts.headers) {
            body::discard(&parts.headers, body);
            self.host
                .note(Level::Warn, "a request that names another host than this machine was turned away");
            return respond_fault(Code::NotFound, OTHER_HOST);
        }
        let wants_body = parts.method == http::Method::POST
            && match route {
                Route::Endpoint => true,
                Route::Health => !self.health,
                _ => false,
            };
        if wants_body {
            return self.take(parts, body).await;
        }
        body::discard(&parts.headers, body);
        let request = request_of(&parts);
        match route {
            // Who is signed in, the application says.
            Route::Identity => match Arc::clone(&self.calls).try_acquire_owned() {
                Ok(permit) => self.apart(request, permit).await,
                Err(_) => self.overloaded(TOO_MANY),
            },
            _ => respond(self.run(request).await),
        }
    }

    /// Answers what may be a call. What its headers alone are refused for, it is refused for at once; a call has its permit
    /// when its body is there, so that nobody keeps others out with a body that does not come.
    async fn take(self: Arc<Self>, parts: Parts, body: Body) -> Response<Body> {
        let request = request_of(&parts);
        let limit = self.endpoint.body_limit();
        if body::is_over(&body, limit) {
            body::discard(&parts.headers, body);
            return respond(self.run(request.body_too_large()).await);
        }
        // No body makes up for a signature that is not there; and how long this one is, is known.
        let signatures = parts.headers.get_all(SIGNATURE_HEADER).iter().count();
        if signatures != 1 && body.size_hint().exact().is_some() {
            body::discard(&parts.headers, body);
            return respond(self.run(request).await);
        }
        if self.calls.available_permits() == 0 {
            body::discard(&parts.headers, body);
            return self.overloaded(TOO_MANY);
        }
        let (bytes, taken) = match self.room.read(body, limit, self.body_timeout).await {
            Ok(read) => read,
            Err(NoBody::TooLarge(rest)) => {
                body::discard(&parts.headers, rest);
                return respond(self.run(request.body_too_large()).await);
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
            Err(NoBody::GaveWay(rest)) => {
                body::discard(&parts.headers, rest);
                return self
                    .overloaded("a body that was still arriving was turned away: others needed its room");
            }
        };
        let Ok(permit) = Arc::clone(&self.calls).try_acquire_owned() else {
            return self.overloaded(TOO_MANY);
        };
        self.apart(request.body(bytes), (permit, taken)).await
    }

    /// Answers what runs the application's code, in a task of its own: it runs to its end even when the server, whichever it
    /// is, drops this future because the client has gone or because it is itself about to end. `held` is let go of then.
    async fn apart(
        self: Arc<Self>,
        request: median_edge::Request,
        held: impl Send + 'static,
    ) -> Response<Body> {
        let call = tokio::spawn(async move {
            let response = aside(self.run(request)).await;
            drop(held);
            response
        });
        match call.await {
            Ok(response) => respond(response),
            // The runtime is ending, and the call with it.
            Err(_) => respond_fault(Code::ExecutionFailed, NEUTRAL_MESSAGE),
        }
    }

    fn overloaded(&self, why: &str) -> Response<Body> {
        self.host.note(Level::Error, why);
        respond_fault(Code::Overloaded, "The server has as much in hand as it takes.")
    }

    /// The keys that requests are verified with.
    pub(crate) fn verifying(&self) -> &Keys {
        self.endpoint.keys().unwrap_or(&self.keys)
    }

    async fn run(&self, request: median_edge::Request) -> median_edge::Response {
        let platform = Platform::new(&*self.host, &self.keys, &*self.state);
        let platform = if self.health { platform.with_health() } else { platform };
        #[cfg(feature = "connect")]
        let platform = platform.with_connect(&self.connect);
        let platform = match &self.queue {
            Some(queue) => platform.with_queue(queue),
            None => platform,
        };
        self.endpoint.answer(&platform, &request).await
    }
}

const TOO_MANY: &str = "a call was turned away: as many as are allowed run";

/// The request without its body, and where it was sent to: by `http`, which is all that is spoken here, to the host that it
/// names itself.
fn request_of(parts: &Parts) -> median_edge::Request {
    let request = median_edge::Request::from(parts);
    #[cfg(feature = "connect")]
    let request = match url_of(parts) {
        Some(url) => request.url(url),
        None => request,
    };
    request
}

#[cfg(feature = "connect")]
fn url_of(parts: &Parts) -> Option<String> {
    // Inside a router that is nested, the path is shorter than it was.
    let uri = parts.extensions.get::<axum::extract::OriginalUri>().map_or(&parts.uri, |original| &original.0);
    let mut hosts = parts.headers.get_all(http::header::HOST).iter();
    let host = match (uri.authority(), hosts.next(), hosts.next()) {
        (Some(authority), _, _) => authority.as_str(),
        (None, Some(host), None) => host.to_str().ok()?,
        _ => return None,
    };
    Some(format!("http://{host}{}", uri.path()))
}

/// Runs what may block its thread, on a runtime that has others, so that they take over what else that thread has to do.
pub(crate) async fn aside<F: Future>(future: F) -> F::Output {
    let has_others = Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread;
    let mut future = pin!(future);
    let poll = |cx: &mut Context<'_>| {
        let mut poll = || future.as_mut().poll(cx);
        if has_others { block_in_place(poll) } else { poll() }
    };
    poll_fn(poll).await
}

const OTHER_HOST: &str = "This server has the public example key, which anyone can sign with, so it answers only on its own \
    machine: to requests whose Host is localhost, 127.0.0.1 or [::1], and whose Origin, if there is one, is too. Open it \
    by one of these, or set MEDIAN_KEY to your own key.";

/// As a router for an application that has its own server.
pub(crate) fn into_router<S: Send + Sync + 'static>(app: App<S>) -> Router {
    let mount = app.endpoint.mount().to_owned();
    let identity = app.endpoint.identity_path().map(ToOwned::to_owned);
    let describes =
        app.endpoint.application_manifest().is_some().then(|| APPLICATION_MANIFEST_PATH.to_owned());
    let app = Arc::new(app);
    let service = service_fn(move |request: Request<Body>| infallible(Arc::clone(&app).answer(request)));
    if mount == "/" {
        return Router::new().fallback_service(service);
    }
    let mut router = Router::new().without_v07_checks();
    for path in [Some(mount), identity, describes].into_iter().flatten() {
        // A mount path is text; to axum, braces are a pattern, and a leading colon or star looks like an old one.
        let path = path.replace('{', "{{").replace('}', "}}");
        router =
            router.route_service(&format!("{path}/"), service.clone()).route_service(&path, service.clone());
    }
    router
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
