//! Running a job that a queue delivers, and what becomes of it then.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::time::Duration;

use super::{Job, JobCall, JobMessage};
use crate::config::{ConfigError, Problem};
use crate::host::Host;
use crate::limits::{MAX_JOB_DELAY_SECONDS, MAX_JOB_RETRIES, MAX_JOB_TIMEOUT_SECONDS};
use crate::outcome::{IntoOutcome, Kind, Stop};
use crate::run::{self, Ended};
use crate::sendable::{MaybeSend, MaybeSync};
use crate::text::Quoted;
use crate::tool::{Handler, Started};

/// The functions that run jobs, one for each kind.
pub struct Jobs<S>(Vec<Entry<S>>);

struct Entry<S> {
    name: &'static str,
    max_retries: u32,
    timeout_seconds: u32,
    run: Box<dyn Run<S>>,
}

/// What becomes of a message after a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It went well: the message is forgotten.
    Done,
    /// It failed, and is tried again after a pause.
    Retry {
        /// The pause: 900 seconds at most.
        after: Duration,
        /// What went wrong, for the log.
        error: String,
    },
    /// It failed for the last time: the message goes where people can look at it.
    Dead {
        /// What went wrong, for the log.
        error: String,
    },
}

/// An `async` function of one run of a job: it takes a [`JobCall`], and returns what a tool may return.
///
/// An error is tried again. A [`Refusal`](crate::Refusal) is final: the job says that another run would change nothing.
pub trait JobHandler<S, J>: for<'c> Handler<JobCall<'c, S, J>> + MaybeSend + MaybeSync + 'static {}

#[diagnostic::do_not_recommend]
impl<S: 'static, J, F> JobHandler<S, J> for F where
    F: for<'c> Handler<JobCall<'c, S, J>> + MaybeSend + MaybeSync + 'static
{
}

impl<S: MaybeSync + 'static> Jobs<S> {
    /// No jobs yet.
    pub fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds the function that runs a kind of job.
    #[must_use]
    pub fn handle<J, F>(mut self, function: F) -> Self
    where
        J: Job + MaybeSend,
        F: JobHandler<S, J>,
    {
        self.0.push(Entry {
            name: J::NAME,
            max_retries: J::MAX_RETRIES,
            timeout_seconds: J::TIMEOUT_SECONDS,
            run: Box::new(ByHandler(function, PhantomData::<fn() -> J>)),
        });
        self
    }

    /// The names of the jobs that can be run.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|entry| entry.name)
    }

    /// For adapters, at their start: whether each job can be run as it says.
    ///
    /// # Errors
    ///
    /// Each job that two functions run, and each whose retries or timeout are out of range.
    pub fn check(&self) -> Result<(), ConfigError> {
        let mut problems = Vec::new();
        for (at, Entry { name, max_retries, timeout_seconds, .. }) in self.0.iter().enumerate() {
            let mut add = |why: String| {
                problems.push(Problem::of_endpoint(format!("job {}: {why}", Quoted(name))));
            };
            if self.0[..at].iter().any(|other| other.name == *name) {
                add("more than one function runs it".into());
            }
            if *max_retries > MAX_JOB_RETRIES {
                add(format!("it is retried {max_retries} times; {MAX_JOB_RETRIES} is the most"));
            }
            if !(1..=MAX_JOB_TIMEOUT_SECONDS).contains(timeout_seconds) {
                add(format!(
                    "the timeout is {timeout_seconds} seconds; it must be from 1 to {MAX_JOB_TIMEOUT_SECONDS}"
                ));
            }
        }
        ConfigError::of(problems)
    }

    /// Runs a message once, within its timeout. `attempt` is 1 for the first time that it is delivered. A panic in the
    /// job's code is a run that failed, where the host can contain one.
    pub async fn run(&self, host: &dyn Host, state: &S, message: &JobMessage, attempt: u32) -> Verdict {
        let Some(entry) = self.0.iter().find(|entry| entry.name == message.job) else {
            let error = format!("nothing here runs the job {}", Quoted(&message.job));
            return Verdict::Dead { error };
        };
        let limit_ms = u64::from(entry.timeout_seconds) * 1000;
        let ended = run::run(host, limit_ms, &mut || entry.run.start(state, message, attempt)).await;
        let error = match ended {
            Ended::Done(outcome) | Ended::Stopped(Stop::Ended(outcome)) => match outcome.0 {
                Kind::Result { .. } => return Verdict::Done,
                Kind::Refused { reason, .. } => return Verdict::Dead { error: format!("refused: {reason}") },
                Kind::Failed { message, detail } => detail.unwrap_or_else(|| message.into_owned()),
            },
            Ended::Stopped(Stop::InvalidInput(why)) => return Verdict::Dead { error: why },
            Ended::Panicked(panicked) => format!("panicked: {}", panicked.0),
            Ended::TimedOut => format!("cut off after {} seconds", entry.timeout_seconds),
        };
        if attempt > entry.max_retries {
            return Verdict::Dead { error };
        }
        Verdict::Retry { after: pause(host, attempt), error }
    }
}

/// The pause after a run: twice as long each time, from a second on, up to what every queue can delay. Half of it is up to
/// chance, so that jobs which failed together are not tried again together.
fn pause(host: &dyn Host, attempt: u32) -> Duration {
    let whole_ms =
        (1_000_u64 << attempt.saturating_sub(1).min(10)).min(u64::from(MAX_JOB_DELAY_SECONDS) * 1_000);
    let mut chance = [0; 4];
    if host.random(&mut chance).is_err() {
        return Duration::from_millis(whole_ms);
    }
    let half_ms = whole_ms / 2;
    Duration::from_millis(half_ms + u64::from(u32::from_le_bytes(chance)) % (half_ms + 1))
}

impl<S: MaybeSync + 'static> Default for Jobs<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> fmt::Debug for Jobs<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|entry| entry.name)).finish()
    }
}

trait Run<S>: MaybeSend + MaybeSync {
    fn start<'c>(&'c self, state: &'c S, message: &'c JobMessage, attempt: u32) -> Started<'c>;
}

struct ByHandler<F, J>(F, PhantomData<fn() -> J>);

impl<S, J, F> Run<S> for ByHandler<F, J>
where
    S: MaybeSync + 'static,
    J: Job + MaybeSend,
    F: JobHandler<S, J>,
{
    fn start<'c>(&'c self, state: &'c S, message: &'c JobMessage, attempt: u32) -> Started<'c> {
        let payload: J = serde_json::from_str(&message.payload).map_err(|error| {
            // It would not be read the next time either.
            Stop::InvalidInput(format!("the payload can't be read: {error}"))
        })?;
        let call = JobCall { payload, state, tool_call_id: &message.tool_call_id, attempt };
        Ok(Box::pin(async move { self.0.call(call).await.into_outcome() }))
    }
}
