//! Conversations: begun, held, ended; and what people say in them.

use std::collections::BTreeMap;

use super::super::approval::Expired;
use super::super::conversation::{
    Author, Channel, Conversation, ConversationState, Due, DueWhy, Entry, EntryKind, Holder, Note, Picture,
    Visitor,
};
use super::super::limits::{LIST_ITEMS, NAME_CHARACTERS, TEXT_CHARACTERS, URL_CHARACTERS};
use super::super::problem::{Code, Problem};
use super::super::report::LogType;
use super::super::text::{bounded, name, told};
use super::{About, Desk, turns};

/// A conversation that begins.
#[derive(Clone, Debug, Default)]
pub struct NewConversation {
    /// Where.
    pub channel: Channel,
    /// As the page or the customer says.
    pub email: Option<String>,
    /// As the page or the customer says.
    pub name: Option<String>,
    /// What the page says about itself.
    pub page: BTreeMap<String, String>,
    /// What earlier conversations taught about the customer.
    pub learned: Vec<String>,
}

impl Desk<'_> {
    /// Begins a conversation. `verified` is the visitor's id when a signed identity says so: whoever calls has checked it.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidRequest`] for what is too long.
    pub fn begin(&mut self, new: NewConversation, verified: Option<String>) -> Result<Conversation, Problem> {
        let learned = listed("What is known of the customer", new.learned)?;
        let visitor = Visitor {
            verified: verified.is_some(),
            external_id: verified,
            email: name("The email address", new.email)?,
            name: name("The name", new.name)?,
            page: page(new.page)?,
        };
        let conversation = Conversation {
            id: self.id("conv_"),
            created_ms: self.now_ms,
            state: ConversationState::Open,
            holder: Holder::Agent,
            unread: false,
            channel: new.channel,
            visitor,
            learned,
            notes: Vec::new(),
            turn: None,
            replied: false,
            due: Vec::new(),
        };
        self.put(&conversation)?;
        self.log_conversation(&conversation, "conversation.begun", "A conversation began.".to_owned())?;
        Ok(conversation)
    }

    /// The visitor says who they are, with a signed identity or without. A bad one leaves them unverified.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`].
    pub fn identify(
        &mut self,
        conversation: &str,
        verified: Option<String>,
    ) -> Result<Conversation, Problem> {
        let mut conversation = self.conversation_of(conversation)?;
        conversation.visitor.verified = verified.is_some();
        conversation.visitor.external_id = verified;
        self.put(&conversation)?;
        let word = if conversation.visitor.verified { "verified" } else { "not verified" };
        self.log_conversation(&conversation, "visitor.identified", format!("The visitor is {word}."))?;
        Ok(conversation)
    }

    /// The customer writes. The agent is due a turn.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`], [`Code::ConversationEnded`], [`Code::InvalidRequest`].
    pub fn customer_writes(
        &mut self,
        conversation: &str,
        text: String,
        pictures: Vec<Picture>,
    ) -> Result<Entry, Problem> {
        let text = told("The message", text)?;
        let pictures = checked(pictures)?;
        let mut conversation = self.conversation_of(conversation)?;
        if !conversation.is_open() {
            return Err(turns::ended(&conversation));
        }
        let mut entry = self.entry(&conversation.id, Author::Customer, EntryKind::Message, text, None)?;
        if !pictures.is_empty() {
            entry.pictures = pictures;
            self.put(&entry)?;
        }
        self.log_conversation(&conversation, "customer.wrote", "The customer wrote.".to_owned())?;
        if conversation.holder != Holder::Agent {
            conversation.unread = true;
            self.put(&conversation)?;
        }
        if conversation.due.iter().all(|due| due.why != DueWhy::CustomerWrote) {
            let due = Due { why: DueWhy::CustomerWrote, about: None, text: "The customer wrote.".to_owned() };
            self.tell_agent(&mut conversation, due)?;
        }
        Ok(entry)
    }

    /// The teammate who holds the conversation writes.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`], [`Code::ConversationEnded`], [`Code::NotHolding`] when the agent holds it.
    pub fn teammate_writes(&mut self, conversation: &str, text: String) -> Result<Entry, Problem> {
        let text = told("The message", text)?;
        let conversation = self.conversation_of(conversation)?;
        if !conversation.is_open() {
            return Err(turns::ended(&conversation));
        }
        let Holder::Teammate { name } = &conversation.holder else {
            let message = "The agent handles this conversation. Take it over first.";
            return Err(Problem::new(Code::NotHolding, message));
        };
        let by = Author::Teammate { name: Some(name.clone()) };
        let entry = self.entry(&conversation.id, by, EntryKind::Message, text, None)?;
        self.log_conversation(&conversation, "teammate.wrote", format!("{name} wrote."))?;
        Ok(entry)
    }

    /// A note of the team's.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`], [`Code::InvalidRequest`] for no text, or for more notes than are kept.
    pub fn note(
        &mut self,
        conversation: &str,
        text: String,
        by: Option<String>,
    ) -> Result<Conversation, Problem> {
        let (text, by) = (told("The note", text)?, name("The name", by)?);
        let mut conversation = self.conversation_of(conversation)?;
        if conversation.notes.len() >= LIST_ITEMS {
            let message = format!("This conversation has {LIST_ITEMS} notes, and that is the most.");
            return Err(Problem::new(Code::InvalidRequest, message));
        }
        conversation.notes.push(Note { at_ms: self.now_ms, by, text });
        self.put(&conversation)?;
        Ok(conversation)
    }

    /// Somebody on the team has read it.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`].
    pub fn read(&mut self, conversation: &str) -> Result<Conversation, Problem> {
        let mut conversation = self.conversation_of(conversation)?;
        conversation.unread = false;
        self.put(&conversation)?;
        Ok(conversation)
    }

    /// Opens, resolves, closes or archives. What ends a conversation expires its open requests, one that is executing too.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`].
    pub fn set_state(
        &mut self,
        conversation: &str,
        state: ConversationState,
    ) -> Result<Conversation, Problem> {
        let mut conversation = self.conversation_of(conversation)?;
        if conversation.state == state {
            return Ok(conversation);
        }
        if state != ConversationState::Open {
            for approval in self.open_requests(&conversation.id)? {
                self.expire(approval, Expired::ConversationEnded)?;
            }
            conversation.due.clear();
            self.end_turn(&mut conversation)?;
        }
        conversation.state = state;
        self.put(&conversation)?;
        self.log_conversation(
            &conversation,
            "conversation.state",
            format!("The conversation is {}.", state.as_str()),
        )?;
        Ok(conversation)
    }

    /// Hands the conversation to a teammate, or back to the agent, which then gets a turn for what waited.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`], [`Code::ConversationEnded`], [`Code::InvalidRequest`] for a nameless teammate.
    pub fn hand_over(&mut self, conversation: &str, to: Holder) -> Result<Conversation, Problem> {
        let to = match to {
            Holder::Agent => Holder::Agent,
            Holder::Teammate { name: given } => match name("The name", Some(given))? {
                Some(name) => Holder::Teammate { name },
                None => {
                    return Err(Problem::new(
                        Code::InvalidRequest,
                        "Say which teammate takes it: the name is empty.",
                    ));
                }
            },
        };
        let mut conversation = self.conversation_of(conversation)?;
        if !conversation.is_open() {
            return Err(turns::ended(&conversation));
        }
        if conversation.holder == to {
            return Ok(conversation);
        }
        let text = match &to {
            Holder::Agent => "The agent handles the conversation.".to_owned(),
            Holder::Teammate { name } => format!("{name} handles the conversation."),
        };
        conversation.holder = to;
        // What the agent was told and did not pass on, it is told again.
        if let Some(mut turn) = self.turn_of(&conversation)? {
            turn.due.append(&mut conversation.due);
            conversation.due = std::mem::take(&mut turn.due);
            self.put(&turn)?;
        }
        self.end_turn(&mut conversation)?;
        self.log_conversation(&conversation, "conversation.handed", text)?;
        self.wake_if_due(&conversation)?;
        Ok(conversation)
    }

    fn log_conversation(
        &mut self,
        conversation: &Conversation,
        event: &str,
        text: String,
    ) -> Result<(), Problem> {
        let about = About { conversation: Some(&conversation.id), ..About::default() };
        self.log(LogType::Conversations, event, &about, text)
    }
}

fn too_many(what: &str) -> Problem {
    Problem::new(Code::InvalidRequest, format!("{what} has too many items; {LIST_ITEMS} is the most."))
}

fn listed(what: &str, list: Vec<String>) -> Result<Vec<String>, Problem> {
    if list.len() > LIST_ITEMS {
        return Err(too_many(what));
    }
    list.into_iter().map(|text| told(what, text)).collect()
}

/// What a page says about itself.
pub(super) fn page(page: BTreeMap<String, String>) -> Result<BTreeMap<String, String>, Problem> {
    if page.len() > LIST_ITEMS {
        return Err(too_many("The page"));
    }
    let member = |(name, value)| {
        Ok((
            bounded("A name of the page's details", name, NAME_CHARACTERS)?,
            bounded("A detail of the page", value, TEXT_CHARACTERS)?,
        ))
    };
    page.into_iter().map(member).collect()
}

fn checked(pictures: Vec<Picture>) -> Result<Vec<Picture>, Problem> {
    if pictures.len() > LIST_ITEMS {
        return Err(too_many("The message"));
    }
    let one = |picture: Picture| {
        let url = bounded("The address of a picture", picture.url, URL_CHARACTERS)?;
        if !(url.starts_with("https://") || url.starts_with("http://")) {
            let message = "A picture is given by its address, which begins with http:// or https://.";
            return Err(Problem::new(Code::InvalidRequest, message));
        }
        Ok(Picture { url, alt: name("The words for a picture", picture.alt)? })
    };
    pictures.into_iter().map(one).collect()
}
