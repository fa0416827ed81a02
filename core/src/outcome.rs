//! What a tool answers: a value, a refusal, or an error.
//!
//! The agent reads all three. A *value* is data. A *refusal* is the tool's own no, in a code and a line, and the agent
//! does not retry. An *error* says that the tool failed; what the agent reads of it is a message that somebody wrote for
//! it, never the text of a foreign error: that goes to the event, for the people who run the endpoint.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde::Serialize;

use crate::text::{LINE_ENDS, chain, is_blank, list};
use crate::warn;

/// What a tool returns.
pub type ToolResult<T> = Result<T, ToolError>;

/// What the agent reads of an error that nobody wrote a message for.
pub const NEUTRAL_MESSAGE: &str =
    "The tool failed because of an internal error. Its details are in the application's own log.";

/// The reason of a refusal that was given none.
pub const DEFAULT_REASON: &str = "tool_refused";

/// Whether a refused action happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RefusalOutcome {
    /// It did not happen, and will not.
    Blocked,
    /// It may have happened: the agent is told to check before it tries again.
    Unknown,
}

/// A tool's own no: a short code, and one line that the agent can use.
///
/// ```
/// # use median_edge::prelude::*;
/// fn find(number: &str) -> ToolResult<&'static str> {
///     match number {
///         "ORD-1042" => Ok("shipped"),
///         _ => Err(Refusal::new("no_such_order").detail("That order is not on this account.").into()),
///     }
/// }
/// # assert!(find("x").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    reason: Cow<'static, str>,
    detail: Option<Cow<'static, str>>,
    outcome: Option<RefusalOutcome>,
}

impl Refusal {
    /// A refusal with its reason: a short code, like `no_such_order`. A blank one becomes `tool_refused`.
    pub fn new(reason: impl Into<Cow<'static, str>>) -> Self {
        let reason = one_line(reason.into());
        let reason = if is_blank(&reason) { Cow::Borrowed(DEFAULT_REASON) } else { reason };
        Self { reason, detail: None, outcome: None }
    }

    /// One line that the agent can use. Line breaks become spaces.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<Cow<'static, str>>) -> Self {
        self.detail = Some(one_line(detail.into()));
        self
    }

    /// Says whether the action happened.
    #[must_use]
    pub fn outcome(mut self, outcome: RefusalOutcome) -> Self {
        self.outcome = Some(outcome);
        self
    }

    /// The short code.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl Serialize for Refusal {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Wire<'a> {
            ok: bool,
            reason: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            detail: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            outcome: Option<RefusalOutcome>,
        }
        Wire { ok: false, reason: &self.reason, detail: self.detail.as_deref(), outcome: self.outcome }
            .serialize(serializer)
    }
}

fn one_line(text: Cow<'static, str>) -> Cow<'static, str> {
    if !text.contains(LINE_ENDS) {
        return text;
    }
    Cow::Owned(list(" ", text.split(LINE_ENDS).filter(|line| !line.is_empty())))
}

/// Why a tool gave no value: it refused, or it failed.
///
/// Any error converts into one with `?`: the agent then reads [`NEUTRAL_MESSAGE`], and the error's own text, with its
/// sources, goes to the event. It is not an `Error` itself, which is what lets every error convert.
#[derive(Clone, Debug)]
pub struct ToolError(Why);

#[derive(Clone, Debug)]
enum Why {
    Refused(Refusal),
    Failed { message: Cow<'static, str>, detail: Option<String> },
}

impl ToolError {
    /// A failure with a message for the agent to read. Write nothing into it that the customer must not hear.
    pub fn public(message: impl Into<Cow<'static, str>>) -> Self {
        Self(Why::Failed { message: message.into(), detail: None })
    }

    /// A failure whose reason is for the log only: the agent reads [`NEUTRAL_MESSAGE`].
    ///
    /// For what is no `Error`, like `Box<dyn Error>` and `anyhow::Error`: `.map_err(ToolError::internal)?`. An `Error`
    /// converts by itself.
    pub fn internal(detail: impl fmt::Display) -> Self {
        let message = Cow::Borrowed(NEUTRAL_MESSAGE);
        Self(Why::Failed { message, detail: Some(detail.to_string()) })
    }

    /// Adds what the log should have beside the message. A refusal has no use for it and stays as it is.
    #[must_use]
    pub fn with_detail(self, detail: impl fmt::Display) -> Self {
        match self.0 {
            Why::Failed { message, .. } => Self(Why::Failed { message, detail: Some(detail.to_string()) }),
            Why::Refused(_) => self,
        }
    }

    /// The refusal, when it is one.
    pub fn refusal(&self) -> Option<&Refusal> {
        match &self.0 {
            Why::Refused(refusal) => Some(refusal),
            Why::Failed { .. } => None,
        }
    }

    /// What the agent reads of a failure. A refusal has no message.
    pub fn message(&self) -> Option<&str> {
        match &self.0 {
            Why::Failed { message, .. } => Some(message),
            Why::Refused(_) => None,
        }
    }

    /// All that there is to say of it, for the log.
    pub(crate) fn into_detail(self) -> String {
        match self.0 {
            Why::Refused(refusal) => format!("refused: {}", refusal.reason),
            Why::Failed { message, detail } => detail.unwrap_or_else(|| message.into_owned()),
        }
    }

    pub(crate) fn into_outcome(self) -> Outcome {
        match self.0 {
            Why::Refused(refusal) => Outcome::refused(&refusal),
            Why::Failed { message, detail } => Outcome(Kind::Failed { message, detail }),
        }
    }
}

impl From<Refusal> for ToolError {
    fn from(refusal: Refusal) -> Self {
        Self(Why::Refused(refusal))
    }
}

impl<E: core::error::Error> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self::internal(chain(&error))
    }
}

/// How a call ended, in the form that it is answered in.
#[derive(Debug)]
pub struct Outcome(pub(crate) Kind);

#[derive(Debug)]
pub(crate) enum Kind {
    /// The whole body, `{"result":…}`.
    Result { body: Vec<u8>, directives: bool },
    /// The whole body, and the reason for the event.
    Refused { body: Vec<u8>, reason: Cow<'static, str> },
    /// The agent reads the message, the log has the detail.
    Failed { message: Cow<'static, str>, detail: Option<String> },
}

/// What comes before a result in a body; `}` comes after it.
pub(crate) const BEFORE_RESULT: &[u8] = br#"{"result":"#;

/// Writes the body around a result in one go.
fn body<T: Serialize + ?Sized>(result: &T) -> Result<Vec<u8>, serde_json::Error> {
    #[derive(Serialize)]
    struct Body<'a, T: ?Sized> {
        result: &'a T,
    }
    serde_json::to_vec(&Body { result })
}

impl Outcome {
    /// A value.
    pub(crate) fn value<T: Serialize + ?Sized>(value: &T, directives: bool) -> Self {
        match body(value) {
            Ok(body) => Self(Kind::Result { body, directives }),
            Err(error) => {
                ToolError::internal(format!("the result can't be written as JSON: {error}")).into_outcome()
            }
        }
    }

    /// How many members of the value are a page or a highlight to the platform.
    pub(crate) fn count_directives(&self) -> usize {
        match &self.0 {
            Kind::Result { body, .. } => warn::reads_as(warn::result_of(body)).directives,
            _ => 0,
        }
    }

    pub(crate) fn refused(refusal: &Refusal) -> Self {
        // Strings and booleans always serialize.
        let body = body(refusal).unwrap_or_default();
        Self(Kind::Refused { body, reason: refusal.reason.clone() })
    }

    pub(crate) fn failed(message: impl Into<Cow<'static, str>>, detail: impl Into<String>) -> Self {
        Self(Kind::Failed { message: message.into(), detail: Some(detail.into()) })
    }
}

/// What a tool function may return: nothing, or a `Result` whose value serializes.
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "not a tool's answer",
    note = "return `ToolResult<T>`, where `T` derives `serde::Serialize`; `ToolResult<Reply<T>>`, where `T` derives `Object` too, to add a page or a highlight; or nothing"
)]
pub trait IntoOutcome {
    /// Turns the function's return value into the answer.
    fn into_outcome(self) -> Outcome;
}

impl IntoOutcome for () {
    fn into_outcome(self) -> Outcome {
        Outcome::value(&(), false)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize, E: Into<ToolError>> IntoOutcome for Result<T, E> {
    fn into_outcome(self) -> Outcome {
        match self {
            Ok(value) => Outcome::value(&value, false),
            Err(error) => error.into().into_outcome(),
        }
    }
}

/// What a tool returns, where its type says what it is written as.
#[cfg(feature = "application-manifest")]
#[doc(hidden)]
pub trait Described {
    /// What the agent reads.
    type As: schemars::JsonSchema;
}

#[cfg(feature = "application-manifest")]
impl Described for () {
    type As = ();
}

#[cfg(feature = "application-manifest")]
impl<T: schemars::JsonSchema, E> Described for Result<T, E> {
    type As = T;
}

/// Why a call did not get as far as its function.
#[derive(Debug)]
#[doc(hidden)]
pub enum Stop {
    InvalidInput(String),
    /// The gate or an extractor said no.
    Ended(Outcome),
}

impl Stop {
    /// A place that the tool's declaration does not have: a fault in code, not in the request.
    #[inline(never)]
    pub(crate) fn undeclared(place: usize) -> Self {
        Self::Ended(Outcome::failed(
            NEUTRAL_MESSAGE,
            format!("the tool read field {place}, which it does not declare"),
        ))
    }
}

impl From<ToolError> for Stop {
    fn from(error: ToolError) -> Self {
        Self::Ended(error.into_outcome())
    }
}

#[cfg(test)]
mod tests {
    use super::{
        IntoOutcome, Kind, NEUTRAL_MESSAGE, Outcome, Refusal, RefusalOutcome, ToolError, ToolResult,
    };
    use alloc::string::{String, ToString};
    use core::fmt;

    #[derive(Debug)]
    struct Outer(Inner);
    #[derive(Debug)]
    struct Inner;

    impl fmt::Display for Outer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("query failed")
        }
    }
    impl fmt::Display for Inner {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("postgres://admin@db refused")
        }
    }
    impl core::error::Error for Inner {}
    impl core::error::Error for Outer {
        fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
            Some(&self.0)
        }
    }

    fn body(outcome: Outcome) -> String {
        match outcome.0 {
            Kind::Result { body, .. } | Kind::Refused { body, .. } => String::from_utf8(body).unwrap(),
            Kind::Failed { message, .. } => message.to_string(),
        }
    }

    #[test]
    fn a_foreign_error_keeps_its_text_for_the_log() {
        fn fails() -> ToolResult<()> {
            Err(Outer(Inner))?;
            Ok(())
        }
        match fails().into_outcome().0 {
            Kind::Failed { message, detail } => {
                assert_eq!(message, NEUTRAL_MESSAGE);
                assert_eq!(detail.as_deref(), Some("query failed: postgres://admin@db refused"));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_public_message_is_written_for_the_agent() {
        let error =
            ToolError::public("Billing is closed until Monday.").with_detail("maintenance flag is set");
        match error.into_outcome().0 {
            Kind::Failed { message, detail } => {
                assert_eq!(message, "Billing is closed until Monday.");
                assert_eq!(detail.as_deref(), Some("maintenance flag is set"));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_refusal_is_one_line_with_a_reason() {
        let refusal = Refusal::new(" ").detail("one\r\n\u{2028}two").outcome(RefusalOutcome::Unknown);
        assert_eq!(
            body(Outcome::refused(&refusal)),
            r#"{"result":{"ok":false,"reason":"tool_refused","detail":"one two","outcome":"unknown"}}"#
        );
        assert_eq!(body(Outcome::refused(&Refusal::new("x"))), r#"{"result":{"ok":false,"reason":"x"}}"#);
    }

    #[test]
    fn nothing_is_null() {
        assert_eq!(body(().into_outcome()), r#"{"result":null}"#);
        assert_eq!(body(ToolResult::Ok(()).into_outcome()), r#"{"result":null}"#);
        assert_eq!(body(ToolResult::Ok(None::<u8>).into_outcome()), r#"{"result":null}"#);
    }

    #[test]
    fn a_value_that_json_has_no_form_for_is_a_failure() {
        let keys = alloc::collections::BTreeMap::from([([1u8, 2], 3u8)]);
        assert_eq!(body(ToolResult::Ok(keys).into_outcome()), NEUTRAL_MESSAGE);
    }
}
