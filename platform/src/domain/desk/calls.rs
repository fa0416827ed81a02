//! Calls by the agent, and tests.

use serde::Serialize;
use utoipa::ToSchema;

use super::super::approval::{A_TEST, Approval, ApprovalState};
use super::super::call::{Call, CallState, Origin, Outgoing};
use super::super::conversation::{Conversation, TurnState, Visitor};
use super::super::effect::{Effect, Sent};
use super::super::endpoint::Endpoint;
use super::super::ids::uuid;
use super::super::input;
use super::super::limits::{CALLS_A_TURN, OPEN_REQUESTS};
use super::super::problem::{Code, Problem};
use super::super::records::Select;
use super::super::report::LogType;
use super::super::tool::Tool;
use super::{About, Desk, turns};

/// What the agent, or the team, is told of a tool that is switched off or gone.
pub(super) const UNAVAILABLE: &str = "The tool is no longer available.";

/// A call as the agent makes it.
#[derive(Clone, Debug)]
pub struct AgentCall {
    /// The tool.
    pub tool: String,
    /// The input, as JSON text. It is sent byte for byte.
    pub input: String,
    /// Send an input that does not fit the schema, to see what the endpoint says.
    pub send_anyway: bool,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallAnswer {
    /// In a word.
    pub kind: CallAnswerKind,
    /// What the agent reads; nothing while the call is on its way.
    pub agent_reads: Option<String>,
    /// The call, when it went to the endpoint.
    pub call: Option<Call>,
    /// The request, when it waits for a decision.
    pub approval: Option<Approval>,
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CallAnswerKind {
    /// It went to the endpoint.
    Sent,
    /// A request was recorded.
    Requested,
    /// A request for this tool is open already.
    StillWaiting,
    /// As many requests are open as may be.
    TooManyRequests,
    /// The tool is gone.
    Unavailable,
}

/// A test of a tool.
#[derive(Clone, Debug)]
pub struct TestCall {
    /// The input, as JSON text.
    pub input: String,
    /// On this conversation, with its visitor. Without one, the visitor is nobody.
    pub conversation: Option<String>,
}

impl Desk<'_> {
    /// The agent calls a tool in its turn.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidInput`] names the field that does not fit; [`Code::NoTurn`], [`Code::TurnFull`],
    /// [`Code::NotFound`] for a tool that the turn does not have.
    pub fn call(&mut self, conversation: &str, call: &AgentCall) -> Result<CallAnswer, Problem> {
        let conversation = self.conversation_of(conversation)?;
        turns::agent_handles(&conversation)?;
        let mut turn = self.turn_of(&conversation)?.ok_or_else(turns::no_turn)?;
        if turn.state != TurnState::Open {
            return Err(Problem::new(
                Code::NoTurn,
                "The turn still waits for the first sync. Wait a moment.",
            ));
        }
        if turn.calls >= CALLS_A_TURN {
            let message =
                format!("The agent has made {CALLS_A_TURN} calls in this turn, and that is the most.");
            return Err(Problem::new(Code::TurnFull, message));
        }
        let seen = turn.tools.iter().find(|tool| tool.name == call.tool).cloned();
        let seen = seen.ok_or_else(|| Problem::not_named("tool in this turn called", &call.tool))?;
        let (input, json) = input::object(&call.input)?;
        if !call.send_anyway {
            input::check(&seen.fields, &json)?;
        }
        turn.calls += 1;
        self.put(&turn)?;
        // The turn keeps its tools, but an endpoint that is gone can't be called, and the risk is the tool's own.
        let current = self.get::<Endpoint>(&seen.endpoint)?;
        let current = current.and_then(|endpoint| {
            let tool = endpoint.tools().iter().find(|tool| tool.name == seen.name).cloned()?;
            Some((endpoint, tool))
        });
        match current {
            None => Ok(told(CallAnswerKind::Unavailable, UNAVAILABLE, None)),
            Some((endpoint, tool)) if tool.risk.waits() => self.ask(conversation, &endpoint, &tool, input),
            Some((endpoint, tool)) => {
                let id = self.id("call_");
                let call =
                    self.send_call(id, Origin::Agent, Some(&conversation), &endpoint, &tool, input, None)?;
                Ok(CallAnswer {
                    kind: CallAnswerKind::Sent,
                    agent_reads: None,
                    call: Some(call),
                    approval: None,
                })
            }
        }
    }

    /// A call that waits for a decision: one open request for each tool, three in all.
    fn ask(
        &mut self,
        conversation: Conversation,
        endpoint: &Endpoint,
        tool: &Tool,
        input: String,
    ) -> Result<CallAnswer, Problem> {
        let open = self.open_requests(&conversation.id)?;
        if let Some(waiting) = open.iter().find(|request| request.tool == tool.name) {
            let text = match waiting.state {
                ApprovalState::Executing => {
                    "An earlier request for this tool was approved and is running. Tell the customer so."
                }
                _ => {
                    "An earlier request for this tool is still waiting for a decision. Tell the customer so."
                }
            };
            return Ok(told(CallAnswerKind::StillWaiting, text, Some(waiting.clone())));
        }
        if open.len() >= OPEN_REQUESTS {
            let text = "Three requests are waiting in this conversation already. Nothing was requested. Tell the customer \
                        that those have to be decided first.";
            return Ok(told(CallAnswerKind::TooManyRequests, text, None));
        }
        let (approval, text) = self.request(conversation, endpoint, tool, input)?;
        Ok(told(CallAnswerKind::Requested, text, Some(approval)))
    }

    pub(super) fn open_requests(&self, conversation: &str) -> Result<Vec<Approval>, Problem> {
        let select =
            Select { conversation: Some(conversation), states: &ApprovalState::OPEN, ..Select::default() };
        self.find(&select)
    }

    /// Tests a tool, switched on or off, at any risk.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`], [`Code::InvalidInput`] names the field that does not fit.
    pub fn test(&mut self, tool: &str, test: &TestCall) -> Result<Call, Problem> {
        let (endpoint, tool) = self.tool_of(tool)?.ok_or_else(|| Problem::not_named("tool", tool))?;
        let conversation = test.conversation.as_deref().map(|id| self.conversation_of(id)).transpose()?;
        let (input, json) = input::object(&test.input)?;
        input::check(&tool.fields, &json)?;
        let id = format!("test_{}", uuid(self.ids.next()));
        self.send_call(id, Origin::Test, conversation.as_ref(), &endpoint, &tool, input, Some(A_TEST))
    }

    #[allow(clippy::too_many_arguments)] // Each is a member of the call.
    fn send_call(
        &mut self,
        id: String,
        origin: Origin,
        conversation: Option<&Conversation>,
        endpoint: &Endpoint,
        tool: &Tool,
        input: String,
        approved_by: Option<&str>,
    ) -> Result<Call, Problem> {
        let nobody = Visitor::default();
        let outgoing = Outgoing {
            tool: &tool.name,
            id: &id,
            input: &input,
            conversation: conversation.map_or(id.as_str(), |conversation| &conversation.id),
            risk: tool.risk,
            visitor: conversation.map_or(&nobody, |conversation| &conversation.visitor),
            approved_by,
        };
        let body = outgoing.body()?;
        let call = Call {
            id,
            origin,
            conversation: conversation.map(|conversation| conversation.id.clone()),
            turn: conversation
                .filter(|_| origin == Origin::Agent)
                .and_then(|conversation| conversation.turn.clone()),
            endpoint: endpoint.id.clone(),
            tool: tool.name.clone(),
            risk: tool.risk,
            input,
            state: CallState::Sent,
            sent_ms: self.now_ms,
            finished_ms: None,
            outcome: None,
            agent_reads: None,
        };
        self.put(&call)?;
        let sent = Sent::Call(call.id.clone());
        self.effects.push(Effect::Send {
            sent,
            endpoint: endpoint.id.clone(),
            url: endpoint.url.clone(),
            body,
        });
        let about = About {
            endpoint: Some(&call.endpoint),
            tool: Some(&call.tool),
            conversation: call.conversation.as_deref(),
            id: Some(&call.id),
        };
        let who = if origin == Origin::Agent { "The agent" } else { "A test" };
        self.log(LogType::Tools, "call.sent", &about, format!("{who} called {}.", call.tool))?;
        Ok(call)
    }
}

fn told(kind: CallAnswerKind, text: &str, approval: Option<Approval>) -> CallAnswer {
    CallAnswer { kind, agent_reads: Some(text.to_owned()), call: None, approval }
}
