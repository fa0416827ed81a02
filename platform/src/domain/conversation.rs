//! Conversations, and what is said in them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::records::{Keys, Record, Table};
use super::tool::AgentTool;

/// A conversation with a customer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Conversation {
    /// `conv_…`.
    pub id: String,
    /// When it began, in Unix milliseconds.
    pub created_ms: u64,
    /// Whether it goes on.
    pub state: ConversationState,
    /// Who handles it.
    pub holder: Holder,
    /// Whether the team has something to read.
    pub unread: bool,
    /// Where it takes place.
    pub channel: Channel,
    /// The customer.
    pub visitor: Visitor,
    /// What earlier conversations taught about the customer.
    pub learned: Vec<String>,
    /// The team's notes.
    pub notes: Vec<Note>,
    /// The turn that is under way.
    pub turn: Option<String>,
    /// Whether the agent has replied yet; the first reply waits for a sync.
    pub replied: bool,
    /// What the agent has to be told in its next turn. While a teammate holds the conversation, it waits.
    pub due: Vec<Due>,
}

impl Conversation {
    /// Whether the agent should take a turn now.
    pub fn agent_is_due(&self) -> bool {
        self.is_open() && self.holder == Holder::Agent && !self.due.is_empty()
    }

    pub(crate) fn is_open(&self) -> bool {
        self.state == ConversationState::Open
    }
}

/// Whether a conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ConversationState {
    /// It goes on.
    Open,
    /// The matter is settled.
    Resolved,
    /// It was closed.
    Closed,
    /// It was put away.
    Archived,
}

impl ConversationState {
    /// In a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Resolved => "resolved",
            Self::Closed => "closed",
            Self::Archived => "archived",
        }
    }
}

/// Who handles a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Holder {
    /// The agent.
    Agent,
    /// A teammate.
    Teammate {
        /// Their name.
        name: String,
    },
}

/// Where a conversation takes place. Tools run in all of them; the button and the highlight are the widget's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// The widget on the site.
    #[default]
    Widget,
    /// Mail.
    Email,
    /// Discord.
    Discord,
}

/// The customer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Visitor {
    /// Whether a signed identity says who they are.
    pub verified: bool,
    /// The application's own id for them; only when verified.
    pub external_id: Option<String>,
    /// As the page or the customer said.
    pub email: Option<String>,
    /// As the page or the customer said.
    pub name: Option<String>,
    /// What the page said about itself.
    pub page: BTreeMap<String, String>,
}

/// A note of the team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// When, in Unix milliseconds.
    pub at_ms: u64,
    /// Whose.
    pub by: Option<String>,
    /// What.
    pub text: String,
}

/// Something that the agent has to be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Due {
    /// Why.
    pub why: DueWhy,
    /// The request or run that it is about.
    pub about: Option<String>,
    /// What the agent reads.
    pub text: String,
}

/// Why the agent is due a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DueWhy {
    /// The customer wrote.
    CustomerWrote,
    /// An approved call finished, well or not.
    CallFinished,
    /// A request was denied.
    RequestDenied,
    /// The reviewer passed a request to the team.
    NeedsTeammate,
    /// A teammate's run never reported back.
    RunNeverReported,
}

/// One entry of the thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// `entry_…`.
    pub id: String,
    /// The conversation.
    pub conversation: String,
    /// When, in Unix milliseconds.
    pub at_ms: u64,
    /// Whose it is.
    pub by: Author,
    /// What it is.
    pub kind: EntryKind,
    /// The words.
    pub text: String,
    /// Pictures, by reference.
    pub pictures: Vec<Picture>,
    /// The request, run or call that a card or a line is about.
    pub about: Option<String>,
}

/// Whose an entry is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Author {
    /// The customer.
    Customer,
    /// The agent.
    Agent,
    /// A teammate.
    Teammate {
        /// Their name.
        name: Option<String>,
    },
    /// The platform.
    Platform,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// Said in the conversation.
    Message,
    /// A line for the team. The customer does not see it.
    Line,
    /// A request, with its state.
    Request,
    /// A run by a teammate, with its result. The agent does not see it.
    Run,
}

/// A picture, by reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// Where it is.
    pub url: String,
    /// What it shows, when somebody said so.
    pub alt: Option<String>,
}

/// One reply of the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// `turn_…`.
    pub id: String,
    /// The conversation.
    pub conversation: String,
    /// When it began, in Unix milliseconds.
    pub begun_ms: u64,
    /// Whether it can call.
    pub state: TurnState,
    /// The endpoints whose sync it waits for.
    pub waits_for: Vec<String>,
    /// The tools that the agent sees in it.
    pub tools: Vec<AgentTool>,
    /// How many calls it has made.
    pub calls: u32,
    /// What the agent was told when it began.
    pub due: Vec<Due>,
}

/// Where a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TurnState {
    /// It waits for the first sync.
    Waiting,
    /// It can call.
    Open,
    /// It is over.
    Ended,
}

impl Record for Conversation {
    const TABLE: Table = Table::Conversation;

    fn keys(&self) -> Keys<'_> {
        Keys { id: &self.id, state: self.state.as_str(), ..Keys::default() }
    }
}

impl Record for Entry {
    const TABLE: Table = Table::Entry;

    fn keys(&self) -> Keys<'_> {
        let state = match self.kind {
            EntryKind::Message => "message",
            EntryKind::Line => "line",
            EntryKind::Request => "request",
            EntryKind::Run => "run",
        };
        Keys { id: &self.id, conversation: Some(&self.conversation), state, ..Keys::default() }
    }
}

impl Record for Turn {
    const TABLE: Table = Table::Turn;

    fn keys(&self) -> Keys<'_> {
        let state = match self.state {
            TurnState::Waiting => "waiting",
            TurnState::Open => "open",
            TurnState::Ended => "ended",
        };
        Keys { id: &self.id, conversation: Some(&self.conversation), state, ..Keys::default() }
    }
}
