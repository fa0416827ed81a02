//! A local stand-in for Median, the platform whose support agent calls `median-edge` endpoints: a development tool, so that
//! an endpoint can be built, tested and shown with no account.
//!
//! It keeps endpoints, syncs their manifests, makes signed calls, holds requests for sign-off, asks a reviewer, lets
//! teammates run tools, files reports and keeps a log: behind an HTTP API, in one `SQLite` file or in memory.
//! `docs/platform.md` states every rule with an id, and the test that proves it.
//!
//! ```
//! use median_edge::MedianKey;
//! use median_edge_platform::domain::NewConversation;
//! use median_edge_platform::{Options, Platform};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let platform = Platform::start(Options::new(MedianKey::local())).await?;
//! let conversation = platform.run(|desk| desk.begin(NewConversation::default(), None)).await?;
//! let turn = platform.run(move |desk| desk.begin_turn(&conversation.id)).await?;
//! assert!(turn.tools.is_empty(), "no endpoint is connected yet");
//! # Ok(())
//! # }
//! ```
//!
//! # How it is built
//!
//! - [`domain`] decides, and does nothing else: commands come in with a time and a source of ids, records and effects come
//!   out. It knows no clock, no network and no database, and the same commands give the same effects.
//! - The store keeps records. One thread owns the database; it runs each command in a savepoint, commits those that wait
//!   together, and only then answers them and lets their effects out. So what was acknowledged is on the disk, and a call is
//!   recorded as executing before it is sent. After a kill at any moment, nothing is sent again: what was on its way is
//!   failed by the hourly check. Records are JSON, beside columns for what they are found by.
//! - The engine carries effects out: signed requests, one connection each and never retried, the [`reviewer`], the webhook;
//!   and wakes up when something is due. Its clock can be moved forward; signatures and time limits stay on the real one.
//! - [`router`] is the API, and [`openapi`] its description. [`Bound`] serves it, on loopback unless told otherwise, and the
//!   console beside it: what a person sees of all this in the browser.
//!
//! # What it is not
//!
//! It is no server for others: there is one organization with one key, whose bearer may do everything. What endpoints and
//! customers say is kept as the text that it is: whoever shows it has to escape it.

// A method of `Desk` by its path is of one lifetime, and a command has to be of any.
#![allow(clippy::redundant_closure_for_method_calls)]

mod api;
mod console;
pub mod domain;
mod engine;
pub mod reviewer;
mod server;
mod store;

#[cfg(test)]
mod tests;

pub use api::{Access, openapi, router};
pub use engine::{Options, Platform, SignedIdentity, SignedVisitor};
pub use server::{Bound, ServeError};
pub use store::{OpenError, Place};
