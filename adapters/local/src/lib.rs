//! A plain HTTP server for a `median-edge` endpoint: for development, and for self-hosting behind a reverse proxy.
//!
//! ```no_run
//! use median_edge::prelude::*;
//!
//! /// Say whether the shop is open.
//! #[tool(risk = "low", effect = "read")]
//! fn is_open() -> ToolResult<bool> {
//!     Ok(true)
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     // MEDIAN_KEY is read from the environment. SIGINT and SIGTERM end it, once the calls in flight are done.
//!     let endpoint = Endpoint::builder().tools(tools![is_open]).build()?;
//!     median_edge_local::serve(endpoint, (), "127.0.0.1:8787").await?;
//!     Ok(())
//! }
//! ```
//!
//! [`Server`] has the options, and takes an [`axum::Router`] for your application's own routes. The other way round,
//! [`router`] gives the endpoint as routes for an axum application that you serve yourself.
//!
//! # What it takes care of
//!
//! - It does not start when the key is missing or malformed, nor with the public example key on an address that
//!   others can reach: see [`StartError`].
//! - A call keeps running when its client goes away, so a write is never cut in the middle; its event is still
//!   logged. A tool that panics ends its own call and nothing else.
//! - Bodies, headers, connections and calls all have limits, in bytes, in number and in time: see [`Server`]. Whoever
//!   takes room and does nothing with it gives way to whoever does.
//! - With the public example key it answers only requests that name this machine as their host: see [`Server::keys`].
//! - One line is logged for each request: text on a terminal, JSON anywhere else. See [`LogFormat`].
//!
//! # Jobs
//!
//! [`Server::jobs`] takes the functions that run what tools enqueue, and runs them in this process: with retries, a limit of
//! time each, and a list of what died. It is a queue in memory, for development and for work that may be lost. See
//! [`LocalQueue`].
//!
//! # Tools that block
//!
//! A tool that waits for something without `.await` (a database driver that is not async, `std::thread::sleep`, a long
//! computation) keeps its thread. Put that part into `tokio::task::spawn_blocking`. On a runtime with several threads, as
//! `#[tokio::main]` makes it, one that does not keeps no other request waiting, but cannot be cut off at its deadline; on
//! a runtime with one thread, nothing else is answered meanwhile. What it cannot do is outlast a signal: see
//! [`Bound::serve`].
//!
//! # What it leaves to others
//!
//! It speaks HTTP/1.1 without TLS, which is what a reverse proxy in front of it expects. What is not HTTP at all never
//! reaches the endpoint: such a request is answered by hyper, with an empty 400 or 431.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod app;
mod body;
mod bound;
mod error;
mod host;
mod log;
mod queue;
mod server;
mod signal;
mod stream;
mod waiting;
mod writer;

pub use app::router;
pub use bound::Bound;
pub use error::StartError;
pub use host::LocalHost;
pub use log::LogFormat;
pub use queue::{DeadLetter, LocalQueue};
pub use server::Server;

use median_edge::Endpoint;
use tokio::net::ToSocketAddrs;

/// Serves an endpoint at an address until SIGINT or SIGTERM, with keys from the environment and every option as it is.
///
/// # Errors
///
/// When the server cannot start: [`StartError`] says why, and what to do.
pub async fn serve<S: Send + Sync + 'static>(
    endpoint: Endpoint<S>,
    state: S,
    address: impl ToSocketAddrs,
) -> Result<(), StartError> {
    Server::new(endpoint, state).bind(address).await?.serve().await
}
