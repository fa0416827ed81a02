//! What a request costs, beside the least that it could cost.

pub mod cases;
mod measure;

pub use measure::{Pair, pair};
