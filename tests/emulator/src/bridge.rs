//! HTTP on one side, events on the other.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::response::Response;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::event::{Encoding, Incoming, function_url};
use crate::pool::Pool;
use crate::{Function, Raw, answer};

/// How large an event may be, in bytes: Lambda's own limit, which the emulator would cut it at.
const EVENT_LIMIT: usize = 6 * 1024 * 1024;

/// A function behind HTTP, until it is dropped.
#[derive(Debug)]
pub struct Bridge {
    // The first to go: the pool goes with the last of its tasks.
    runtime: Option<Runtime>,
    pool: Arc<Pool>,
    address: SocketAddr,
}

impl Bridge {
    /// Serves a function on a port of 127.0.0.1, with at most so many emulators at a time; 0 takes a port that is free.
    ///
    /// # Errors
    ///
    /// When the port is taken, or there is no runtime for it.
    pub fn start(function: Function, port: u16, most: usize) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let pool = Arc::new(Pool::new(function, most));
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, port)))?;
        let address = listener.local_addr()?;
        let routes = Router::new().fallback(serve).with_state(Arc::clone(&pool));
        let routes = routes.into_make_service_with_connect_info::<SocketAddr>();
        runtime.spawn(async move { axum::serve(listener, routes).await });
        Ok(Self { runtime: Some(runtime), pool, address })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Posts an event of any kind, and waits for what comes back.
    ///
    /// # Errors
    ///
    /// When no emulator starts, or it does not answer.
    pub fn invoke(&self, event: Vec<u8>) -> io::Result<Raw> {
        self.runtime().block_on(self.pool.invoke(event))
    }

    /// The process ids of the shells that keep the emulators that are idle.
    pub fn ids(&self) -> Vec<u32> {
        self.pool.ids()
    }

    /// Waits for a signal to end.
    ///
    /// # Errors
    ///
    /// When signals can't be waited for.
    pub fn until_told(&self) -> io::Result<()> {
        self.runtime().block_on(async {
            #[cfg(unix)]
            {
                use tokio::signal::unix::{SignalKind, signal};
                let mut terminate = signal(SignalKind::terminate())?;
                tokio::select! {
                    told = tokio::signal::ctrl_c() => told,
                    _ = terminate.recv() => Ok(()),
                }
            }
            #[cfg(not(unix))]
            tokio::signal::ctrl_c().await
        })
    }

    fn runtime(&self) -> &Runtime {
        self.runtime.as_ref().expect("the runtime is there until the bridge is dropped")
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        // An event in hand is not waited for.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn serve(
    State(pool): State<Arc<Pool>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
) -> Response {
    let event = match incoming(request, peer).await {
        Ok(request) => function_url(&request, Encoding::ByType),
        Err(status) => return refused(status),
    };
    if event.len() > EVENT_LIMIT {
        return refused(413);
    }
    // The event goes on when its client goes away.
    let raw = tokio::spawn(async move { pool.invoke(event).await }).await;
    match raw.map_err(io::Error::other).flatten() {
        Ok(raw) => match answer::read(&raw) {
            Ok(answer) => shaped(answer).unwrap_or_else(|| refused(502)),
            Err(failure) => {
                eprintln!("{failure}");
                refused(failure.status())
            }
        },
        Err(error) => {
            eprintln!("the emulator does not answer: {error}");
            refused(502)
        }
    }
}

/// The request, or the status of why there is none.
async fn incoming(request: Request, peer: SocketAddr) -> Result<Incoming, u16> {
    let (head, body) = request.into_parts();
    let body = match Limited::new(body, EVENT_LIMIT).collect().await {
        Ok(body) => body.to_bytes().to_vec(),
        Err(error) if error.is::<LengthLimitError>() => return Err(413),
        Err(_) => return Err(400),
    };
    let headers = head.headers.iter();
    Ok(Incoming {
        method: head.method.as_str().to_owned(),
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        headers: headers.map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec())).collect(),
        body,
        source_ip: peer.ip().to_string(),
    })
}

/// Nothing when HTTP has no such answer.
fn shaped(answer: answer::Answer) -> Option<Response> {
    let mut response = Response::builder().status(answer.status);
    for (name, value) in answer.headers {
        response = response.header(name, value);
    }
    response.body(Body::from(answer.body)).ok()
}

/// What a function URL says when it has nothing of the function's to say.
fn refused(status: u16) -> Response {
    let message = match status {
        413 => r#"{"Message":"The request or the answer is larger than Lambda carries."}"#,
        400 => r#"{"Message":"The request ended before its end."}"#,
        _ => r#"{"Message":"Internal Server Error"}"#,
    };
    let response = Response::builder().status(status).header("content-type", "application/json");
    response.body(Body::from(message)).unwrap_or_default()
}
