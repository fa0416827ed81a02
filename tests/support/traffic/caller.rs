//! One of those who make the calls, on a connection of their own.

use serde_json::{Value, json};

use super::kind::Kind;
use crate::stand_in::Api;

/// A turn has ten calls at most.
const CALLS_A_TURN: u32 = 10;
const TURNS_A_CONVERSATION: u32 = 2;

/// A call that the stand-in has acknowledged, as it was answered.
#[derive(Clone, Debug)]
pub(super) struct Acknowledged {
    pub(super) kind: Kind,
    /// The call, or the request; nothing where nothing is kept.
    pub(super) id: Option<String>,
    pub(super) conversation: String,
    /// How it ended, and what the agent reads, or what a request is bound to.
    pub(super) answer: Value,
}

/// One caller.
pub(super) struct Caller {
    api: Api,
    /// The customer's identity, signed.
    identity: Value,
    conversation: String,
    /// How many calls the turn has had.
    in_turn: u32,
    /// How many turns the conversation has had.
    turns: u32,
}

impl Caller {
    pub(super) fn new(api: Api, identity: Value) -> Self {
        Self { api, identity, conversation: String::new(), in_turn: 0, turns: 0 }
    }

    /// Makes the call of a number, and sees it to its end.
    pub(super) fn call(&mut self, number: u64) -> Result<Acknowledged, String> {
        let kind = Kind::of(number);
        self.take_the_turn()?;
        let of = format!("/v1/conversations/{}", self.conversation);
        let (tool, input) = (kind.tool(), kind.input(number));
        let (status, json) = if kind == Kind::Test {
            let body = json!({ "input": input, "conversation": self.conversation });
            self.api.ask("POST", &format!("/v1/tools/{tool}/test"), Some(&body))?
        } else {
            let body = json!({ "tool": tool, "input": input, "sendAnyway": kind == Kind::SentAnyway });
            self.in_turn += 1;
            self.api.ask("POST", &format!("{of}/calls"), Some(&body))?
        };
        let (id, ended, answer) = match kind {
            Kind::NotTaken => {
                self.in_turn -= 1;
                (None, json["error"]["code"].clone(), Value::Null)
            }
            Kind::Approved | Kind::Denied => {
                let id =
                    json["approval"]["id"].as_str().ok_or_else(|| format!("{kind:?}: {status} {json}"))?;
                let word = if kind == Kind::Approved { "approve" } else { "deny" };
                let path = format!("/v1/tool-approvals/{id}/{word}");
                let request = self.api.good("POST", &path, Some(&json!({ "teammate": "Ana" })))?;
                (Some(id.to_owned()), request["state"].clone(), request["input"].clone())
            }
            _ => {
                let call = &json["call"];
                let id = call["id"].as_str().ok_or_else(|| format!("{kind:?}: {status} {json}"))?;
                (Some(id.to_owned()), call["outcome"]["kind"].clone(), call["agentReads"].clone())
            }
        };
        if ended != kind.ends() {
            return Err(format!("{kind:?} ended as {ended}, and not as {}: {json}", kind.ends()));
        }
        Ok(Acknowledged { kind, id, conversation: self.conversation.clone(), answer })
    }

    /// Ends a turn that is full, and a conversation that has had its turns.
    fn take_the_turn(&mut self) -> Result<(), String> {
        if self.turns > 0 && self.in_turn < CALLS_A_TURN {
            return Ok(());
        }
        if self.turns > 0 {
            let path = format!("/v1/conversations/{}/reply", self.conversation);
            self.api.good("POST", &path, Some(&json!({ "text": "Here you are." })))?;
        }
        if self.turns.is_multiple_of(TURNS_A_CONVERSATION) {
            let body = json!({ "identity": self.identity });
            let begun = self.api.good("POST", "/v1/conversations", Some(&body))?;
            let id = begun["conversation"]["id"].as_str().ok_or("a conversation without an id")?;
            id.clone_into(&mut self.conversation);
        }
        self.api.good("POST", &format!("/v1/conversations/{}/turns", self.conversation), Some(&json!({})))?;
        self.turns += 1;
        self.in_turn = 0;
        Ok(())
    }
}
