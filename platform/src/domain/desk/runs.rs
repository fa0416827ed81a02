//! Runs by teammates.

use super::super::approval::NAMELESS_TEAMMATE;
use super::super::call::{Outgoing, Run, RunState};
use super::super::conversation::{Author, ConversationState, Due, DueWhy, EntryKind};
use super::super::effect::{Effect, Sent};
use super::super::input;
use super::super::limits::RUNS_IN_FLIGHT;
use super::super::problem::{Code, Problem};
use super::super::records::{Select, Table};
use super::super::report::LogType;
use super::super::text::name;
use super::calls::UNAVAILABLE;
use super::{About, Desk};

const ARCHIVED: &str = "Move this conversation out of the archive before running a tool.";
const THREE_RUNNING: &str = "Three tools are already running in this conversation. Wait for one to finish.";

impl Desk<'_> {
    /// A teammate runs a switched-on tool on a conversation, at any risk, with no sign-off. The agent is not told.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`], [`Code::ConversationArchived`], [`Code::ToolUnavailable`], [`Code::InvalidInput`] names the
    /// field that does not fit, [`Code::TooManyRuns`].
    pub fn run(
        &mut self,
        conversation: &str,
        tool: &str,
        input: &str,
        teammate: Option<String>,
    ) -> Result<Run, Problem> {
        let teammate = name("The name", teammate)?;
        let conversation = self.conversation_of(conversation)?;
        if conversation.state == ConversationState::Archived {
            return Err(Problem::new(Code::ConversationArchived, ARCHIVED));
        }
        let found =
            self.tool_of(tool)?.filter(|(endpoint, tool)| !endpoint.switched_off.contains(&tool.name));
        let (endpoint, tool) = found.ok_or_else(|| Problem::new(Code::ToolUnavailable, UNAVAILABLE))?;
        let (input, json) = input::object(input)?;
        input::check(&tool.fields, &json)?;
        let running =
            Select { conversation: Some(&conversation.id), states: &["running"], ..Select::default() };
        if self.records.count(Table::Run, &running)? >= RUNS_IN_FLIGHT {
            return Err(Problem::new(Code::TooManyRuns, THREE_RUNNING));
        }
        let run = Run {
            id: self.id("run_"),
            conversation: conversation.id,
            endpoint: endpoint.id.clone(),
            tool: tool.name,
            risk: tool.risk,
            input,
            teammate,
            state: RunState::Running,
            started_ms: self.now_ms,
            finished_ms: None,
            outcome: None,
            error: None,
        };
        let by = run.teammate.as_deref().unwrap_or(NAMELESS_TEAMMATE);
        let outgoing = Outgoing {
            tool: &run.tool,
            id: &run.id,
            input: &run.input,
            conversation: &run.conversation,
            risk: run.risk,
            visitor: &conversation.visitor,
            approved_by: Some(by),
        };
        let body = outgoing.body()?;
        let text = format!("{by} ran {}.", run.tool);
        self.put(&run)?;
        let author = Author::Teammate { name: run.teammate.clone() };
        self.entry(&run.conversation, author, EntryKind::Run, text.clone(), Some(&run.id))?;
        self.log_run(&run, "run.sent", text)?;
        let sent = Sent::Run(run.id.clone());
        self.effects.push(Effect::Send { sent, endpoint: endpoint.id, url: endpoint.url, body });
        Ok(run)
    }

    /// The hourly check gives a run up: the only time that the agent can get a turn from one.
    pub(super) fn run_never_reported(&mut self, mut run: Run) -> Result<(), Problem> {
        let text = format!("{} did not run: the call never reported back", run.tool);
        run.state = RunState::Failed;
        run.finished_ms = Some(self.now_ms);
        run.error = Some("the call never reported back".to_owned());
        self.put(&run)?;
        self.line(&run.conversation, text.clone(), &run.id)?;
        self.log_run(&run, "run.failed", text.clone())?;
        let mut conversation = self.conversation_of(&run.conversation)?;
        conversation.unread = true;
        if !conversation.is_open() {
            return self.put(&conversation);
        }
        let due = Due { why: DueWhy::RunNeverReported, about: Some(run.id), text };
        self.tell_agent(&mut conversation, due)
    }

    pub(super) fn log_run(&mut self, run: &Run, event: &str, text: String) -> Result<(), Problem> {
        let about = About {
            endpoint: Some(&run.endpoint),
            tool: Some(&run.tool),
            conversation: Some(&run.conversation),
            id: Some(&run.id),
        };
        self.log(LogType::Tools, event, &about, text)
    }
}
