//! A server before it has an address: what it serves, and its limits.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use median_edge::{Endpoint, Keys};
use tokio::net::{TcpListener, ToSocketAddrs, lookup_host};
use tokio::sync::Semaphore;

use crate::app::{self, App};
use crate::bound::Bound;
use crate::error::StartError;
use crate::host::LocalHost;
use crate::log::LogFormat;

/// A server for an endpoint, with its options.
///
/// ```no_run
/// # use median_edge::prelude::*;
/// # async fn run(endpoint: Endpoint<()>) -> Result<(), median_edge_local::StartError> {
/// use axum::routing::get;
/// use median_edge_local::Server;
///
/// let site = axum::Router::new().route("/", get(async || "the shop"));
/// let server = Server::new(endpoint, ()).fallback(site).bind("127.0.0.1:8787").await?;
/// println!("open {}", server.url());
/// server.serve().await
/// # }
/// ```
#[must_use = "a server listens once it is bound"]
pub struct Server<S> {
    endpoint: Arc<Endpoint<S>>,
    state: Arc<S>,
    keys: Option<Keys>,
    fallback: Option<Router>,
    host: Option<LocalHost>,
    pub(crate) limits: Limits,
}

/// Everything that is bounded.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    calls: usize,
    pub(crate) connections: usize,
    pub(crate) header_bytes: usize,
    pub(crate) header_time: Duration,
    body_time: Duration,
    pub(crate) write_time: Duration,
    pub(crate) idle_time: Duration,
    pub(crate) shutdown_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            calls: 256,
            connections: 1024,
            header_bytes: 32 * 1024,
            header_time: Duration::from_secs(10),
            body_time: Duration::from_secs(20),
            write_time: Duration::from_secs(30),
            idle_time: Duration::from_secs(75),
            shutdown_time: Duration::from_secs(30),
        }
    }
}

impl<S: Send + Sync + 'static> Server<S> {
    /// A server for an endpoint and the state that its tools work on.
    pub fn new(endpoint: Endpoint<S>, state: S) -> Self {
        Self::shared(Arc::new(endpoint), Arc::new(state))
    }

    /// A server for an endpoint and a state that are used elsewhere too.
    pub fn shared(endpoint: Arc<Endpoint<S>>, state: Arc<S>) -> Self {
        Self { endpoint, state, keys: None, fallback: None, host: None, limits: Limits::default() }
    }

    /// The keys to verify with. Unless said, they are read from the environment (`MEDIAN_KEY` and its like). Keys that
    /// the endpoint was built with come before both.
    pub fn keys(mut self, keys: Keys) -> Self {
        self.keys = Some(keys);
        self
    }

    /// The application's own routes: a request that is neither the endpoint's nor for `/healthz` goes there untouched,
    /// its body not read. Without them it is answered with 404 `not_found`.
    pub fn fallback(mut self, routes: Router) -> Self {
        self.fallback = Some(routes);
        self
    }

    /// How the log on standard output is written. [`LogFormat::Auto`] unless said.
    pub fn log(self, format: LogFormat) -> Self {
        self.host(LocalHost::new(format))
    }

    /// A host whose log goes elsewhere, in the place of the one that logs to standard output.
    pub fn host(mut self, host: LocalHost) -> Self {
        self.host = Some(host);
        self
    }

    /// The most calls in hand at a time, 256 unless said. One more is answered with 503 `overloaded` at once: it would
    /// not be answered sooner by waiting. Each may hold a body of up to the endpoint's limit in memory.
    pub fn max_calls(mut self, calls: usize) -> Self {
        self.limits.calls = calls.min(Semaphore::MAX_PERMITS);
        self
    }

    /// The most connections at a time, 1,024 unless said. One more waits until another is closed.
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.limits.connections = connections.clamp(1, Semaphore::MAX_PERMITS);
        self
    }

    /// The most bytes that the headers of a request may have, its first line included: 32 KiB unless said. More are
    /// answered with 431 and no body.
    pub fn max_header_bytes(mut self, bytes: usize) -> Self {
        self.limits.header_bytes = bytes;
        self
    }

    /// How long the headers of a request may take, from the first byte to the last, or from a new connection on: 10
    /// seconds unless said. Then the connection is closed.
    pub fn header_timeout(mut self, limit: Duration) -> Self {
        self.limits.header_time = limit;
        self
    }

    /// How long a body may take: 20 seconds unless said. Then the request is answered with 400 `invalid_body`.
    pub fn body_timeout(mut self, limit: Duration) -> Self {
        self.limits.body_time = limit;
        self
    }

    /// How long a client may take no byte of an answer: 30 seconds unless said. Then the connection is closed.
    pub fn write_timeout(mut self, limit: Duration) -> Self {
        self.limits.write_time = limit;
        self
    }

    /// How long a connection is kept between two requests: 75 seconds unless said. A proxy that keeps its connections to
    /// this server must let go of them sooner than that, or it may send a call into one that is just being closed.
    pub fn idle_timeout(mut self, limit: Duration) -> Self {
        self.limits.idle_time = limit;
        self
    }

    /// How long calls in flight have to come to their end once the server is told to stop: 30 seconds unless said.
    pub fn shutdown_limit(mut self, limit: Duration) -> Self {
        self.limits.shutdown_time = limit;
        self
    }

    /// Listens at an address. Port 0 takes one that is free. Requests are answered once the bound server is served.
    ///
    /// # Errors
    ///
    /// When the key is missing or malformed, when it is the public example key and the address is not loopback, and when
    /// the address cannot be listened at.
    pub async fn bind(self, address: impl ToSocketAddrs) -> Result<Bound<S>, StartError> {
        let limits = self.limits.clone();
        let app = self.into_app(true);
        let keys = app.endpoint.keys().unwrap_or(&app.keys);
        keys.check().map_err(StartError::Key)?;
        let public_key = keys.let_anyone_in();

        let listener = listen(address).await?;
        let local = listener.local_addr().map_err(|error| StartError::of_bind(None, error))?;
        if public_key && !local.ip().to_canonical().is_loopback() {
            return Err(StartError::PublicKey(local));
        }
        Ok(Bound::new(app, listener, local, limits))
    }

    /// The endpoint as routes for an axum application that is served otherwise: see [`router`](crate::router). Of the
    /// options, keys, log, calls and the body's time count; the rest is the other server's matter, `/healthz` too.
    pub fn into_router(mut self) -> Router {
        self.fallback = None;
        app::into_router(self.into_app(false))
    }

    fn into_app(self, health: bool) -> App<S> {
        // What is not Unicode is a malformed key, not an absent one.
        let variable = |name: &str| Some(std::env::var_os(name)?.to_string_lossy().into_owned());
        let from_environment = || Keys::from_lookup(variable);
        App {
            endpoint: self.endpoint,
            state: self.state,
            keys: self.keys.unwrap_or_else(from_environment),
            host: Arc::new(self.host.unwrap_or_default()),
            health,
            fallback: self.fallback,
            calls: Arc::new(Semaphore::new(self.limits.calls)),
            body_timeout: self.limits.body_time,
        }
    }
}

impl<S> fmt::Debug for Server<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("endpoint", &self.endpoint)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Takes the first of an address's meanings that works, and tells why the last one did not.
async fn listen(address: impl ToSocketAddrs) -> Result<TcpListener, StartError> {
    let candidates = lookup_host(address).await.map_err(|error| StartError::of_bind(None, error))?;
    let mut failed = None;
    for candidate in candidates {
        match TcpListener::bind(candidate).await {
            Ok(listener) => return Ok(listener),
            Err(error) => failed = Some(StartError::of_bind(Some(candidate), error)),
        }
    }
    let nothing = || std::io::Error::new(std::io::ErrorKind::NotFound, "the name stands for no address");
    Err(failed.unwrap_or_else(|| StartError::of_bind(None, nothing())))
}
