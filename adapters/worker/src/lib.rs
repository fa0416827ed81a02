//! Cloudflare Workers for a `median-edge` endpoint.
//!
//! ```
//! use std::convert::Infallible;
//!
//! use median_edge::prelude::*;
//! use median_edge_worker::App;
//!
//! /// Say whether the shop is open.
//! #[tool(risk = "low", effect = "read")]
//! fn is_open() -> ToolResult<bool> {
//!     Ok(true)
//! }
//!
//! thread_local! {
//!     static SHOP: App<()> = App::new(|_env| Endpoint::builder().tools(tools![is_open]).build(), |_env| Ok(()));
//! }
//!
//! median_edge_worker::fetch!(SHOP);
//! # fn main() {}
//! ```
//!
//! That is a whole Worker. `MEDIAN_KEY` is read from its secrets. [`App::new`] takes two functions: one that builds the
//! endpoint, once in each isolate, and one that makes the application's state for each request out of the bindings in
//! `env`. A tool never mentions a platform; it may await a binding behind the state's own methods.
//!
//! [`fetch!`] takes the application's own routes too; `handle` is for an `#[event(fetch)]` of your own, which costs one
//! promise more for each request.
//!
//! # The main module
//!
//! Beside the crate's manifest, `main.js`, which `wrangler.toml` names as `main`:
//!
//! ```js
//! import Worker from "./build/index.js";
//! export * from "./build/index.js";
//! export default Worker.prototype.handlers(Worker);
//! ```
//!
//! With it a request goes straight to the endpoint. Without it, with `build/index.js` as `main`, each goes through the class
//! that `worker-build` makes.
//!
//! # Features
//!
//! - `connect`, on by default: a `GET` with the key connects the endpoint to the platform.
//! - `bindings`, on by default: `worker`, with bindings in [`Env`], `handle`, and routes of the application's own. A Worker
//!   that has none of them is 16 KB smaller without, compressed; its `Env` is then good for [`variable`] alone.
//!
//! # What it takes care of
//!
//! - **Requests** are read in one go: the method as it was sent, the path as it was sent, two headers, and the body up
//!   to the endpoint's limit, whatever `Content-Length` says. Header lines of one name come joined by the platform; a
//!   signature that came twice so has two times, and is malformed.
//! - **Secrets** are looked at for each request, and the keys derived again only when one has changed. A missing or
//!   malformed one is the protocol's 500, and an error in the log of each isolate, as is the public example key.
//! - **Panics** of a tool end its own call with `execution_failed`: the trap that a panic ends in is caught at the
//!   boundary, on the stable toolchain. What the panicking call held (memory, locks) is not given back, so the instance is
//!   replaced by a fresh one as soon as no request is in hand. Calls in flight come to their end.
//! - **Clients that go away**: a call that has begun goes on, for as long as the platform lets it (`waitUntil`).
//! - **The log** is one JSON object a line on the console for each request, at the level that it has.
//!
//! # What it leaves to the platform
//!
//! The limits on time, memory, connections and headers. What is no HTTP, or a method that Cloudflare does not know (it
//! answers those with 501), never reaches the endpoint.

mod app;
#[cfg(not(feature = "bindings"))]
mod bare;
mod boundary;
mod entry;
#[cfg(feature = "connect")]
mod fetch;
mod headers;
mod host;
mod keys;
mod log;
#[cfg(feature = "bindings")]
mod own;
mod promise;
mod timer;

#[doc(hidden)]
pub mod __private;

pub use app::App;
#[cfg(not(feature = "bindings"))]
pub use bare::{Env, Error};
#[cfg(feature = "bindings")]
pub use entry::handle;
pub use entry::variable;
pub use host::WorkerHost;
pub use median_edge::Endpoint;
#[cfg(feature = "bindings")]
pub use worker::{self, Env, Error};

/// The examples of the book's chapter, compiled.
#[cfg(all(doctest, feature = "bindings"))]
#[doc = include_str!("../../../docs/workers.md")]
struct Chapter;
