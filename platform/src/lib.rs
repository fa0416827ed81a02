//! A local stand-in for the platform.

pub mod domain;
mod store;

#[cfg(test)]
mod tests;
