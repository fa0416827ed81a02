//! Calls to a tool: by the agent, by a test, by a teammate.

use median_edge::Risk;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::answer::Outcome;
use super::conversation::Visitor;
use super::limits::NEVER_REPORTED_MS;
use super::problem::{Code, Problem};
use super::records::{Keys, Record, Table};
use super::tool::ToolRisk;

/// A call that went to the endpoint at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    /// `call_…` when the agent called, `test_…` when it is a test. The endpoint sees it as `toolCallId`.
    pub id: String,
    /// Who called.
    pub origin: Origin,
    /// The conversation, when there is one.
    pub conversation: Option<String>,
    /// The agent's turn.
    pub turn: Option<String>,
    /// Where the tool is.
    pub endpoint: String,
    /// The tool.
    pub tool: String,
    /// The tool's own risk when it was sent.
    pub risk: ToolRisk,
    /// The input, byte for byte as it is sent.
    pub input: String,
    /// Whether it is back.
    pub state: CallState,
    /// When it was sent, in Unix milliseconds.
    pub sent_ms: u64,
    /// When it came back.
    pub finished_ms: Option<u64>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// What the agent reads.
    pub agent_reads: Option<String>,
}

/// Who called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The agent.
    Agent,
    /// A test, from the command line or the console.
    Test,
}

/// Whether a call is back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CallState {
    /// On its way.
    Sent,
    /// Back, or given up.
    Finished,
}

/// A run by a teammate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// `run_…`. The endpoint sees it as `toolCallId`.
    pub id: String,
    /// The conversation.
    pub conversation: String,
    /// Where the tool is.
    pub endpoint: String,
    /// The tool.
    pub tool: String,
    /// The tool's own risk when it was sent.
    pub risk: ToolRisk,
    /// The input, byte for byte as it is sent.
    pub input: String,
    /// Who runs it, when a name is on record.
    pub teammate: Option<String>,
    /// Where it is.
    pub state: RunState,
    /// When it was sent, in Unix milliseconds.
    pub started_ms: u64,
    /// When it came back, or was given up.
    pub finished_ms: Option<u64>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Why it did not run.
    pub error: Option<String>,
}

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// In flight.
    Running,
    /// The tool answered.
    Completed,
    /// It did not run, or never reported back.
    Failed,
}

impl RunState {
    /// In a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }
}

/// A call as it is about to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing<'a> {
    pub(crate) tool: &'a str,
    pub(crate) id: &'a str,
    pub(crate) input: &'a str,
    pub(crate) conversation: &'a str,
    pub(crate) risk: ToolRisk,
    pub(crate) visitor: &'a Visitor,
    pub(crate) approved_by: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    tool: &'a str,
    tool_call_id: &'a str,
    input: &'a RawValue,
    context: BodyContext<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BodyContext<'a> {
    conversation_id: &'a str,
    risk: &'a str,
    visitor: BodyVisitor<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approved_by: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BodyVisitor<'a> {
    verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    external_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
}

impl Outgoing<'_> {
    /// The body, with the input as it was recorded.
    pub(crate) fn body(&self) -> Result<String, Problem> {
        let bad = |error: serde_json::Error| {
            Problem::new(Code::InvalidInput, format!("The input is not JSON: {error}."))
        };
        let visitor = self.visitor;
        let body = Body {
            tool: self.tool,
            tool_call_id: self.id,
            input: serde_json::from_str(self.input).map_err(bad)?,
            context: BodyContext {
                conversation_id: self.conversation,
                risk: self.risk.as_str(),
                visitor: BodyVisitor {
                    verified: visitor.verified,
                    external_id: visitor.external_id.as_deref().filter(|_| visitor.verified),
                    email: visitor.email.as_deref(),
                    name: visitor.name.as_deref(),
                },
                approved_by: self.approved_by,
            },
        };
        serde_json::to_string(&body).map_err(bad)
    }
}

impl From<Risk> for ToolRisk {
    fn from(risk: Risk) -> Self {
        match risk {
            Risk::Low => Self::Low,
            Risk::Medium => Self::Medium,
            Risk::Reviewed => Self::Reviewed,
            Risk::High => Self::High,
        }
    }
}

impl Record for Call {
    const TABLE: Table = Table::Call;

    fn keys(&self) -> Keys<'_> {
        let state = match self.state {
            CallState::Sent => "sent",
            CallState::Finished => "finished",
        };
        Keys {
            id: &self.id,
            conversation: self.conversation.as_deref(),
            endpoint: Some(&self.endpoint),
            tool: Some(&self.tool),
            state,
            due_ms: None,
        }
    }
}

impl Record for Run {
    const TABLE: Table = Table::Run;

    fn keys(&self) -> Keys<'_> {
        let due_ms =
            (self.state == RunState::Running).then(|| self.started_ms.saturating_add(NEVER_REPORTED_MS));
        Keys {
            id: &self.id,
            conversation: Some(&self.conversation),
            endpoint: Some(&self.endpoint),
            tool: Some(&self.tool),
            state: self.state.as_str(),
            due_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Outgoing;
    use crate::domain::conversation::Visitor;
    use crate::domain::tool::ToolRisk;

    #[test]
    fn a_body_carries_the_input_byte_for_byte() {
        let input = "{ \"a\" : 1e2,\n\"b\":\"\\u0041\" }";
        let visitor = Visitor {
            external_id: Some("user_1".to_owned()),
            email: Some("a@b.c".to_owned()),
            ..Visitor::default()
        };
        let outgoing = Outgoing {
            tool: "t",
            id: "i",
            input,
            conversation: "c",
            risk: ToolRisk::High,
            visitor: &visitor,
            approved_by: Some("Ana"),
        };
        let expected = format!(
            r#"{{"tool":"t","toolCallId":"i","input":{input},"context":{{"conversationId":"c","risk":"high","visitor":{{"verified":false,"email":"a@b.c"}},"approvedBy":"Ana"}}}}"#
        );
        assert_eq!(outgoing.body().unwrap(), expected);
    }
}
