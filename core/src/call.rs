//! Running what a request asks for: a tool, or the diagnostics.

use alloc::boxed::Box;
use alloc::format;
use core::fmt;

use crate::answer::Answer;
use crate::context::{CallContext, Context, Unopened};
use crate::endpoint::Endpoint;
use crate::error::{Code, Fault};
use crate::input::{Fields, Input};
use crate::limits::DIAGNOSTICS_LIMIT_MS;
use crate::outcome::{IntoOutcome, NEUTRAL_MESSAGE, Outcome, Refusal, RefusalOutcome, Stop};
use crate::platform::Platform;
use crate::risk::Effect;
use crate::run::{self, Ended};
use crate::sendable::{BoxFuture, MaybeSend, MaybeSync};
use crate::tool::{Handler, Tool};

impl<S: MaybeSync + 'static> Endpoint<S> {
    /// One call: its input beside the tool's fields, its limit, and what becomes of it.
    pub(crate) async fn call(
        &self,
        platform: &Platform<'_, S>,
        tool: &Tool<S>,
        input: &Input<'_>,
        call: &CallContext<'_>,
        started_ms: u64,
    ) -> Answer {
        let host = platform.host;
        let mut fields = Fields::new(&tool.fields);
        if let Err(fault) = input.sort_into(&mut fields) {
            return fault.into();
        }
        let limits = [
            Some(self.options.time_limit_ms),
            tool.timeout_seconds.map(|seconds| u64::from(seconds) * 1000),
            host.remaining_ms(),
        ];
        let limit_ms = limits.into_iter().flatten().min().unwrap_or_default();
        let context = Context {
            call,
            tool,
            fields: &fields,
            state: platform.state,
            host,
            queue: platform.queue,
            deadline_ms: started_ms.saturating_add(limit_ms),
        };
        match run::run(host, limit_ms, &mut || tool.start(Unopened::new(context))).await {
            Ended::Done(outcome) | Ended::Stopped(Stop::Ended(outcome)) => Answer::of_call(outcome),
            Ended::Stopped(Stop::InvalidInput(message)) => Fault::new(Code::InvalidInput, message).into(),
            Ended::Panicked(panicked) => panicked.into(),
            Ended::TimedOut => Answer::of_call(timed_out(tool, limit_ms)),
        }
    }

    /// What is attached to a report.
    pub(crate) async fn diagnose(&self, platform: &Platform<'_, S>) -> Answer {
        let Some(diagnostics) = &self.diagnostics else {
            return Fault::new(Code::DiagnosticsUnsupported, "This endpoint collects no diagnostics.").into();
        };
        let limit_ms =
            platform.host.remaining_ms().map_or(DIAGNOSTICS_LIMIT_MS, |ms| ms.min(DIAGNOSTICS_LIMIT_MS));
        match run::run(platform.host, limit_ms, &mut || Ok(diagnostics.start(platform.state))).await {
            Ended::Done(outcome) | Ended::Stopped(Stop::Ended(outcome)) => Answer::of_diagnostics(outcome),
            Ended::Panicked(panicked) => panicked.into(),
            Ended::TimedOut => Fault::new(
                Code::ExecutionFailed,
                format!("The diagnostics did not answer within {limit_ms} milliseconds."),
            )
            .into(),
            Ended::Stopped(Stop::InvalidInput(_)) => {
                Fault::new(Code::ExecutionFailed, NEUTRAL_MESSAGE).into()
            }
        }
    }
}

/// A read that ran out of time has failed; a write may have happened.
fn timed_out<S>(tool: &Tool<S>, limit_ms: u64) -> Outcome {
    let seconds = Seconds(limit_ms);
    match tool.effect() {
        Effect::Read => Outcome::failed(
            format!("The tool did not answer within {seconds} seconds."),
            format!("cut off after {limit_ms} ms"),
        ),
        Effect::Write => Outcome::refused(
            &Refusal::new("timed_out")
                .detail(format!("The tool did not answer within {seconds} seconds. The action may have happened: check before trying again."))
                .outcome(RefusalOutcome::Unknown),
        ),
    }
}

/// Milliseconds, as seconds for a person: `25`, `0.2`. What prints any float is larger than all that is printed with it.
struct Seconds(u64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 1000, self.0 % 1000);
        match rest {
            0 => write!(f, "{whole}"),
            _ if rest % 100 == 0 => write!(f, "{whole}.{}", rest / 100),
            _ if rest % 10 == 0 => write!(f, "{whole}.{:02}", rest / 10),
            _ => write!(f, "{whole}.{rest:03}"),
        }
    }
}

/// Diagnostics, in the shape that everything that runs is brought to.
pub(crate) trait Diagnostics<S>: MaybeSend + MaybeSync {
    fn start<'c>(&'c self, state: &'c S) -> BoxFuture<'c, Outcome>;
}

pub(crate) struct ByFunction<F>(pub(crate) F);

impl<S, F> Diagnostics<S> for ByFunction<F>
where
    S: MaybeSync + 'static,
    F: for<'c> Handler<&'c S> + MaybeSend + MaybeSync + 'static,
{
    fn start<'c>(&'c self, state: &'c S) -> BoxFuture<'c, Outcome> {
        Box::pin(async move { self.0.call(state).await.into_outcome() })
    }
}

#[cfg(test)]
mod tests {
    use super::Seconds;
    use alloc::string::ToString;

    #[test]
    fn a_time_is_told_in_seconds() {
        let told = [25_000, 200, 50, 1_001, 1_250].map(|ms| Seconds(ms).to_string());
        assert_eq!(told, ["25", "0.2", "0.05", "1.001", "1.25"]);
    }
}
