//! A server with an address: accepting, answering, and ending without cutting anything off.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use median_edge::event::Level;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::app::{App, infallible};
use crate::error::StartError;
use crate::host::LocalHost;
use crate::queue::LocalQueue;
use crate::server::Limits;
use crate::signal::{LAST_LINES, Watch};
use crate::stream::{Progress, Timed};
use crate::waiting::{GIVING_WAY, Waiting};

/// A server that listens. Connections wait until it is served.
#[must_use = "requests are answered while the server is served"]
pub struct Bound<S> {
    app: Arc<App<S>>,
    listener: TcpListener,
    address: SocketAddr,
    limits: Limits,
    /// The connections that wait for their clients' next requests.
    idle: Arc<Waiting>,
}

impl<S: Send + Sync + 'static> Bound<S> {
    pub(crate) fn new(app: App<S>, listener: TcpListener, address: SocketAddr, limits: Limits) -> Self {
        Self { app: Arc::new(app), listener, address, limits, idle: Arc::default() }
    }

    /// The address it listens at, with the port that it has got.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// The queue, when the server runs jobs: to look at while it serves.
    pub fn queue(&self) -> Option<LocalQueue> {
        self.app.queue.clone()
    }

    /// The endpoint's URL, as this machine reaches it.
    pub fn url(&self) -> String {
        let ip = self.address.ip();
        let reachable = match ip {
            _ if !ip.is_unspecified() => self.address,
            std::net::IpAddr::V4(_) => (std::net::Ipv4Addr::LOCALHOST, self.address.port()).into(),
            std::net::IpAddr::V6(_) => (std::net::Ipv6Addr::LOCALHOST, self.address.port()).into(),
        };
        format!("http://{reachable}{}", self.app.endpoint.mount())
    }

    /// Serves until SIGINT or SIGTERM: then no more connections are taken, and the calls in flight come to their end, up
    /// to the shutdown limit. A second signal cuts that short.
    ///
    /// **It sees to it that the process ends.** A tool that blocks its thread can keep this from returning, and the runtime
    /// from ending after it. So when calls are in flight at the limit, the process has 5 seconds from then on to end by
    /// itself, and 1 second from a second signal on; then it is ended with the code 1. When every call has come to its end
    /// before that, the process is yours again. To end it otherwise, use [`run_until`](Self::run_until), which leaves the
    /// process alone.
    ///
    /// # Errors
    ///
    /// When the signals cannot be listened for.
    pub async fn serve(self) -> Result<(), StartError> {
        let host = Arc::clone(&self.app.host);
        let limit = self.limits.shutdown_time;
        let mut watch = Watch::start(limit, Arc::clone(&host)).await.map_err(StartError::Signals)?;
        let first = &mut watch.first;
        // It goes with the thread, which goes with what is served.
        let shutdown = async { drop(first.await) };
        let all_done = tokio::select! {
            all_done = self.run(shutdown) => all_done,
            Ok(()) = &mut watch.second => {
                host.note(Level::Warn, "stopped at once by a second signal");
                flush(&host).await;
                false
            }
        };
        if all_done {
            watch.done();
        } else {
            watch.cut_off();
        }
        Ok(())
    }

    /// Serves until a future is ready: then no more connections are taken, and the calls in flight come to their end, up
    /// to the shutdown limit. What still runs after that is cut off when the runtime ends.
    pub async fn run_until(self, shutdown: impl Future<Output = ()>) {
        self.run(shutdown).await;
    }

    /// Whether every call has come to its end.
    async fn run(self, shutdown: impl Future<Output = ()>) -> bool {
        let host = Arc::clone(&self.app.host);
        host.note(Level::Info, &format!("listening at {}", self.url()));
        let places = Arc::new(Semaphore::new(self.limits.connections));
        let (stop, stopped) = watch::channel(());
        let mut connections = JoinSet::new();
        let mut shutdown = pin!(shutdown);
        loop {
            let (stream, place) = tokio::select! {
                biased;
                () = &mut shutdown => break,
                next = self.next(&places) => next,
            };
            connections.spawn(connection(
                Arc::clone(&self.app),
                stream,
                self.limits.clone(),
                stopped.clone(),
                (Arc::clone(&self.idle), place),
            ));
            // What has ended is forgotten.
            while connections.try_join_next().is_some() {}
        }

        let Self { listener, limits, app, .. } = self;
        drop(listener);
        let until = Instant::now() + limits.shutdown_time;
        host.note(Level::Info, "stopping: calls in flight come to their end");
        let _ = stop.send(());
        // A connection ends after its call does, even when its client has gone.
        let all_done = async { while connections.join_next().await.is_some() {} };
        let mut all_done = timeout_at(until, all_done).await.is_ok();
        // Calls may enqueue to their end, so jobs come after them.
        if let Some(queue) = &app.queue {
            all_done &= queue.drain(until).await;
        }
        if !all_done {
            let message = format!("stopped with work in flight, after {:?}", limits.shutdown_time);
            host.note(Level::Error, &message);
        }
        flush(&host).await;
        all_done
    }

    /// Waits for a connection and a place for it. What goes wrong with accepting one does not end the server.
    async fn next(&self, places: &Arc<Semaphore>) -> (TcpStream, OwnedSemaphorePermit) {
        let stream = loop {
            match self.listener.accept().await {
                Ok((stream, _)) => break stream,
                Err(error) if is_of_the_connection(&error) => {}
                Err(error) => {
                    // Out of file descriptors, most likely: connections that end give some back.
                    self.app.host.note(Level::Error, &format!("no connection can be accepted: {error}"));
                    self.make_place();
                    sleep(Duration::from_millis(500)).await;
                }
            }
        };
        loop {
            // The semaphore is never closed.
            if let Ok(Ok(place)) = timeout(GIVING_WAY, Arc::clone(places).acquire_owned()).await {
                return (stream, place);
            }
            self.make_place();
        }
    }

    /// Lets a connection give way that waits for its client, if there is one.
    fn make_place(&self) {
        let _ = self.idle.ask() || self.app.room.ask();
    }
}

/// Lets the log have its last lines, on a thread that may wait for them.
async fn flush(host: &Arc<LocalHost>) {
    let host = Arc::clone(host);
    let _ = tokio::task::spawn_blocking(move || host.flush(LAST_LINES)).await;
}

/// Whether only the connection that was just to be accepted is gone.
fn is_of_the_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// Answers the requests of one connection until it ends, or until the server stops and the one in hand is answered.
async fn connection<S: Send + Sync + 'static>(
    app: Arc<App<S>>,
    stream: TcpStream,
    limits: Limits,
    mut stopped: watch::Receiver<()>,
    place: (Arc<Waiting>, OwnedSemaphorePermit),
) {
    // Answers are small and go out whole: nothing is gained by waiting for more.
    let _ = stream.set_nodelay(true);
    let progress = Arc::new(Progress::default());
    let stream = Timed::new(stream, Arc::clone(&progress), place, (limits.header_time, limits.write_time));
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let in_hand = progress.begin();
        let answer = Arc::clone(&app).answer(request.map(Body::new));
        async move {
            let answered = infallible(answer).await;
            match &answered {
                Ok(answer) if answer.status() == http::StatusCode::SWITCHING_PROTOCOLS => in_hand.keep(),
                _ => drop(in_hand),
            }
            answered
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.idle_time)
        .max_header_size(limits.header_bytes)
        .max_buf_size(limits.header_bytes.max(BUFFER_BYTES))
        // A client may close its half once it has sent everything, and still read. It also keeps hyper from looking for a
        // client's end while its call runs.
        .half_close(true)
        .serve_connection(TokioIo::new(stream), service)
        // For the application's own routes.
        .with_upgrades();
    let mut connection = pin!(connection);
    // How a connection ends is its client's matter.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stopped.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// What hyper may keep of one connection's bytes.
const BUFFER_BYTES: usize = 64 * 1024;

impl<S> fmt::Debug for Bound<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bound").field("address", &self.address).finish_non_exhaustive()
    }
}
