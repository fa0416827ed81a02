//! One event for each request: what is logged, and what an observer sees.

use alloc::borrow::Cow;
use core::fmt;

use serde::Serialize;

use crate::error::Code;
use crate::risk::{Effect, Risk};
use crate::sendable::{MaybeSend, MaybeSync};
use crate::text::OneLine;

/// What a request asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Asked {
    /// The manifest.
    Manifest,
    /// The application manifest.
    ApplicationManifest,
    /// A tool.
    Tool,
    /// Diagnostics.
    Diagnostics,
    /// Who is signed in.
    Identity,
    /// That the platform take the endpoint.
    Connect,
    /// Nothing that we know of: it was refused before that was known, or the endpoint has no such tool.
    Nothing,
}

impl Asked {
    /// As logs spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Manifest => "manifest",
            Self::Tool => "tool",
            Self::Diagnostics => "diagnostics",
            Self::ApplicationManifest => "application_manifest",
            Self::Identity => "identity",
            Self::Connect => "connect",
            Self::Nothing => "nothing",
        }
    }
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ending {
    /// With a result.
    Result,
    /// With the tool's own no.
    Refused,
    /// With an error: the code says which.
    Error,
}

impl Ending {
    /// As logs spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Refused => "refused",
            Self::Error => "error",
        }
    }
}

/// Something that was answered all the same, and that its author should know of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "warning", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Warning {
    /// The agent reads the first 4,000 characters of a result: it does not see the rest.
    ResultTooLong {
        /// How many characters the result has.
        characters: usize,
    },
    /// The first 2,000 characters of diagnostics are kept.
    DiagnosticsTooLong {
        /// How many characters the answer has.
        characters: usize,
    },
    /// The tool gave data, and the platform reads it as a refusal: it has `ok`, `known` or `allowed` that is false, or an
    /// `outcome` that is `blocked` or `unknown`.
    ReadsAsRefusal,
    /// The tool gave data, and the platform takes `medianNavigateTo` or `medianHighlight` out of it.
    ReadsAsDirective,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ResultTooLong { characters } => {
                write!(f, "the result has {characters} characters; the agent reads the first 4,000")
            }
            Self::DiagnosticsTooLong { characters } => {
                write!(f, "the diagnostics have {characters} characters; the first 2,000 are kept")
            }
            Self::ReadsAsRefusal => {
                f.write_str("the result reads as a refusal; return a Refusal, or rename its members")
            }
            Self::ReadsAsDirective => f.write_str(
                "the result holds medianNavigateTo or medianHighlight as data; use a Reply, or rename them",
            ),
        }
    }
}

/// How much an event matters to whoever reads the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Level {
    /// All is well.
    Info,
    /// What somebody else did wrong, or what may go wrong.
    Warn,
    /// What the owner has to see to.
    Error,
}

impl Level {
    /// As logs spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

/// One request, answered. It never holds a secret or a signature, and the input and the result only where the endpoint
/// says so.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Event<'a> {
    /// What was asked for.
    pub asked: Asked,
    /// How it ended.
    pub ending: Ending,
    /// The status of the answer.
    pub status: u16,
    /// The error's code.
    pub code: Option<Code>,
    /// The tool's name, when the endpoint has such a tool.
    pub tool: Option<&'a str>,
    /// The call's id.
    pub tool_call_id: Option<&'a str>,
    /// The conversation that the call came from.
    pub conversation_id: Option<&'a str>,
    /// The tool's own risk.
    pub risk: Option<Risk>,
    /// The tool's effect.
    pub effect: Option<Effect>,
    /// The scopes that the tool declares.
    pub scopes: &'a [Cow<'static, str>],
    /// Whether the platform vouches for the visitor.
    pub visitor_verified: Option<bool>,
    /// Who let the call run.
    pub approved_by: Option<&'a str>,
    /// The reason of a refusal.
    pub reason: Option<&'a str>,
    /// What the agent or the platform reads of an error.
    pub message: Option<&'a str>,
    /// What nobody outside reads of it: the text of a foreign error, or of a panic.
    pub detail: Option<&'a str>,
    /// Whether the signature took a key that is on its way out.
    pub previous_key: bool,
    /// What its author should know of.
    pub warnings: &'a [Warning],
    /// How long it took, in milliseconds, on the host's clock.
    pub duration_ms: u64,
    /// The bytes of the body that came. Absent when it was over the cap, or could not be read.
    pub request_bytes: Option<usize>,
    /// The bytes of the body that went.
    pub response_bytes: usize,
    /// The input, as it came, where the endpoint opts in.
    pub input: Option<&'a str>,
    /// The result, as it went, where the endpoint opts in.
    pub result: Option<&'a str>,
}

impl Event<'_> {
    /// How much it matters.
    pub fn level(&self) -> Level {
        let failed = self.status >= 500 || self.code == Some(Code::ExecutionFailed);
        let doubtful = self.status >= 400 || self.previous_key || !self.warnings.is_empty();
        match (failed, doubtful) {
            (true, _) => Level::Error,
            (false, true) => Level::Warn,
            (false, false) => Level::Info,
        }
    }
}

/// What a member of the log's line holds.
#[derive(Serialize)]
#[serde(untagged)]
enum Value<'a> {
    Text(&'a str),
    Number(u64),
    Flag(bool),
    Scopes(&'a [Cow<'static, str>]),
    Warnings(&'a [Warning]),
}

/// Every member that there is something to say by. Written as a list: a derived one has code for each member of its own,
/// which makes a Worker 1 KB larger.
impl Serialize for Event<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fn text(text: Option<&str>) -> Option<Value<'_>> {
            text.map(Value::Text)
        }
        let number = |number: usize| Value::Number(number as u64);
        let members = [
            ("asked", Some(Value::Text(self.asked.as_str()))),
            ("ending", Some(Value::Text(self.ending.as_str()))),
            ("status", Some(Value::Number(self.status.into()))),
            ("code", text(self.code.map(Code::as_str))),
            ("tool", text(self.tool)),
            ("tool_call_id", text(self.tool_call_id)),
            ("conversation_id", text(self.conversation_id)),
            ("risk", text(self.risk.map(Risk::as_str))),
            ("effect", text(self.effect.map(Effect::as_str))),
            ("scopes", (!self.scopes.is_empty()).then_some(Value::Scopes(self.scopes))),
            ("visitor_verified", self.visitor_verified.map(Value::Flag)),
            ("approved_by", text(self.approved_by)),
            ("reason", text(self.reason)),
            ("message", text(self.message)),
            ("detail", text(self.detail)),
            ("previous_key", self.previous_key.then_some(Value::Flag(true))),
            ("warnings", (!self.warnings.is_empty()).then_some(Value::Warnings(self.warnings))),
            ("duration_ms", Some(Value::Number(self.duration_ms))),
            ("request_bytes", self.request_bytes.map(number)),
            ("response_bytes", Some(number(self.response_bytes))),
            ("input", text(self.input)),
            ("result", text(self.result)),
        ];
        serializer.collect_map(members.iter().filter_map(|(name, value)| Some((name, value.as_ref()?))))
    }
}

/// One line for people: `orderStatus 200 result in 3 ms, call call_9f2c…, conversation k57c…`.
impl fmt::Display for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let asked = match self.asked {
            Asked::Manifest => "manifest",
            Asked::ApplicationManifest => "application manifest",
            Asked::Tool => "tool",
            Asked::Diagnostics => "diagnostics",
            Asked::Identity => "identity",
            Asked::Connect => "connect",
            Asked::Nothing => "request",
        };
        let ending = match (self.ending, self.code) {
            (_, Some(code)) => code.as_str(),
            (Ending::Refused, _) => "refused",
            _ => "result",
        };
        write!(f, "{} {} {ending} in {} ms", self.tool.unwrap_or(asked), self.status, self.duration_ms)?;
        for (name, value) in [
            ("call", self.tool_call_id),
            ("conversation", self.conversation_id),
            ("approved by", self.approved_by),
            ("reason", self.reason),
            ("message", self.message),
            ("detail", self.detail),
        ] {
            if let Some(value) = value {
                write!(f, ", {name} {}", OneLine(value))?;
            }
        }
        if self.previous_key {
            f.write_str(", by the previous key")?;
        }
        for warning in self.warnings {
            write!(f, "; warning: {warning}")?;
        }
        Ok(())
    }
}

/// What an application looks at each event with: any `Fn(&Event<'_>)`.
pub trait Observer: MaybeSend + MaybeSync {
    /// Looks at one event.
    fn observe(&self, event: &Event<'_>);
}

impl<F: Fn(&Event<'_>) + MaybeSend + MaybeSync> Observer for F {
    fn observe(&self, event: &Event<'_>) {
        self(event);
    }
}
