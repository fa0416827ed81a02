//! An answer on its way out, with what its event says of it.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::error::{Code, Fault};
use crate::event::{Asked, Ending, Event, Warning};
use crate::host::Panicked;
use crate::http::Response;
use crate::outcome::{Kind, NEUTRAL_MESSAGE, Outcome};
use crate::warn;

/// An answer, with what the event says of it.
pub(crate) struct Answer {
    pub(crate) response: Response,
    ending: Ending,
    fault: Option<Fault>,
    /// For the event only.
    pub(crate) detail: Option<String>,
    reason: Option<Cow<'static, str>>,
    warnings: Vec<Warning>,
}

impl Answer {
    pub(crate) fn of_call(outcome: Outcome) -> Self {
        Self::of(outcome, warn::of_result)
    }

    pub(crate) fn of_diagnostics(outcome: Outcome) -> Self {
        Self::of(outcome, |result, _| warn::of_diagnostics(result))
    }

    fn of(outcome: Outcome, warnings: impl FnOnce(&str, bool) -> Vec<Warning>) -> Self {
        match outcome.0 {
            Kind::Result { body, directives } => {
                let warnings = warnings(warn::result_of(&body), directives);
                Self { warnings, ..Self::new(Ending::Result, Response::ok(body)) }
            }
            Kind::Refused { body, reason } => {
                Self { reason: Some(reason), ..Self::new(Ending::Refused, Response::ok(body)) }
            }
            Kind::Failed { message, detail } => {
                Self { detail, ..Fault::new(Code::ExecutionFailed, message).into() }
            }
        }
    }

    pub(crate) fn new(ending: Ending, response: Response) -> Self {
        Self { response, ending, fault: None, detail: None, reason: None, warnings: Vec::new() }
    }

    /// The same answer, of a route that is there for `GET` alone.
    pub(crate) fn of_get_alone(self) -> Self {
        Self { response: self.response.of_get_alone(), ..self }
    }

    /// What the answer itself says of the request.
    pub(crate) fn event(&self) -> Event<'_> {
        Event {
            asked: Asked::Nothing,
            ending: self.ending,
            status: self.response.status(),
            code: self.fault.as_ref().map(Fault::code),
            tool: None,
            tool_call_id: None,
            conversation_id: None,
            risk: None,
            effect: None,
            scopes: &[],
            visitor_verified: None,
            approved_by: None,
            reason: self.reason.as_deref(),
            message: self.fault.as_ref().map(Fault::message),
            detail: self.detail.as_deref(),
            previous_key: false,
            warnings: &self.warnings,
            duration_ms: 0,
            request_bytes: None,
            response_bytes: self.response.body().len(),
            input: None,
            result: None,
        }
    }
}

impl From<Fault> for Answer {
    fn from(fault: Fault) -> Self {
        let answer = Self::new(Ending::Error, Response::from(&fault));
        Self { fault: Some(fault), ..answer }
    }
}

impl From<Panicked> for Answer {
    fn from(panicked: Panicked) -> Self {
        let detail = format!("panicked: {}", panicked.0);
        Self { detail: Some(detail), ..Fault::new(Code::ExecutionFailed, NEUTRAL_MESSAGE).into() }
    }
}
