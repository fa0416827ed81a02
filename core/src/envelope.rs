//! What a verified body asks for: one tool call, or diagnostics.
//!
//! The body is walked once, borrowed; the input stays text until its tool is known. Members that we do not know are
//! ignored, whatever is in them.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};

use crate::context::CallContext;
use crate::error::{Code, Fault};
use crate::input::Input;
use crate::json::{self, Stopped, Text, Type};
use crate::risk::Risk;
use crate::signature::Verified;
use crate::text::Quoted;

/// What a POST asks for.
#[derive(Debug)]
pub(crate) enum Operation<'a> {
    Tool(ToolCall<'a>),
    Diagnostics,
}

#[derive(Debug)]
pub(crate) struct ToolCall<'a> {
    pub(crate) tool: Cow<'a, str>,
    pub(crate) input: Input<'a>,
    pub(crate) context: CallContext<'a>,
}

/// Decodes a body whose signature holds.
pub(crate) fn decode(verified: Verified<'_>) -> Result<Operation<'_>, Fault> {
    let body = core::str::from_utf8(verified.body()).map_err(|error| {
        invalid(format!("The body is not UTF-8: byte {} is the first that is not.", error.valid_up_to()))
    })?;
    if body.starts_with('\u{feff}') {
        return Err(invalid("The body begins with a byte order mark. Send JSON without one."));
    }
    let [tool, op, id, input, context] = members(body, "", ["tool", "op", "toolCallId", "input", "context"])?;
    match (tool, op) {
        (Some(_), Some(_)) => Err(invalid("The body has both tool and op. Send one of them.")),
        (None, Some(op)) => operation(op),
        (None, None) => Err(invalid("The body is no tool call: it has neither tool nor op.")),
        (Some(tool), None) => Ok(Operation::Tool(ToolCall {
            tool: id_text(Some(tool), "tool")?,
            context: call_context(id_text(id, "toolCallId")?, object(context, "context")?)?,
            input: Input::new(object(input, "input")?),
        })),
    }
}

fn operation(op: &str) -> Result<Operation<'_>, Fault> {
    match id_text(Some(op), "op")?.as_ref() {
        "diagnostics" => Ok(Operation::Diagnostics),
        other => {
            let message = format!("The op {} is not known. The one that is, is diagnostics.", Quoted(other));
            Err(Fault::new(Code::UnknownOp, message))
        }
    }
}

fn call_context<'a>(id: Cow<'a, str>, text: &'a str) -> Result<CallContext<'a>, Fault> {
    let [conversation_id, risk, visitor, approved_by] =
        members(text, "context.", ["conversationId", "risk", "visitor", "approvedBy"])?;
    let conversation_id = id_text(conversation_id, "context.conversationId")?;
    let risk = id_text(risk, "context.risk")?;
    let risk = Risk::parse(&risk)
        .ok_or_else(|| invalid("context.risk must be low, medium, reviewed or high; another text came."))?;
    let [verified, external_id, email, name] = members(
        object(visitor, "context.visitor")?,
        "context.visitor.",
        ["verified", "externalId", "email", "name"],
    )?;
    let verified = match verified {
        Some("true") => true,
        Some("false") => false,
        other => return Err(wrong("context.visitor.verified", "a boolean", other)),
    };
    Ok(CallContext {
        id,
        conversation_id,
        risk,
        verified,
        external_id: optional_id(external_id, "context.visitor.externalId")?,
        email: claim(email, "context.visitor.email")?,
        name: claim(name, "context.visitor.name")?,
        approved_by: optional_id(approved_by, "context.approvedBy")?,
    })
}

/// The texts of an object's members of these names; any other is skipped. One that is there twice is an error.
fn members<'a, const N: usize>(
    text: &'a str,
    path: &'static str,
    names: [&'static str; N],
) -> Result<[Option<&'a str>; N], Fault> {
    let mut values = [None; N];
    let place = |name: &[u8]| names.iter().position(|known| known.as_bytes() == name);
    let member = |place: Option<usize>, value: &'a str| match place {
        Some(place) if values[place].is_some() => {
            Err(invalid(format!("{path}{} is there twice. Send it once.", names[place])))
        }
        Some(place) => {
            values[place] = Some(value);
            Ok(())
        }
        None => Ok(()),
    };
    match json::walk(text, place, member) {
        Ok(()) => Ok(values),
        Err(Stopped::ByVisitor(fault)) => Err(fault),
        // Only the body itself can be one of these: the objects inside it have been walked over.
        Err(Stopped::NotAnObject) => Err(invalid("The body is JSON, but no object. Send a tool call.")),
        Err(Stopped::NotJson { line, column }) => Err(invalid(format!(
            "The body is not JSON: it stops being that at line {line}, column {column}."
        ))),
    }
}

fn object<'a>(value: Option<&'a str>, path: &str) -> Result<&'a str, Fault> {
    value.filter(|text| Type::of(text) == Type::Object).ok_or_else(|| wrong(path, "an object", value))
}

/// A text that stands for something: it must be whole.
fn id_text<'a>(value: Option<&'a str>, path: &str) -> Result<Cow<'a, str>, Fault> {
    match value.and_then(json::text) {
        Some(Text::Whole(text)) => Ok(text),
        Some(Text::Halved(_)) => Err(invalid(format!("{path} holds half of a surrogate pair."))),
        None => Err(wrong(path, "a string", value)),
    }
}

/// An optional text that stands for something: null and blank are absent.
fn optional_id<'a>(value: Option<&'a str>, path: &str) -> Result<Option<Cow<'a, str>>, Fault> {
    let Some(value) = value.filter(|text| Type::of(text) != Type::Null) else {
        return Ok(None);
    };
    let text = id_text(Some(value), path)?;
    Ok(Some(text).filter(|text| !text.trim().is_empty()))
}

/// What the page or the customer said: one bad character in a name must not fail the call.
fn claim<'a>(value: Option<&'a str>, path: &str) -> Result<Option<Cow<'a, str>>, Fault> {
    match value {
        None => Ok(None),
        Some(text) if Type::of(text) == Type::Null => Ok(None),
        Some(text) => {
            json::text(text).map(|text| Some(text.lossy())).ok_or_else(|| wrong(path, "a string", value))
        }
    }
}

fn wrong(path: &str, expected: &str, value: Option<&str>) -> Fault {
    invalid(match value {
        None => format!("{path} is missing; it must be {expected}."),
        Some(text) => format!("{path} must be {expected}; {} came.", Type::of(text).named()),
    })
}

fn invalid(message: impl ToString) -> Fault {
    let message: String = message.to_string();
    Fault::new(Code::InvalidBody, message)
}
