//! A job as an application declares it.

use alloc::borrow::Cow;

use super::Job;
use crate::limits::{DEFAULT_JOB_RETRIES, DEFAULT_JOB_TIMEOUT_SECONDS};
use crate::schema::SchemaJson;

/// A job as an application declares it: its name, what it does, the queue that it waits in, and how often and how long it
/// is tried.
#[derive(Clone, Debug)]
pub struct JobSpec {
    name: Cow<'static, str>,
    description: Cow<'static, str>,
    queue: Cow<'static, str>,
    pub(crate) max_retries: u32,
    pub(crate) timeout_seconds: u32,
    pub(crate) payload: Option<SchemaJson>,
}

impl JobSpec {
    /// A job: its name in `snake_case`, what it does, and its queue. It is retried 3 times and may run for 30 seconds each
    /// time.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        queue: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            queue: queue.into(),
            max_retries: DEFAULT_JOB_RETRIES,
            timeout_seconds: DEFAULT_JOB_TIMEOUT_SECONDS,
            payload: None,
        }
    }

    /// A job by its type, without its payload's schema.
    pub fn of<J: Job>() -> Self {
        Self::new(J::NAME, J::DESCRIPTION, J::QUEUE).max_retries(J::MAX_RETRIES).timeout(J::TIMEOUT_SECONDS)
    }

    /// A job by its type, with its payload's schema.
    #[cfg(feature = "application-manifest")]
    #[cfg_attr(docsrs, doc(cfg(feature = "application-manifest")))]
    pub fn described<J: Job + schemars::JsonSchema>() -> Self {
        Self::of::<J>().payload::<J>()
    }

    /// How many times it is tried again after a run that failed. 100 is the most.
    #[must_use]
    pub fn max_retries(mut self, times: u32) -> Self {
        self.max_retries = times;
        self
    }

    /// How long one run may take, in seconds, from 1 to 900.
    #[must_use]
    pub fn timeout(mut self, seconds: u32) -> Self {
        self.timeout_seconds = seconds;
        self
    }

    /// Says by hand what its payload is.
    #[must_use]
    pub fn payload_schema(mut self, schema: impl Into<SchemaJson>) -> Self {
        self.payload = Some(schema.into());
        self
    }

    /// Says by its type what its payload is.
    #[cfg(feature = "application-manifest")]
    #[cfg_attr(docsrs, doc(cfg(feature = "application-manifest")))]
    #[must_use]
    pub fn payload<P: schemars::JsonSchema>(self) -> Self {
        self.payload_schema(SchemaJson::read::<P>())
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it does.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The queue that it waits in.
    pub fn queue(&self) -> &str {
        &self.queue
    }
}
