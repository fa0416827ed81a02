//! What a tool enqueues a job with.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::marker::PhantomData;

use super::{Job, JobMessage, JobQueue, QueueError};
use crate::context::{Context, Extract};
use crate::field::Argument;
use crate::limits::{MAX_JOB_DELAY_SECONDS, MAX_JOB_PAYLOAD_BYTES};
use crate::outcome::{ToolError, ToolResult};

/// The right to enqueue one kind of job, taken as an argument by the tool that has it.
///
/// `#[tool]` declares the job by this argument; a tool that is built by hand declares it with
/// [`ToolBuilder::enqueues`](crate::tool::ToolBuilder::enqueues), and takes this from its context. No tool gets one for a
/// job that it does not declare.
pub struct Enqueue<'c, J> {
    queue: &'c dyn JobQueue,
    tool_call_id: &'c str,
    job: PhantomData<fn(&J)>,
}

impl<J: Job> Enqueue<'_, J> {
    /// Enqueues the job, to run as soon as it can.
    ///
    /// # Errors
    ///
    /// When the payload cannot be written and read as JSON or is over 120,000 bytes, and when the queue does not take it.
    pub async fn enqueue(&self, payload: &J) -> Result<(), EnqueueError> {
        self.enqueue_after(0, payload).await
    }

    /// Enqueues the job, to run in so many seconds: 900 at most.
    ///
    /// # Errors
    ///
    /// When the delay is longer than that, and those of [`Enqueue::enqueue`].
    pub async fn enqueue_after(&self, seconds: u32, payload: &J) -> Result<(), EnqueueError> {
        if seconds > MAX_JOB_DELAY_SECONDS {
            return Err(EnqueueError::DelayTooLong { seconds });
        }
        let payload = written(payload)?;
        let message =
            JobMessage { job: Cow::Borrowed(J::NAME), payload, tool_call_id: self.tool_call_id.to_string() };
        self.queue.enqueue(J::QUEUE, message, seconds).await.map_err(EnqueueError::Queue)
    }
}

/// The payload as JSON that the job can read back: what it could not is found here and not in the queue.
fn written<J: Job>(payload: &J) -> Result<String, EnqueueError> {
    let invalid = |error: serde_json::Error| EnqueueError::InvalidPayload { why: error.to_string() };
    let text = serde_json::to_string(payload).map_err(invalid)?;
    if text.len() > MAX_JOB_PAYLOAD_BYTES {
        return Err(EnqueueError::PayloadTooLarge { bytes: text.len() });
    }
    serde_json::from_str::<J>(&text).map_err(invalid)?;
    Ok(text)
}

impl<J> fmt::Debug for Enqueue<'_, J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Enqueue(…)")
    }
}

impl<J: Job> Argument for Enqueue<'_, J> {
    const ENQUEUES: Option<&'static str> = Some(J::NAME);
}

impl<'c, S, J: Job> Extract<'c, S> for Enqueue<'c, J> {
    fn extract(context: Context<'c, S>) -> ToolResult<Self> {
        let name = J::NAME;
        if !context.tool.handles.contains(&name) {
            let why = format!("the tool took a handle for the job {name}, which it does not declare");
            return Err(ToolError::internal(why));
        }
        let Some(queue) = context.queue else {
            let why = format!("the tool enqueues the job {name}, and this runtime has no queue");
            return Err(ToolError::internal(why));
        };
        Ok(Self { queue, tool_call_id: context.call.id, job: PhantomData })
    }
}

/// Why a job was not enqueued. With `?` the agent reads a neutral message, and the event has the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnqueueError {
    /// The payload cannot be written as JSON, or not be read back from it.
    InvalidPayload {
        /// What serde said.
        why: String,
    },
    /// The payload is over 120,000 bytes as JSON.
    PayloadTooLarge {
        /// How many it has.
        bytes: usize,
    },
    /// The delay is over 900 seconds.
    DelayTooLong {
        /// How long it is.
        seconds: u32,
    },
    /// The queue did not take it.
    Queue(QueueError),
}

impl fmt::Display for EnqueueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidPayload { why } => {
                write!(f, "the job's payload can't be written as JSON and read back: {why}")
            }
            Self::PayloadTooLarge { bytes } => write!(
                f,
                "the job's payload has {bytes} bytes as JSON; {MAX_JOB_PAYLOAD_BYTES} is the most: keep what is large elsewhere, and enqueue where it is"
            ),
            Self::DelayTooLong { seconds } => {
                write!(f, "the job is delayed by {seconds} seconds; {MAX_JOB_DELAY_SECONDS} is the most")
            }
            // The source says it.
            Self::Queue(_) => f.write_str("the job was not enqueued"),
        }
    }
}

impl core::error::Error for EnqueueError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Queue(error) => Some(error),
            _ => None,
        }
    }
}
