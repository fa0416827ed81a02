//! What a verified body asks for: one tool call, or diagnostics.
//!
//! The body is read in one pass, borrowed, each member into its place. The values of the input stay text until their
//! tool is known. Members that we do not know are skipped, whatever is in them.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::context::CallContext;
use crate::error::{Code, Fault};
use crate::input::Input;
use crate::json::{self, Name, NameBytes, OptionalText, Strings, Whole};
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
    let read = match read(body, Strings::AsText, envelope) {
        // It may be half of a surrogate pair, where one is let by.
        Err((at, error)) if at.stopped.is_none() && !error.is_data() && json::is_json(body) => {
            *envelope = Envelope::default();
            read(body, Strings::AsBytes, envelope)
        }
        read => read,
    };
    read.map_err(|(at, error)| at.explain(body, &error))?;
    envelope.operation()
}

/// Reads a body into the envelope's places.
fn read<'b>(
    body: &'b str,
    strings: Strings,
    envelope: &mut Envelope<'b>,
) -> Result<(), (At, serde_json::Error)> {
    let mut at = At { strings, path: "The body", expected: "an object", stopped: None };
    let mut deserializer = serde_json::Deserializer::from_str(body);
    let filled = Fill { object: envelope, at: &mut at }.deserialize(&mut deserializer);
    filled.and_then(|()| deserializer.end()).map_err(|error| (at, error))
}

/// Where the reading is, so that what stops it can be told in words.
struct At {
    strings: Strings,
    path: &'static str,
    expected: &'static str,
    /// What we stopped it for ourselves.
    stopped: Option<String>,
}

impl At {
    fn stop<E: serde::de::Error>(&mut self, why: String) -> E {
        self.stopped = Some(why);
        E::custom("stopped")
    }

    fn explain(self, body: &str, error: &serde_json::Error) -> Fault {
        let Self { path, expected, stopped, .. } = self;
        invalid(match stopped {
            Some(why) => why,
            None if error.is_data() => format!("{path} must be {expected}."),
            // `serde_json` stopped at a value that JSON may hold and Rust may not: half
            // of a surrogate pair, or a number beyond all bounds.
            None if json::is_json(body) => match expected {
                "a string" => format!("{path} must be a string, without half of a surrogate pair in it."),
                _ => format!("{path} must be {expected}."),
            },
            None => {
                let (line, column) = (error.line(), error.column());
                format!("The body is not JSON: it stops being that at line {line}, column {column}.")
            }
        })
    }
}

/// An object of the envelope: the members that it knows, and how each is read.
trait Object<'de> {
    /// Name and path of each member.
    const MEMBERS: &'static [(&'static str, &'static str)];

    fn read<A: MapAccess<'de>>(&mut self, place: usize, map: &mut A, at: &mut At) -> Result<(), A::Error>;
}

/// Fills an object from JSON: each known member once, any other skipped.
struct Fill<'x, T> {
    object: &'x mut T,
    at: &'x mut At,
}

impl<'de, T: Object<'de>> DeserializeSeed<'de> for Fill<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.at.expected = "an object";
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: Object<'de>> Visitor<'de> for Fill<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen = 0_u32;
        let place = |name: &[u8]| T::MEMBERS.iter().position(|(known, _)| known.as_bytes() == name);
        while let Some(place) = map.next_key_seed(Name(self.at.strings, place))? {
            let Some(place) = place else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            self.at.path = T::MEMBERS[place].1;
            if seen & (1 << place) != 0 {
                let why = format!("{} is there twice. Send it once.", self.at.path);
                return Err(self.at.stop(why));
            }
            seen |= 1 << place;
            self.object.read(place, &mut map, self.at)?;
        }
        Ok(())
    }
}

/// The places that a body is read into.
#[derive(Default)]
pub(crate) struct Envelope<'de> {
    tool: Option<Cow<'de, str>>,
    op: Option<Cow<'de, str>>,
    id: Option<Cow<'de, str>>,
    input: Option<Input<'de>>,
    context: Option<ContextParts<'de>>,
}

impl<'de> Object<'de> for Envelope<'de> {
    const MEMBERS: &'static [(&'static str, &'static str)] = &[
        ("tool", "tool"),
        ("op", "op"),
        ("toolCallId", "toolCallId"),
        ("input", "input"),
        ("context", "context"),
    ];

    fn read<A: MapAccess<'de>>(&mut self, place: usize, map: &mut A, at: &mut At) -> Result<(), A::Error> {
        match place {
            0 => self.tool = Some(id(map, at)?),
            1 => self.op = Some(id(map, at)?),
            2 => self.id = Some(id(map, at)?),
            3 => self.input = Some(map.next_value_seed(InputMembers(at))?),
            _ => {
                let context = self.context.insert(ContextParts::default());
                map.next_value_seed(Fill { object: context, at })?;
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct ContextParts<'de> {
    conversation_id: Option<Cow<'de, str>>,
    risk: Option<Risk>,
    visitor: Option<VisitorParts<'de>>,
    approved_by: Option<Cow<'de, str>>,
}

impl<'de> Object<'de> for ContextParts<'de> {
    const MEMBERS: &'static [(&'static str, &'static str)] = &[
        ("conversationId", "context.conversationId"),
        ("risk", "context.risk"),
        ("visitor", "context.visitor"),
        ("approvedBy", "context.approvedBy"),
    ];

    fn read<A: MapAccess<'de>>(&mut self, place: usize, map: &mut A, at: &mut At) -> Result<(), A::Error> {
        match place {
            0 => self.conversation_id = Some(id(map, at)?),
            1 => {
                let risk = id(map, at)?;
                let unknown =
                    || String::from("context.risk must be low, medium, reviewed or high; another text came.");
                self.risk = Some(Risk::parse(&risk).ok_or_else(|| at.stop(unknown()))?);
            }
            2 => {
                let visitor = self.visitor.insert(VisitorParts::default());
                map.next_value_seed(Fill { object: visitor, at })?;
            }
            _ => self.approved_by = optional_id(map, at)?,
        }
        Ok(())
    }
}

#[derive(Default)]
struct VisitorParts<'de> {
    verified: Option<bool>,
    external_id: Option<Cow<'de, str>>,
    email: Option<Cow<'de, str>>,
    name: Option<Cow<'de, str>>,
}

impl<'de> Object<'de> for VisitorParts<'de> {
    const MEMBERS: &'static [(&'static str, &'static str)] = &[
        ("verified", "context.visitor.verified"),
        ("externalId", "context.visitor.externalId"),
        ("email", "context.visitor.email"),
        ("name", "context.visitor.name"),
    ];

    fn read<A: MapAccess<'de>>(&mut self, place: usize, map: &mut A, at: &mut At) -> Result<(), A::Error> {
        match place {
            0 => {
                at.expected = "a boolean";
                self.verified = Some(map.next_value()?);
            }
            1 => self.external_id = optional_id(map, at)?,
            2 => self.email = claim(map, at)?,
            _ => self.name = claim(map, at)?,
        }
        Ok(())
    }
}

/// A text that stands for something. Half of a surrogate pair in it is no text.
fn id<'de, A: MapAccess<'de>>(map: &mut A, at: &mut At) -> Result<Cow<'de, str>, A::Error> {
    at.expected = "a string";
    Ok(map.next_value::<Whole<'de>>()?.0)
}

/// An optional text that stands for something: null and blank are absent.
fn optional_id<'de, A: MapAccess<'de>>(map: &mut A, at: &mut At) -> Result<Option<Cow<'de, str>>, A::Error> {
    at.expected = "a string";
    let text = map.next_value::<Option<Whole<'de>>>()?;
    Ok(text.map(|text| text.0).filter(|text| !is_blank(text)))
}

/// What the page or the customer said: one bad character in a name must not fail the call.
fn claim<'de, A: MapAccess<'de>>(map: &mut A, at: &mut At) -> Result<Option<Cow<'de, str>>, A::Error> {
    at.expected = "a string";
    map.next_value_seed(OptionalText(at.strings))
}

/// Reads the input's members: names, and values as their own text.
struct InputMembers<'x>(&'x mut At);

impl<'de> DeserializeSeed<'de> for InputMembers<'_> {
    type Value = Input<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Input<'de>, D::Error> {
        self.0.expected = "an object";
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for InputMembers<'_> {
    type Value = Input<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Input<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = map.next_key_seed(NameBytes(self.0.strings))? {
            members.push((name, map.next_value::<&RawValue>()?.get()));
        }
        Ok(Input::new(members))
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
                let message = format!("The op {} is not known. The one that is, is diagnostics.", Quoted(op));
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
    let walked = json::walk(
        body,
        |name| name == b"input",
        |is_input, text| {
            input = if is_input { Some(text) } else { input };
            Ok::<(), ()>(())
        },
    );
    walked.ok().and(input)
}
