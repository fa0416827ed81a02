//! Work that outlives the call which asked for it.

mod spec;

pub use spec::JobSpec;
