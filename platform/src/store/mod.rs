//! Where everything is kept: one `SQLite` database, in a file or in memory.
//!
//! Each kind of record has a table with what it is found by in columns, and the record itself as JSON. One thread owns the
//! connection. It takes the commands that wait, runs each in a savepoint of its own, commits them together, and only then
//! answers them and lets their effects out: what was acknowledged is on the disk, and a call is on the disk as executing
//! before it is sent.

mod open;
mod records;
mod thread;

pub(crate) use open::open;
pub use open::{OpenError, Place};
#[cfg(test)]
pub(crate) use records::SqlRecords;
pub(crate) use thread::{Outlet, Store, real_ms};
