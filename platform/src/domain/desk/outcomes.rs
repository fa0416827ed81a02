//! Answers of endpoints to calls, whoever made them.

use super::super::answer::{self, Answer, Outcome};
use super::super::approval::{Approval, ApprovalState};
use super::super::call::{Call, CallState, Run, RunState};
use super::super::conversation::{Channel, DueWhy};
use super::super::effect::Sent;
use super::super::problem::Problem;
use super::super::report::LogType;
use super::{About, Desk};

/// What is said of a call that never reported back.
const NO_RESULT: &str = "The tool returned no result. Check whether the action completed before retrying.";

impl Desk<'_> {
    /// Takes an endpoint's answer. One that comes after its call was given up is only logged.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`](super::super::problem::Code::StorageFailed).
    pub fn answered(&mut self, sent: &Sent, answer: &Answer) -> Result<(), Problem> {
        let outcome = answer::read(answer);
        match sent {
            Sent::Call(id) => self.call_answered(id, outcome),
            Sent::Approval(id) => self.approval_answered(id, outcome),
            Sent::Run(id) => self.run_answered(id, outcome),
        }
    }

    fn call_answered(&mut self, id: &str, outcome: Outcome) -> Result<(), Problem> {
        let Some(mut call) = self.get::<Call>(id)? else { return Ok(()) };
        if call.state != CallState::Sent {
            return Ok(());
        }
        let outcome = match &call.conversation {
            Some(conversation) => self.for_channel(conversation, outcome)?,
            None => outcome,
        };
        let about = About {
            endpoint: Some(&call.endpoint),
            tool: Some(&call.tool),
            conversation: call.conversation.as_deref(),
            id: Some(&call.id),
        };
        let error = outcome.error().map(|error| format!(" {error}")).unwrap_or_default();
        let text = format!("{} answered: {}.{error}", call.tool, outcome.word());
        self.log(LogType::Tools, "call.finished", &about, text)?;
        call.state = CallState::Finished;
        call.finished_ms = Some(self.now_ms);
        call.agent_reads = Some(outcome.agent_reads());
        call.outcome = Some(outcome);
        self.put(&call)
    }

    fn approval_answered(&mut self, id: &str, outcome: Outcome) -> Result<(), Problem> {
        let Some(mut approval) = self.get::<Approval>(id)? else { return Ok(()) };
        if approval.state != ApprovalState::Executing {
            let text = format!("{} answered too late: {}.", approval.tool, outcome.word());
            return self.log_approval(&approval, "result.late", text);
        }
        let outcome = self.for_channel(&approval.conversation, outcome)?;
        approval.outcome = Some(outcome.clone());
        if let Some(error) = outcome.error() {
            let agent_error = match &outcome {
                Outcome::NotAnswering { .. } => outcome.agent_reads(),
                _ => error.clone(),
            };
            return self.fail_approval(&mut approval, &error, &agent_error);
        }
        approval.state = ApprovalState::Completed;
        approval.finished_ms = Some(self.now_ms);
        self.put(&approval)?;
        let text = match &outcome {
            Outcome::Refusal { reason, .. } => format!("{} said no: {reason}", approval.tool),
            _ => format!("{} ran.", approval.tool),
        };
        self.line(&approval.conversation, text.clone(), &approval.id)?;
        self.log_approval(&approval, "request.completed", text)?;
        let told = format!(
            "The approved call of {} finished. The tool answered:\n{}",
            approval.tool,
            outcome.agent_reads()
        );
        self.tell_agent_about(&approval, DueWhy::CallFinished, told)
    }

    /// The button and the highlight are the widget's.
    pub(super) fn for_channel(&self, conversation: &str, outcome: Outcome) -> Result<Outcome, Problem> {
        let is_widget = self.conversation_of(conversation)?.channel == Channel::Widget;
        Ok(if is_widget { outcome } else { outcome.for_other_channel() })
    }

    fn run_answered(&mut self, id: &str, outcome: Outcome) -> Result<(), Problem> {
        let Some(mut run) = self.get::<Run>(id)? else { return Ok(()) };
        if run.state != RunState::Running {
            let text = format!("{} answered too late: {}.", run.tool, outcome.word());
            return self.log_run(&run, "result.late", text);
        }
        run.error = outcome.error();
        run.state = if run.error.is_some() { RunState::Failed } else { RunState::Completed };
        run.finished_ms = Some(self.now_ms);
        run.outcome = Some(outcome);
        self.put(&run)?;
        let text = match &run.error {
            Some(error) => format!("{} did not run: {error}", run.tool),
            None => format!("{} ran.", run.tool),
        };
        self.log_run(&run, "run.finished", text)
    }

    /// The hourly check gives an approved call up.
    pub(super) fn approval_never_reported(&mut self, mut approval: Approval) -> Result<(), Problem> {
        self.fail_approval(&mut approval, NO_RESULT, NO_RESULT)
    }
}
