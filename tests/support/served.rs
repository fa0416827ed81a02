//! Servers of the library, inside the test's own process.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use median_edge_local::Server;
use tokio::sync::oneshot;

use crate::Http;

/// A server that runs until it is dropped or stopped.
#[derive(Debug)]
pub struct Served {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    /// Serves an endpoint on a free port.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub fn start<S: Send + Sync + 'static>(server: Server<S>) -> Self {
        Self::run(move |started, stopped| async move {
            let bound = server.bind((Ipv4Addr::LOCALHOST, 0)).await.expect("the server starts");
            let _ = started.send(bound.local_addr());
            bound.run_until(stopped).await;
        })
    }

    /// Serves routes on a free port, by axum's own server.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub fn routes(routes: axum::Router) -> Self {
        Self::run(move |started, stopped| async move {
            let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
            let listener = listener.expect("there is a free port");
            let _ = started.send(listener.local_addr().expect("the listener has an address"));
            let served = axum::serve(listener, routes).with_graceful_shutdown(stopped).await;
            served.expect("axum serves");
        })
    }

    fn run<F: Future<Output = ()>>(
        serve: impl FnOnce(mpsc::Sender<SocketAddr>, Stopped) -> F + Send + 'static,
    ) -> Self {
        let (started, address) = mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
            let stopped: Stopped = Box::pin(async move {
                let _ = stopped.await;
            });
            let runtime = runtime.expect("a runtime can be made");
            runtime.block_on(serve(started, stopped));
            // A tool that blocks its thread is not waited for: the server has ended.
            runtime.shutdown_background();
        });
        let address = address.recv().expect("the server starts");
        Self { address, stop: Some(stop), thread: Some(thread) }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A connection of its own for each request.
    pub fn http(&self) -> Http {
        Http(self.address)
    }

    /// Tells it to stop, and goes on.
    pub fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Tells it to stop, and waits until it has.
    ///
    /// # Panics
    ///
    /// When the server panicked.
    pub fn wait(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server does not panic");
        }
    }
}

type Stopped = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

impl Drop for Served {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            let joined = thread.join();
            assert!(joined.is_ok() || thread::panicking(), "the server panicked");
        }
    }
}
