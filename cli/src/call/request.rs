//! The body of a call, as the platform writes it.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::args::CallOptions;
use crate::failure::Failure;

/// One call.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Call<'a> {
    tool: &'a str,
    tool_call_id: &'a str,
    input: &'a RawValue,
    context: Context<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Context<'a> {
    conversation_id: &'a str,
    risk: &'a str,
    visitor: Visitor<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approved_by: Option<&'a str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Visitor<'a> {
    verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    external_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
}

impl<'a> Call<'a> {
    /// The call that the options describe. Without a conversation of its own, a test is its own conversation.
    pub(crate) fn new(options: &'a CallOptions, id: &'a str, risk: &'a str, input: &'a RawValue) -> Self {
        let visitor = Visitor {
            verified: !options.unverified,
            external_id: (!options.unverified).then_some(options.visitor.as_str()),
            email: options.email.as_deref(),
            name: options.name.as_deref(),
        };
        let context = Context {
            conversation_id: options.conversation.as_deref().unwrap_or(id),
            risk,
            visitor,
            approved_by: (!options.no_approval).then_some(options.approved_by.as_str()),
        };
        Self { tool: &options.tool, tool_call_id: id, input, context }
    }

    /// A call that needs nothing said: by a verified visitor, `low`.
    pub(crate) fn example(tool: &'a str, id: &'a str, input: &'a RawValue) -> Self {
        let visitor = Visitor { verified: true, external_id: Some("user_1"), email: None, name: None };
        let context = Context { conversation_id: id, risk: "low", visitor, approved_by: None };
        Self { tool, tool_call_id: id, input, context }
    }

    /// The bytes that are signed and sent.
    pub(crate) fn to_json(&self) -> Result<String, Failure> {
        serde_json::to_string(self)
            .map_err(|error| Failure::usage(format!("The call can't be written: {error}.")))
    }
}

#[cfg(test)]
mod tests {
    use super::Call;
    use crate::args::{Cli, Command};
    use clap::Parser as _;
    use serde_json::value::RawValue;

    fn body(arguments: &[&str]) -> String {
        let all = ["median-edge", "call", "http://x/", "t"].iter().chain(arguments);
        let Some(Command::Call(options)) = Cli::parse_from(all).command else { panic!("no call") };
        let input = RawValue::from_string(r#"{"a":1.50}"#.to_owned()).unwrap();
        Call::new(&options, "test_1", "high", &input).to_json().unwrap()
    }

    #[test]
    fn a_test_is_its_own_conversation_by_a_verified_visitor_and_approved() {
        assert_eq!(
            body(&[]),
            r#"{"tool":"t","toolCallId":"test_1","input":{"a":1.50},"context":{"conversationId":"test_1","risk":"high","visitor":{"verified":true,"externalId":"user_1"},"approvedBy":"A test from the CLI"}}"#
        );
    }

    #[test]
    fn an_unverified_visitor_has_no_id() {
        let text = body(&[
            "--unverified",
            "--email",
            "a@b.example",
            "--name",
            "Ana",
            "--no-approval",
            "--conversation",
            "c",
        ]);
        assert_eq!(
            text,
            r#"{"tool":"t","toolCallId":"test_1","input":{"a":1.50},"context":{"conversationId":"c","risk":"high","visitor":{"verified":false,"email":"a@b.example","name":"Ana"}}}"#
        );
    }

    #[test]
    fn a_visitor_and_an_approval_can_be_named() {
        let text = body(&["--visitor", "user_9", "--approved-by", "Dana"]);
        assert!(
            text.contains(r#""externalId":"user_9""#) && text.contains(r#""approvedBy":"Dana""#),
            "{text}"
        );
    }
}
