//! The rules of the platform's side, each by its own test, and random sequences of commands.

mod approvals;
mod calls;
mod conversations;
mod model;
mod reviews;
mod runs;
mod sync;
mod world;
