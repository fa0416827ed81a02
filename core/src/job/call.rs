//! What a job's function receives.

use core::fmt;

/// One run of a job: its payload, and what it works with.
pub struct JobCall<'c, S, J> {
    pub(super) payload: J,
    pub(super) state: &'c S,
    pub(super) tool_call_id: &'c str,
    pub(super) attempt: u32,
}

impl<'c, S, J> JobCall<'c, S, J> {
    /// The payload.
    pub fn payload(&self) -> &J {
        &self.payload
    }

    /// The payload, to keep.
    pub fn into_payload(self) -> J {
        self.payload
    }

    /// The application's own state.
    pub fn state(&self) -> &'c S {
        self.state
    }

    /// The id of the tool call that enqueued it. A job may run more than once, after a run that went well too: use this as
    /// the idempotency key of whatever you write to.
    pub fn tool_call_id(&self) -> &'c str {
        self.tool_call_id
    }

    /// Which run it is: 1 for the first.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }
}

/// Says nothing of the payload.
impl<S, J> fmt::Debug for JobCall<'_, S, J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobCall")
            .field("tool_call_id", &self.tool_call_id)
            .field("attempt", &self.attempt)
            .finish_non_exhaustive()
    }
}
