//! Turns: one reply of the agent each.

use super::super::conversation::{Author, Conversation, EntryKind, Holder, Turn, TurnState};
use super::super::problem::{Code, Problem};
use super::super::report::LogType;
use super::super::text::told;
use super::super::tool::AgentTool;
use super::{About, Desk};

impl Desk<'_> {
    /// The tools that the agent sees now.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    pub fn agent_tools(&self) -> Result<Vec<AgentTool>, Problem> {
        let endpoints = self.all_endpoints()?;
        let of = |endpoint: &super::Endpoint| -> Vec<AgentTool> {
            endpoint.switched_on().map(|tool| AgentTool::new(&endpoint.id, tool)).collect()
        };
        Ok(endpoints.iter().flat_map(of).collect())
    }

    /// Begins the agent's turn, or gives the one that is under way. The first one in a conversation waits for a sync.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`], [`Code::ConversationEnded`], [`Code::NotHolding`].
    pub fn begin_turn(&mut self, conversation: &str) -> Result<Turn, Problem> {
        let mut conversation = self.conversation_of(conversation)?;
        agent_handles(&conversation)?;
        if let Some(turn) = self.turn_of(&conversation)? {
            return Ok(turn);
        }
        let mut turn = Turn {
            id: self.id("turn_"),
            conversation: conversation.id.clone(),
            begun_ms: self.now_ms,
            state: TurnState::Waiting,
            waits_for: Vec::new(),
            tools: Vec::new(),
            calls: 0,
            due: std::mem::take(&mut conversation.due),
        };
        conversation.turn = Some(turn.id.clone());
        self.put(&conversation)?;
        if !conversation.replied {
            self.sync_for_first_reply(&mut turn)?;
        }
        if turn.waits_for.is_empty() {
            self.open_turn(&mut turn)?;
        } else {
            self.put(&turn)?;
        }
        Ok(turn)
    }

    /// An endpoint over its rate limit is not waited for: the reply goes on with its last good tools.
    fn sync_for_first_reply(&mut self, turn: &mut Turn) -> Result<(), Problem> {
        for mut endpoint in self.all_endpoints()? {
            match self.start_sync(&mut endpoint) {
                Ok(()) => turn.waits_for.push(endpoint.id),
                Err(problem) if problem.code() == Code::RateLimited => {
                    let about = About { endpoint: Some(&endpoint.id), ..About::default() };
                    let text = format!("Sync failed: rate_limited. {}", problem.message());
                    self.log(LogType::Tools, "sync.failed", &about, text)?;
                }
                Err(problem) => return Err(problem),
            }
        }
        Ok(())
    }

    /// Ends the turn with what the agent says.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`], [`Code::NoTurn`], [`Code::InvalidRequest`] for no text.
    pub fn reply(&mut self, conversation: &str, text: String) -> Result<Conversation, Problem> {
        let text = told("The reply", text)?;
        let mut conversation = self.conversation_of(conversation)?;
        agent_handles(&conversation)?;
        if self.turn_of(&conversation)?.is_none() {
            return Err(no_turn());
        }
        self.entry(&conversation.id, Author::Agent, EntryKind::Message, text, None)?;
        conversation.replied = true;
        self.end_turn(&mut conversation)?;
        let about = About { conversation: Some(&conversation.id), ..About::default() };
        self.log(LogType::Conversations, "agent.replied", &about, "The agent replied.".to_owned())?;
        Ok(conversation)
    }

    pub(super) fn end_turn(&mut self, conversation: &mut Conversation) -> Result<(), Problem> {
        if let Some(mut turn) = self.turn_of(conversation)? {
            turn.state = TurnState::Ended;
            turn.waits_for.clear();
            self.put(&turn)?;
        }
        conversation.turn = None;
        self.put(conversation)
    }

    /// The turn that is under way.
    pub(super) fn turn_of(&self, conversation: &Conversation) -> Result<Option<Turn>, Problem> {
        match &conversation.turn {
            Some(turn) => self.get(turn),
            None => Ok(None),
        }
    }
}

pub(super) fn agent_handles(conversation: &Conversation) -> Result<(), Problem> {
    if !conversation.is_open() {
        return Err(ended(conversation));
    }
    match &conversation.holder {
        Holder::Agent => Ok(()),
        Holder::Teammate { name } => {
            let message = format!("{name} handles this conversation. Hand it back to the agent first.");
            Err(Problem::new(Code::NotHolding, message))
        }
    }
}

pub(super) fn no_turn() -> Problem {
    Problem::new(Code::NoTurn, "The agent has no open turn in this conversation. Begin one first.")
}

pub(super) fn ended(conversation: &Conversation) -> Problem {
    let message = format!("This conversation is {}. Open it again first.", conversation.state.as_str());
    Problem::new(Code::ConversationEnded, message)
}
