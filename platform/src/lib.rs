//! A local stand-in for the platform.

pub mod domain;
mod engine;
pub mod reviewer;
mod store;

#[cfg(test)]
mod tests;

pub use engine::{Options, Platform, SignedIdentity, SignedVisitor};
pub use store::{OpenError, Place};
