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
use tokio::time::sleep;

use crate::app::{App, infallible};
use crate::error::StartError;
use crate::server::Limits;
use crate::signal::Signals;
use crate::stream::{Progress, Timed};

/// A server that listens. Connections wait until it is served.
#[must_use = "requests are answered while the server is served"]
pub struct Bound<S> {
    app: Arc<App<S>>,
    listener: TcpListener,
    address: SocketAddr,
    limits: Limits,
}

impl<S: Send + Sync + 'static> Bound<S> {
    pub(crate) fn new(app: App<S>, listener: TcpListener, address: SocketAddr, limits: Limits) -> Self {
        Self { app: Arc::new(app), listener, address, limits }
    }

    /// The address it listens at, with the port that it has got.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
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
    /// # Errors
    ///
    /// When the signals cannot be listened for.
    pub async fn serve(self) -> Result<(), StartError> {
        let mut first = Signals::listen().map_err(StartError::Signals)?;
        let mut second = Signals::listen().map_err(StartError::Signals)?;
        let app = Arc::clone(&self.app);
        let again = async {
            second.next().await;
            second.next().await;
        };
        tokio::select! {
            () = self.run_until(async { first.next().await }) => {}
            () = again => app.host.note(Level::Warn, "stopped at once by a second signal"),
        }
        Ok(())
    }

    /// Serves until a future is ready: then no more connections are taken, and the calls in flight come to their end, up
    /// to the shutdown limit. What still runs after that is cut off when the runtime ends.
    pub async fn run_until(self, shutdown: impl Future<Output = ()>) {
        let host = Arc::clone(&self.app.host);
        host.note(Level::Info, &format!("listening at {}", self.url()));
        let places = Arc::new(Semaphore::new(self.limits.connections));
        let (stop, stopped) = watch::channel(());
        let mut connections = JoinSet::new();
        let mut shutdown = pin!(shutdown);
        loop {
            let (place, stream) = tokio::select! {
                biased;
                () = &mut shutdown => break,
                next = self.next(&places) => next,
            };
            connections.spawn(connection(
                Arc::clone(&self.app),
                stream,
                self.limits.clone(),
                stopped.clone(),
                place,
            ));
            // What has ended is forgotten.
            while connections.try_join_next().is_some() {}
        }

        let Self { listener, limits, .. } = self;
        drop(listener);
        host.note(Level::Info, "stopping: calls in flight come to their end");
        let _ = stop.send(());
        // A connection ends after its call does, even when its client has gone.
        let all_done = async { while connections.join_next().await.is_some() {} };
        if tokio::time::timeout(limits.shutdown_time, all_done).await.is_err() {
            let message = format!("stopped with work in flight, after {:?}", limits.shutdown_time);
            host.note(Level::Error, &message);
        }
    }

    /// Waits for a place and a connection to fill it. What goes wrong with accepting one does not end the server.
    async fn next(&self, places: &Arc<Semaphore>) -> (Option<OwnedSemaphorePermit>, TcpStream) {
        // The semaphore is never closed.
        let place = Arc::clone(places).acquire_owned().await.ok();
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => return (place, stream),
                Err(error) if is_of_the_connection(&error) => {}
                Err(error) => {
                    // Out of file descriptors, most likely: connections that end give some back.
                    self.app.host.note(Level::Error, &format!("no connection can be accepted: {error}"));
                    sleep(Duration::from_millis(500)).await;
                }
            }
        }
    }
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
    _place: Option<OwnedSemaphorePermit>,
) {
    // Answers are small and go out whole: nothing is gained by waiting for more.
    let _ = stream.set_nodelay(true);
    let progress = Arc::new(Progress::default());
    let stream = Timed::new(stream, Arc::clone(&progress), limits.header_time, limits.write_time);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let in_hand = progress.begin();
        let answer = Arc::clone(&app).answer(request.map(Body::new));
        async move {
            let answered = infallible(answer).await;
            drop(in_hand);
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
