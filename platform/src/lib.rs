//! A local stand-in for the platform.

mod api;
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
