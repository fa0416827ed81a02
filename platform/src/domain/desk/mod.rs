//! The commands. Each takes effect whole or not at all; [`Desk::settle`] goes before each of them.

mod approvals;
mod calls;
mod conversations;
mod endpoints;
mod outcomes;
mod reports;
mod runs;
mod sync;
mod time;
mod turns;
mod views;

pub(crate) use endpoints::SigningKey;

pub use calls::{AgentCall, CallAnswer, CallAnswerKind, TestCall};
pub use conversations::NewConversation;
pub use reports::NewReport;
pub use views::{LogFilter, OtherCall, Page, Paged, ReviewCase, ToReview};

use super::conversation::{Author, Conversation, Due, Entry, EntryKind};
use super::effect::Effect;
use super::endpoint::Endpoint;
use super::ids::{Ids, hex};
use super::limits::{LOG_EVENTS, LOG_PRUNED_EVERY};
use super::problem::Problem;
use super::records::{self, Order, Record, Records, Select, Table};
use super::report::{LogEvent, LogType};
use super::tool::Tool;

/// At most so much is kept to tell the agent.
const DUE_KEPT: usize = 50;

/// The platform's side at one moment.
pub struct Desk<'a> {
    records: &'a mut dyn Records,
    ids: &'a mut dyn Ids,
    now_ms: u64,
    effects: Vec<Effect>,
}

impl std::fmt::Debug for Desk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Desk").field("now_ms", &self.now_ms).field("effects", &self.effects.len()).finish()
    }
}

/// What an event of the log is about.
#[derive(Default)]
struct About<'a> {
    endpoint: Option<&'a str>,
    tool: Option<&'a str>,
    conversation: Option<&'a str>,
    id: Option<&'a str>,
}

impl<'a> Desk<'a> {
    /// A desk over these records, at this time of its movable clock in Unix milliseconds.
    pub fn new(records: &'a mut dyn Records, ids: &'a mut dyn Ids, now_ms: u64) -> Self {
        Self { records, ids, now_ms, effects: Vec::new() }
    }

    /// What is to be done outside, in order.
    pub fn into_effects(self) -> Vec<Effect> {
        self.effects
    }

    /// The time that it is here, in Unix milliseconds.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    fn id(&mut self, prefix: &str) -> String {
        format!("{prefix}{}", hex(&self.ids.next()))
    }

    fn get<T: Record>(&self, id: &str) -> Result<Option<T>, Problem> {
        records::get(self.records, id)
    }

    fn put<T: Record>(&mut self, record: &T) -> Result<(), Problem> {
        records::put(self.records, record).map(|_| ())
    }

    fn find<T: Record>(&self, select: &Select<'_>) -> Result<Vec<T>, Problem> {
        records::find(self.records, select)
    }

    fn conversation_of(&self, id: &str) -> Result<Conversation, Problem> {
        self.get(id)?.ok_or_else(|| Problem::not_found("conversation", id))
    }

    fn endpoint_of(&self, id: &str) -> Result<Endpoint, Problem> {
        self.get(id)?.ok_or_else(|| Problem::not_found("endpoint", id))
    }

    fn all_endpoints(&self) -> Result<Vec<Endpoint>, Problem> {
        self.find(&Select { order: Order::Oldest, ..Select::default() })
    }

    /// The tool of that name, switched on or off.
    fn tool_of(&self, name: &str) -> Result<Option<(Endpoint, Tool)>, Problem> {
        let endpoints = self.all_endpoints()?;
        Ok(endpoints.into_iter().find_map(|endpoint| {
            let tool = endpoint.tools().iter().find(|tool| tool.name == name).cloned()?;
            Some((endpoint, tool))
        }))
    }

    fn log(&mut self, kind: LogType, event: &str, about: &About<'_>, text: String) -> Result<(), Problem> {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let event = LogEvent {
            id: self.id("log_"),
            at_ms: self.now_ms,
            kind,
            event: event.to_owned(),
            endpoint: owned(about.endpoint),
            tool: owned(about.tool),
            conversation: owned(about.conversation),
            about: owned(about.id),
            text,
        };
        let number = records::put(self.records, &event)?;
        // Events are numbered one after the other, so none of these moments is missed.
        if number.is_multiple_of(LOG_PRUNED_EVERY) && number > LOG_EVENTS {
            self.records.delete_until(Table::Log, number - LOG_EVENTS)?;
        }
        self.effects.push(Effect::Event(event));
        Ok(())
    }

    fn entry(
        &mut self,
        conversation: &str,
        by: Author,
        kind: EntryKind,
        text: String,
        about: Option<&str>,
    ) -> Result<Entry, Problem> {
        let entry = Entry {
            id: self.id("entry_"),
            conversation: conversation.to_owned(),
            at_ms: self.now_ms,
            by,
            kind,
            text,
            pictures: Vec::new(),
            about: about.map(str::to_owned),
        };
        self.put(&entry)?;
        Ok(entry)
    }

    /// A line of the platform's own in the thread, for the team.
    fn line(&mut self, conversation: &str, text: String, about: &str) -> Result<(), Problem> {
        self.entry(conversation, Author::Platform, EntryKind::Line, text, Some(about)).map(|_| ())
    }

    /// Keeps something that the agent has to be told. It gets a turn if it handles the conversation; else it waits.
    fn tell_agent(&mut self, conversation: &mut Conversation, due: Due) -> Result<(), Problem> {
        if conversation.due.len() >= DUE_KEPT {
            conversation.due.remove(0);
        }
        conversation.due.push(due);
        self.put(conversation)?;
        self.wake_if_due(conversation)
    }

    fn wake_if_due(&mut self, conversation: &Conversation) -> Result<(), Problem> {
        if !conversation.agent_is_due() {
            return Ok(());
        }
        self.effects.push(Effect::Wake { conversation: conversation.id.clone() });
        let about = About { conversation: Some(&conversation.id), ..About::default() };
        self.log(LogType::Conversations, "agent.due", &about, "The agent is due a turn.".to_owned())
    }
}
