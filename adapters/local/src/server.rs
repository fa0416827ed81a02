//! A server before it has an address: what it serves, and its limits.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
#[cfg(feature = "connect")]
use median_edge::ConnectSettings;
use median_edge::event::Level;
use median_edge::job::Jobs;
use median_edge::{ConfigError, Endpoint, Keys};
use tokio::net::{TcpListener, ToSocketAddrs, lookup_host};
use tokio::sync::Semaphore;

use crate::app::{self, App};
use crate::body::Room;
use crate::bound::Bound;
use crate::error::StartError;
use crate::host::LocalHost;
use crate::log::LogFormat;
use crate::queue::LocalQueue;

/// A server for an endpoint, with its options. A time that is longer than a year is a year.
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
    #[cfg(feature = "connect")]
    connect: Option<ConnectSettings>,
    fallback: Option<Router>,
    host: Option<LocalHost>,
    jobs: Option<Jobs<S>>,
    pub(crate) limits: Limits,
}

/// Everything that is bounded.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    calls: usize,
    held_jobs: usize,
    running_jobs: usize,
    pub(crate) connections: usize,
    pub(crate) header_bytes: usize,
    pub(crate) header_time: Duration,
    body_time: Duration,
    pub(crate) write_time: Duration,
    pub(crate) idle_time: Duration,
    pub(crate) shutdown_time: Duration,
}

/// The longest that a limit may be: a clock that is asked for more might have no answer.
const FOREVER: Duration = Duration::from_hours(24 * 365);

impl Default for Limits {
    fn default() -> Self {
        Self {
            calls: 256,
            held_jobs: 10_000,
            running_jobs: 16,
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
        Self {
            endpoint,
            state,
            keys: None,
            #[cfg(feature = "connect")]
            connect: None,
            fallback: None,
            host: None,
            jobs: None,
            limits: Limits::default(),
        }
    }

    /// The keys to verify with. Unless said, they are read from the environment (`MEDIAN_KEY` and its like). Keys that
    /// the endpoint was built with come before both.
    ///
    /// While the public example key, which anyone can sign with, is one of them, requests for the endpoint and for
    /// `/healthz` must name this machine: a `Host` of `localhost`, 127.0.0.0/8 or `[::1]`, and no `Origin` but one of these.
    /// Others are answered with 404 `not_found`. Otherwise any page that is open in the developer's browser could let its
    /// own name stand for 127.0.0.1, and call tools. The application's own routes are answered to every name.
    pub fn keys(mut self, keys: Keys) -> Self {
        self.keys = Some(keys);
        self
    }

    /// What connecting needs to know. Unless said, it is read from the environment: `MEDIAN_API_URL`, and
    /// `MEDIAN_PUBLIC_URL` where others reach the endpoint at another URL than that of their `Host` by `http`.
    #[cfg(feature = "connect")]
    #[cfg_attr(docsrs, doc(cfg(feature = "connect")))]
    pub fn connect(mut self, settings: ConnectSettings) -> Self {
        self.connect = Some(settings);
        self
    }

    /// The application's own routes: a request that is neither the endpoint's (its identity's included) nor for `/healthz` goes there untouched,
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

    /// Runs the jobs that tools enqueue, in this process: see [`LocalQueue`](crate::LocalQueue). Without them, an endpoint
    /// with a tool that enqueues one is not started.
    pub fn jobs(mut self, jobs: Jobs<S>) -> Self {
        self.jobs = Some(jobs);
        self
    }

    /// The most jobs that are held, those that run included: 10,000 unless said. A tool that enqueues one more gets an error.
    pub fn max_held_jobs(mut self, jobs: usize) -> Self {
        self.limits.held_jobs = jobs;
        self
    }

    /// The most jobs that run at a time, 16 unless said, and 1 at least.
    pub fn max_running_jobs(mut self, jobs: usize) -> Self {
        self.limits.running_jobs = jobs.clamp(1, Semaphore::MAX_PERMITS);
        self
    }

    /// The most calls that run at a time, 256 unless said. One more is answered with 503 `overloaded` at once: it would
    /// not be answered sooner by waiting.
    ///
    /// All bodies together, of the calls that run and those still arriving, take as much memory as this many bodies of the
    /// endpoint's limit. When that is not enough, the body that has been arriving longest gives way: it is answered with
    /// 503 too. A body that is unsigned is not waited for.
    pub fn max_calls(mut self, calls: usize) -> Self {
        self.limits.calls = calls.min(Semaphore::MAX_PERMITS);
        self
    }

    /// The most connections at a time, 1,024 unless said. For one more, the one is closed that has waited longest for its
    /// client's next request; without such, the body that has been arriving longest is answered with 503 `overloaded`; and
    /// while calls run on every connection, it waits.
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
        self.limits.header_time = limit.min(FOREVER);
        self
    }

    /// How long a body may take: 20 seconds unless said. Then the request is answered with 400 `invalid_body`.
    pub fn body_timeout(mut self, limit: Duration) -> Self {
        self.limits.body_time = limit.min(FOREVER);
        self
    }

    /// How long a client may take no byte of an answer: 30 seconds unless said. Then the connection is closed.
    pub fn write_timeout(mut self, limit: Duration) -> Self {
        self.limits.write_time = limit.min(FOREVER);
        self
    }

    /// How long a connection is kept between two requests: 75 seconds unless said. A proxy that keeps its connections to
    /// this server must let go of them sooner than that, or it may send a call into one that is just being closed.
    pub fn idle_timeout(mut self, limit: Duration) -> Self {
        self.limits.idle_time = limit.min(FOREVER);
        self
    }

    /// How long calls in flight, and then jobs, have to come to their end once the server is told to stop: 30 seconds unless said. What
    /// happens to those that have not is told at [`Bound::serve`] and [`Bound::run_until`].
    pub fn shutdown_limit(mut self, limit: Duration) -> Self {
        self.limits.shutdown_time = limit.min(FOREVER);
        self
    }

    /// Listens at an address. Port 0 takes one that is free. Requests are answered once the bound server is served.
    ///
    /// # Errors
    ///
    /// When the key is missing or malformed, when it is the public example key and the address is not loopback, when a tool
    /// enqueues a job that is run nowhere, and when the address cannot be listened at.
    pub async fn bind(self, address: impl ToSocketAddrs) -> Result<Bound<S>, StartError> {
        let limits = self.limits.clone();
        self.check_jobs().map_err(StartError::Jobs)?;
        let app = self.into_app(true);
        app.verifying().check().map_err(StartError::Key)?;

        let listener = listen(address).await?;
        let local = listener.local_addr().map_err(|error| StartError::of_bind(None, error))?;
        if app.anyone && !local.ip().to_canonical().is_loopback() {
            return Err(StartError::PublicKey(local));
        }
        Ok(Bound::new(app, listener, local, limits))
    }

    /// The endpoint as routes for an axum application that is served otherwise: see [`router`](crate::router). Of the
    /// options, keys, log, calls and the body's time count; the rest is the other server's matter, `/healthz` too.
    ///
    /// Jobs are run here too; but nothing tells them that the other server stops, so what is in the queue then is lost. A job
    /// that is run nowhere is an error in the log.
    ///
    /// Where it will be served is not known here. So the public example key among its keys is an error in the log, once.
    pub fn into_router(mut self) -> Router {
        self.fallback = None;
        let jobs = self.check_jobs();
        let app = self.into_app(false);
        if app.anyone {
            app.host.note(Level::Error, PUBLIC_KEY);
        }
        if let Err(error) = jobs {
            app.host.note(Level::Error, &error.to_string());
        }
        app::into_router(app)
    }

    /// Whether each job can be run, and each that a tool enqueues is.
    fn check_jobs(&self) -> Result<(), ConfigError> {
        if let Some(jobs) = &self.jobs {
            jobs.check()?;
        }
        let runs = |job: &str| self.jobs.as_ref().is_some_and(|jobs| jobs.names().any(|name| name == job));
        self.endpoint.check_jobs(runs)
    }

    fn into_app(self, health: bool) -> App<S> {
        // What is not Unicode is a malformed key, not an absent one.
        let variable = |name: &str| Some(std::env::var_os(name)?.to_string_lossy().into_owned());
        let from_environment = || Keys::from_lookup(variable);
        let keys = self.keys.unwrap_or_else(from_environment);
        let host = Arc::new(self.host.unwrap_or_default());
        let limits = (self.limits.held_jobs, self.limits.running_jobs);
        let queue =
            self.jobs.map(|jobs| LocalQueue::new(jobs, Arc::clone(&self.state), Arc::clone(&host), limits));
        App {
            anyone: self.endpoint.keys().unwrap_or(&keys).let_anyone_in(),
            room: Room::for_bodies(self.limits.calls, self.endpoint.body_limit()),
            endpoint: self.endpoint,
            state: self.state,
            keys,
            #[cfg(feature = "connect")]
            connect: self.connect.unwrap_or_else(|| ConnectSettings::from_lookup(variable)),
            host,
            health,
            fallback: self.fallback,
            calls: Arc::new(Semaphore::new(self.limits.calls)),
            body_timeout: self.limits.body_time,
            queue,
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

const PUBLIC_KEY: &str = "the public example key, which anyone can sign with, is among the keys of this router: only requests \
    that name this machine as their host are answered. Set MEDIAN_KEY to your own key, and leave the example key out of \
    MEDIAN_KEY_PREVIOUS too.";

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
