//! What a verified body asks for: one tool call, or diagnostics.
//!
//! The body is read in one pass, borrowed, each member into its place. The values of the input stay text until their
//! tool is known. Members that we do not know are skipped, whatever is in them.

use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;

use crate::context::CallContext;
use crate::error::{Code, Fault};
use crate::input::Input;
use crate::json::{self, NotJson, Reader, Type};
use crate::risk::Risk;
use crate::signature::Verified;
use crate::text::{Quoted, is_blank};

/// What a POST asks for, borrowed from its envelope.
#[derive(Debug)]
pub(crate) enum Operation<'e> {
    Tool(ToolCall<'e>),
    Diagnostics,
}

#[derive(Debug)]
pub(crate) struct ToolCall<'e> {
    pub(crate) tool: &'e str,
    pub(crate) input: &'e Input<'e>,
    pub(crate) context: CallContext<'e>,
}

/// Decodes a body whose signature holds, into an envelope that outlives the call.
pub(crate) fn decode<'e, 'b: 'e>(
    verified: Verified<'b>,
    envelope: &'e mut Envelope<'b>,
) -> Result<Operation<'e>, Fault> {
    let body = core::str::from_utf8(verified.body()).map_err(|error| {
        invalid(format!("The body is not UTF-8: byte {} is the first that is not.", error.valid_up_to()))
    })?;
    if body.starts_with('\u{feff}') {
        return Err(invalid("The body begins with a byte order mark. Send JSON without one."));
    }
    let mut reader = Reader::new(body);
    envelope.read(&mut reader)?;
    reader.end()?;
    envelope.operation()
}

/// The places that a body is read into.
#[derive(Default)]
pub(crate) struct Envelope<'b> {
    tool: Option<Cow<'b, str>>,
    op: Option<Cow<'b, str>>,
    id: Option<Cow<'b, str>>,
    input: Option<Input<'b>>,
    context: Option<ContextParts<'b>>,
}

#[derive(Default)]
struct ContextParts<'b> {
    conversation_id: Option<Cow<'b, str>>,
    risk: Option<Risk>,
    visitor: Option<VisitorParts<'b>>,
    approved_by: Option<Cow<'b, str>>,
}

#[derive(Default)]
struct VisitorParts<'b> {
    verified: Option<bool>,
    external_id: Option<Cow<'b, str>>,
    email: Option<Cow<'b, str>>,
    name: Option<Cow<'b, str>>,
}

/// The members of an object that we know: the name and the path of each.
type Members = &'static [(&'static str, &'static str)];

const ENVELOPE: Members = &[
    ("tool", "tool"),
    ("op", "op"),
    ("toolCallId", "toolCallId"),
    ("input", "input"),
    ("context", "context"),
];
const CONTEXT: Members = &[
    ("conversationId", "context.conversationId"),
    ("risk", "context.risk"),
    ("visitor", "context.visitor"),
    ("approvedBy", "context.approvedBy"),
];
const VISITOR: Members = &[
    ("verified", "context.visitor.verified"),
    ("externalId", "context.visitor.externalId"),
    ("email", "context.visitor.email"),
    ("name", "context.visitor.name"),
];

impl<'b> Envelope<'b> {
    fn read(&mut self, reader: &mut Reader<'b>) -> Result<(), Fault> {
        object(reader, "The body", ENVELOPE, &mut |place, path, reader| {
            match place {
                0 => self.tool = Some(id(reader, path)?),
                1 => self.op = Some(id(reader, path)?),
                2 => self.id = Some(id(reader, path)?),
                3 => self.input = Some(input(reader, path)?),
                _ => self.context.insert(ContextParts::default()).read(reader, path)?,
            }
            Ok(())
        })
    }
}

impl<'b> ContextParts<'b> {
    fn read(&mut self, reader: &mut Reader<'b>, path: &str) -> Result<(), Fault> {
        object(reader, path, CONTEXT, &mut |place, path, reader| {
            match place {
                0 => self.conversation_id = Some(id(reader, path)?),
                1 => {
                    let unknown =
                        || invalid("context.risk must be low, medium, reviewed or high; another text came.");
                    self.risk = Some(Risk::parse(&id(reader, path)?).ok_or_else(unknown)?);
                }
                2 => self.visitor.insert(VisitorParts::default()).read(reader, path)?,
                _ => self.approved_by = optional_id(reader, path)?,
            }
            Ok(())
        })
    }
}

impl<'b> VisitorParts<'b> {
    fn read(&mut self, reader: &mut Reader<'b>, path: &str) -> Result<(), Fault> {
        object(reader, path, VISITOR, &mut |place, path, reader| {
            match place {
                0 => self.verified = Some(value(reader, path, Type::Boolean)? == "true"),
                1 => self.external_id = optional_id(reader, path)?,
                2 => self.email = claim(reader, path)?,
                _ => self.name = claim(reader, path)?,
            }
            Ok(())
        })
    }
}

/// Reads an object: each known member, told by its place in the list, once, and any other skipped.
fn object<'b>(
    reader: &mut Reader<'b>,
    path: &str,
    members: Members,
    read: &mut dyn FnMut(usize, &'static str, &mut Reader<'b>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    expect(reader, path, Type::Object)?;
    let mut seen = 0_u32;
    reader.object(&mut |name, reader| {
        let Some(place) = members.iter().position(|(known, _)| known.as_bytes() == &*name) else {
            return Ok(reader.value().map(drop)?);
        };
        let path = members[place].1;
        if seen & (1 << place) != 0 {
            return Err(invalid(format!("{path} is there twice. Send it once.")));
        }
        seen |= 1 << place;
        read(place, path, reader)
    })
}

/// Reads the input's members: names, and values as their own text.
fn input<'b>(reader: &mut Reader<'b>, path: &str) -> Result<Input<'b>, Fault> {
    expect(reader, path, Type::Object)?;
    let mut members = Vec::new();
    reader.object::<NotJson>(&mut |name, reader| {
        members.push((name, reader.value()?));
        Ok(())
    })?;
    Ok(Input::new(members))
}

/// A text that stands for something. Half of a surrogate pair in it is no text.
fn id<'b>(reader: &mut Reader<'b>, path: &str) -> Result<Cow<'b, str>, Fault> {
    let raw = value(reader, path, Type::String)?;
    json::text(raw)
        .ok_or_else(|| invalid(format!("{path} must be a string, without half of a surrogate pair in it.")))
}

/// An optional text that stands for something: null and blank are absent.
fn optional_id<'b>(reader: &mut Reader<'b>, path: &str) -> Result<Option<Cow<'b, str>>, Fault> {
    if reader.kind() == Type::Null {
        reader.value()?;
        return Ok(None);
    }
    id(reader, path).map(|text| Some(text).filter(|text| !is_blank(text)))
}

/// What the page or the customer said: one bad character in a name must not fail the call.
fn claim<'b>(reader: &mut Reader<'b>, path: &str) -> Result<Option<Cow<'b, str>>, Fault> {
    if reader.kind() == Type::Null {
        reader.value()?;
        return Ok(None);
    }
    value(reader, path, Type::String).map(json::text_with_replacements)
}

/// Reads a value of this kind: its own text.
fn value<'b>(reader: &mut Reader<'b>, path: &str, kind: Type) -> Result<&'b str, Fault> {
    expect(reader, path, kind)?;
    Ok(reader.value()?)
}

/// Whether a value of this kind comes next. What is no value at all is not JSON.
fn expect(reader: &mut Reader<'_>, path: &str, kind: Type) -> Result<(), Fault> {
    if reader.kind() == kind {
        return Ok(());
    }
    reader.value()?;
    Err(invalid(format!("{path} must be {}.", kind.named())))
}

impl From<NotJson> for Fault {
    fn from(NotJson { line, column }: NotJson) -> Self {
        invalid(format!("The body is not JSON: the error is at line {line}, column {column}."))
    }
}

impl Envelope<'_> {
    /// What was read, once everything is there that has to be.
    fn operation(&self) -> Result<Operation<'_>, Fault> {
        if let (Some(_), Some(input)) = (&self.op, &self.input) {
            // No tool will look at it, and a member that is twice is wrong all the same.
            input.check_members()?;
        }
        match (&self.tool, self.op.as_deref()) {
            (Some(_), Some(_)) => Err(invalid("The body has both tool and op. Send one of them.")),
            (None, None) => Err(invalid("The body is no tool call: it has neither tool nor op.")),
            (None, Some("diagnostics")) => Ok(Operation::Diagnostics),
            (None, Some(op)) => {
                let message = format!("The op {} is not known. Only diagnostics is.", Quoted(op));
                Err(Fault::new(Code::UnknownOp, message))
            }
            (Some(tool), None) => {
                let id = required(self.id.as_deref(), "toolCallId", "a string")?;
                let input = required(self.input.as_ref(), "input", "an object")?;
                let context = required(self.context.as_ref(), "context", "an object")?;
                let conversation_id =
                    required(context.conversation_id.as_deref(), "context.conversationId", "a string")?;
                let risk = required(context.risk, "context.risk", "a string")?;
                let visitor = required(context.visitor.as_ref(), "context.visitor", "an object")?;
                let context = CallContext {
                    id,
                    conversation_id,
                    risk,
                    verified: required(visitor.verified, "context.visitor.verified", "a boolean")?,
                    external_id: visitor.external_id.as_deref(),
                    email: visitor.email.as_deref(),
                    name: visitor.name.as_deref(),
                    approved_by: context.approved_by.as_deref(),
                };
                Ok(Operation::Tool(ToolCall { tool, input, context }))
            }
        }
    }
}

fn required<T>(value: Option<T>, path: &str, expected: &str) -> Result<T, Fault> {
    value.ok_or_else(|| invalid(format!("{path} is missing; it must be {expected}.")))
}

fn invalid(message: impl Into<Cow<'static, str>>) -> Fault {
    Fault::new(Code::InvalidBody, message)
}

/// The input's own text in a body that has been decoded, for an event that may hold it.
pub(crate) fn input_text(verified: Verified<'_>) -> Option<&str> {
    let body = core::str::from_utf8(verified.body()).ok()?;
    let mut input = None;
    let walked = json::walk(body, |name, text| {
        input = if name == b"input" { Some(text) } else { input };
    });
    walked.ok().and(input)
}
