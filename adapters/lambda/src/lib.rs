//! AWS Lambda for a `median-edge` endpoint: behind a function URL, API Gateway (REST and HTTP), or an Application Load
//! Balancer.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use median_edge::prelude::*;
//!
//! /// Say whether the shop is open.
//! #[tool(risk = "low", effect = "read")]
//! fn is_open() -> ToolResult<bool> {
//!     Ok(true)
//! }
//!
//! fn main() -> ExitCode {
//!     median_edge_lambda::run(Endpoint::builder().tools(tools![is_open]).build(), ())
//! }
//! ```
//!
//! That is a whole function. [`App`] takes a state that is made asynchronously, and the application's own routes. The book's
//! chapter `docs/lambda.md` goes from there to a deployed endpoint.
//!
//! # What it takes care of
//!
//! - **Events** of all four kinds, told apart by what is in them. The body's bytes are those that were sent, in base64 or
//!   as text; where a front loses some, the answer to the signature that no longer holds says so. Header lines that came
//!   twice are seen as such where the front says so, and look it where it joins them with commas. An event that is no HTTP
//!   request is the function's error, so that a queue or a schedule sees it. No event ends the process.
//! - **Deadlines**: a call is cut off 200 milliseconds before AWS would end the invocation, and answered.
//! - **Panics** of a tool end its own call with `execution_failed`. That takes unwinding: write `panic = "unwind"` in
//!   `[profile.release]`, since cargo-lambda builds with `"abort"` where nothing is said, and then a panic ends the process.
//! - **The limit on responses**, 6,291,556 bytes as AWS counts them, or 1 MB behind a load balancer: an answer over it
//!   becomes `execution_failed`, and an error in the log.
//! - **Starts that fail**: nobody sees a function start. An endpoint that cannot be built, a state that cannot be made, a key
//!   that is missing, malformed or the public example is an error in the log of each cold start, and requests are told with
//!   the protocol's 500.
//!
//! # Keys
//!
//! `MEDIAN_KEY`, `MEDIAN_TOOL_SECRET` and their `…_PREVIOUS` are read from the environment. When `MEDIAN_KEY_SECRET_ARN` or
//! `MEDIAN_KEY_PARAMETER` is set, the key is that secret of Secrets Manager, or that parameter of the Parameter Store, which
//! AWS's Parameters and Secrets extension fetches: add its layer. The text is a key, or a JSON object with members of these
//! four names; what it leaves out, the environment may say. Keys are kept for a minute, and fetched anew before that when a
//! signature does not fit them (at most every ten seconds). When they cannot be
//! fetched anew, the old ones stay; when there are none yet, requests are answered with `missing_secret`, and the log says
//! why.
//!
//! # The log
//!
//! One event of `tracing` for each request, with the target `median_edge`. [`App::run`] subscribes what writes each event as
//! one line to standard output: JSON with `timestamp`, `level`, `requestId` and the event's fields, or text when
//! `AWS_LAMBDA_LOG_FORMAT` is `Text`; from `INFO` up, unless `AWS_LAMBDA_LOG_LEVEL` says otherwise. Subscribe something else
//! before that, and everything goes there.
//!
//! # Tools that block
//!
//! A function has one thread, and one invocation at a time. A tool that waits without `.await` cannot be cut off: AWS ends
//! the process when the invocation's time is over. Put that part into `tokio::task::spawn_blocking`. What a tool spawns and
//! does not await stands still when the answer is there, and may never be done.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod answer;
mod app;
mod contain;
mod event;
mod function;
mod host;
mod keys;
mod log;
mod own;
mod percent;
mod state;
#[cfg(test)]
mod tests;

use std::fmt::Display;
use std::process::ExitCode;
use std::rc::Rc;

pub use app::App;
pub use event::EventError;
pub use function::Function;
pub use host::LambdaHost;
pub use http;
pub use median_edge::Endpoint;

/// A variable of the environment, by its name.
type Lookup = Rc<dyn Fn(&str) -> Option<String>>;

/// Unix time in milliseconds. What is counted over several invocations is counted by this: between them AWS stops the
/// environment, and what other clocks say of that time is not promised.
type Clock = Rc<dyn Fn() -> u64>;

/// Runs an endpoint as a Lambda function, with a state that is there already, and keys from the environment: [`App::run`].
pub fn run<S: Send + Sync + 'static>(endpoint: Result<Endpoint<S>, impl Display>, state: S) -> ExitCode {
    App::made(endpoint, state::State::ready(state)).run()
}

/// The examples of the book's chapter, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/lambda.md")]
struct Chapter;
