//! Work that outlives the call which asked for it.
//!
//! A [`Job`] is a payload with a name. A tool that takes an [`Enqueue`] of it can enqueue it, and no other tool can; a
//! function that is registered with [`Jobs`] runs it, later and at least once. Between the two is a [`JobQueue`], which
//! is the runtime's matter.
//!
//! ```
//! # #[cfg(feature = "macros")] {
//! use median_edge::job::{Enqueue, Job, JobCall, Jobs};
//! use median_edge::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! struct Shop;
//!
//! #[derive(Serialize, Deserialize)]
//! struct SendReceipt {
//!     order: String,
//! }
//!
//! impl Job for SendReceipt {
//!     const NAME: &'static str = "send_receipt";
//!     const DESCRIPTION: &'static str = "Send the receipt of an order by mail.";
//!     const QUEUE: &'static str = "mail";
//! }
//!
//! /// Send the customer a receipt once more.
//! #[tool(risk = "medium")]
//! async fn resend_receipt(
//!     /// The order number, like ORD-1042.
//!     order: String,
//!     receipts: Enqueue<'_, SendReceipt>,
//! ) -> ToolResult<()> {
//!     receipts.enqueue(&SendReceipt { order }).await?;
//!     Ok(())
//! }
//!
//! fn jobs() -> Jobs<Shop> {
//!     Jobs::new().handle(async |job: JobCall<'_, Shop, SendReceipt>| -> ToolResult<()> {
//!         println!("mailing the receipt of {} for the call {}", job.payload().order, job.tool_call_id());
//!         Ok(())
//!     })
//! }
//! # assert!(jobs().names().eq(["send_receipt"]));
//! # }
//! ```

mod call;
mod enqueue;
mod message;
mod run;
mod spec;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::limits::{DEFAULT_JOB_RETRIES, DEFAULT_JOB_TIMEOUT_SECONDS};

pub use call::JobCall;
pub use enqueue::{Enqueue, EnqueueError};
pub use message::{JobMessage, JobQueue, QueueError};
pub use run::{JobHandler, Jobs, Verdict};
pub use spec::JobSpec;

/// A payload, and what is the same of every job that carries one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the payload of a job",
    note = "implement `median_edge::job::Job` for it, on a struct that derives `Serialize` and `Deserialize`"
)]
pub trait Job: Serialize + DeserializeOwned + 'static {
    /// The name, in `snake_case`.
    const NAME: &'static str;
    /// What it does.
    const DESCRIPTION: &'static str;
    /// The queue that it waits in: a letter or digit and up to 62 letters, digits, hyphens and underscores.
    const QUEUE: &'static str;
    /// How many times it is tried again after a run that failed. 100 is the most.
    const MAX_RETRIES: u32 = DEFAULT_JOB_RETRIES;
    /// How long one run may take, in seconds, from 1 to 900.
    const TIMEOUT_SECONDS: u32 = DEFAULT_JOB_TIMEOUT_SECONDS;
}
