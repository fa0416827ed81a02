//! A job as it waits in a queue, and the queue.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::sendable::{BoxFuture, MaybeSend, MaybeSync};

/// A job as it waits in a queue: JSON wherever a queue wants text.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct JobMessage {
    /// The job's name.
    pub job: Cow<'static, str>,
    /// The payload, as JSON.
    pub payload: String,
    /// The id of the tool call that enqueued it: for the log, and as an idempotency key.
    pub tool_call_id: String,
}

/// Says nothing of the payload: it is customers' data.
impl fmt::Debug for JobMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobMessage")
            .field("job", &self.job)
            .field("tool_call_id", &self.tool_call_id)
            .finish_non_exhaustive()
    }
}

/// Where jobs wait. A runtime implements it; an application does not.
///
/// A queue delivers each message at least once, in any order, maybe in batches, and each message of a batch is settled by
/// itself with the [`Verdict`](super::Verdict) that [`Jobs::run`](super::Jobs::run) gives for it. How this fits:
///
/// | | Cloudflare Queues | Amazon SQS | in-process |
/// |---|---|---|---|
/// | `queue` | the producer's binding | the queue's URL | all in one |
/// | the message | the body, as JSON | the body, as JSON; `job` and `tool_call_id` as attributes too | itself |
/// | `delay_seconds` | `delaySeconds`, up to 86,400 | `DelaySeconds`, up to 900 | a timer |
/// | a batch | up to 100 | up to 10 | one |
/// | which attempt it is | `attempts` | `ApproximateReceiveCount` | counted |
/// | `Done` | `ack()` | left out of `batchItemFailures` | forgotten |
/// | `Retry { after }` | `retry({ delaySeconds })` | in `batchItemFailures`, after `ChangeMessageVisibility` | run again |
/// | `Dead { error }` | `ack()`, and sent to the queue of dead letters | the same | listed |
///
/// The limits are what both can carry: 120,000 bytes of payload (Cloudflare takes 128,000 a message) and 900 seconds of
/// delay.
pub trait JobQueue: MaybeSend + MaybeSync {
    /// Takes a message, to be delivered in so many seconds. Once it says that it has, the message is not lost.
    fn enqueue<'a>(
        &'a self,
        queue: &'a str,
        message: JobMessage,
        delay_seconds: u32,
    ) -> BoxFuture<'a, Result<(), QueueError>>;
}

/// Why a queue does not take a message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueueError {
    /// As many wait as it holds.
    Full,
    /// It is ending and takes no more.
    Closed,
    /// It did not answer as it should; what it said.
    Failed(String),
}

impl fmt::Display for QueueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str("the queue is full: as many jobs wait as it holds"),
            Self::Closed => f.write_str("the queue is closed: the process is ending"),
            Self::Failed(why) => write!(f, "the queue failed: {why}"),
        }
    }
}

impl core::error::Error for QueueError {}
