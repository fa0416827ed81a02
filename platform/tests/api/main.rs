//! The scenarios of the stand-in, through its API, against endpoints that really answer.

mod approvals;
mod calls;
mod door;
mod endpoints;
mod reviewer;
mod support;
mod team;
mod time;
