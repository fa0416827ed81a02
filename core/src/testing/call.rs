//! One call, as the platform makes it.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::future::IntoFuture;

use serde_json::{Map, Value, json};

use super::{TestAnswer, TestClient};
use crate::risk::Risk;
use crate::sendable::{BoxFuture, MaybeSync};

/// A call on its way. Awaiting it sends it.
#[derive(Debug)]
#[must_use = "a call is sent by awaiting it"]
pub struct TestCall<'a, S> {
    client: &'a TestClient<S>,
    tool: &'a str,
    input: Value,
    id: Option<String>,
    conversation: String,
    risk: Option<Risk>,
    visitor: Map<String, Value>,
    approved_by: Option<String>,
}

impl<'a, S: MaybeSync + 'static> TestCall<'a, S> {
    pub(super) fn new(client: &'a TestClient<S>, tool: &'a str) -> Self {
        let visitor = Map::from_iter([("verified".to_string(), Value::Bool(false))]);
        let (id, risk, approved_by) = (None, None, None);
        let conversation = "conversation_test".to_string();
        Self { client, tool, input: json!({}), id, conversation, risk, visitor, approved_by }
    }

    /// The input. Anything that serializes: usually an object of the tool's fields.
    pub fn input(mut self, input: impl serde::Serialize) -> Self {
        self.input = serde_json::to_value(input).unwrap_or(Value::Null);
        self
    }

    /// A visitor whose identity is proven.
    pub fn visitor(mut self, id: impl Into<String>) -> Self {
        self.visitor.insert("verified".to_string(), Value::Bool(true));
        self.visitor.insert("externalId".to_string(), Value::String(id.into()));
        self
    }

    /// The address that the page or the customer gave.
    pub fn email(mut self, email: impl Into<String>) -> Self {
        self.visitor.insert("email".to_string(), Value::String(email.into()));
        self
    }

    /// The name that the page or the customer gave.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.visitor.insert("name".to_string(), Value::String(name.into()));
        self
    }

    /// Who let the call run. A `reviewed` or `high` tool does not run without.
    pub fn approved_by(mut self, name: impl Into<String>) -> Self {
        self.approved_by = Some(name.into());
        self
    }

    /// The call's id, in the place of one made of the tool's name.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The conversation's id.
    pub fn conversation(mut self, id: impl Into<String>) -> Self {
        self.conversation = id.into();
        self
    }

    /// The risk that the platform holds the tool to be, where its last sync is older than the endpoint.
    pub fn risk(mut self, risk: Risk) -> Self {
        self.risk = Some(risk);
        self
    }

    fn body(&self) -> Vec<u8> {
        let tools = self.client.endpoint.tools();
        let own_risk =
            tools.iter().find(|tool| tool.name() == self.tool).map_or(Risk::Low, crate::Tool::risk);
        let mut body = json!({
            "tool": self.tool,
            "toolCallId": self.id.clone().unwrap_or_else(|| format!("call_{}", self.tool)),
            "input": self.input,
            "context": {
                "conversationId": self.conversation,
                "risk": self.risk.unwrap_or(own_risk),
                "visitor": self.visitor,
            },
        });
        if let Some(name) = &self.approved_by {
            body["context"]["approvedBy"] = Value::String(name.clone());
        }
        body.to_string().into_bytes()
    }
}

impl<'a, S: MaybeSync + 'static> IntoFuture for TestCall<'a, S> {
    type Output = TestAnswer;
    type IntoFuture = BoxFuture<'a, TestAnswer>;

    fn into_future(self) -> Self::IntoFuture {
        let body = self.body();
        Box::pin(async move { TestAnswer::read(&self.client.post(&body).await) })
    }
}
