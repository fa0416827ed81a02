//! A Lambda function under AWS's own emulator (`aws-lambda-rie`), behind HTTP as it is behind a function URL.
//!
//! The emulator takes events and nothing else. [`Bridge`] stands before it: a request becomes an [event](mod@event), and
//! what the function answers becomes an HTTP [answer](mod@answer). `cargo xtask serve lambda` and the tests use the very
//! same one; a test also posts events of its own.
//!
//! The emulator has one event in hand at a time, as each of Lambda's own environments does, and ends with an error when it
//! gets two. So each request has an emulator to itself: one that is idle, a new one, or the next that is done.

pub mod answer;
mod bridge;
mod emulator;
pub mod event;
mod log;
mod pool;

pub use bridge::Bridge;
pub use emulator::{Emulator, Function, Raw};
pub use log::Log;
