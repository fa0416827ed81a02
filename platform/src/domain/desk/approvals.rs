//! Requests: recorded, reviewed, decided, expired.

use super::super::approval::{Approval, ApprovalState, Decider, Expired, Review, Verdict, VerdictKind};
use super::super::call::Outgoing;
use super::super::conversation::{Author, Conversation, Due, DueWhy, EntryKind};
use super::super::effect::{Effect, Sent};
use super::super::endpoint::Endpoint;
use super::super::limits::REQUEST_EXPIRES_MS;
use super::super::problem::{Code, Problem};
use super::super::report::LogType;
use super::super::text::{first, name};
use super::super::tool::{Tool, ToolRisk};
use super::calls::UNAVAILABLE;
use super::{About, Desk};

/// At most so much of a reviewer's reason is kept.
const REASON_CHARACTERS: usize = 2_000;

const REVIEWED_BEFORE: &str = "This request has already been reviewed.";

impl Desk<'_> {
    /// Records a request, bound to its exact input. Returns it, and what the agent reads.
    pub(super) fn request(
        &mut self,
        conversation: Conversation,
        endpoint: &Endpoint,
        tool: &Tool,
        input: String,
    ) -> Result<(Approval, &'static str), Problem> {
        let is_reviewed = tool.risk == ToolRisk::Reviewed;
        let approval = Approval {
            id: self.id("apr_"),
            conversation: conversation.id,
            endpoint: endpoint.id.clone(),
            tool: tool.name.clone(),
            risk: tool.risk,
            input,
            visitor: conversation.visitor,
            state: if is_reviewed { ApprovalState::Reviewing } else { ApprovalState::Pending },
            created_ms: self.now_ms,
            expires_ms: self.now_ms.saturating_add(REQUEST_EXPIRES_MS),
            review: None,
            decided_by: None,
            decided_ms: None,
            started_ms: None,
            finished_ms: None,
            expired: None,
            outcome: None,
            error: None,
        };
        self.put(&approval)?;
        let card = format!("{} was requested.", approval.tool);
        self.entry(&approval.conversation, Author::Platform, EntryKind::Request, card, Some(&approval.id))?;
        self.log_approval(&approval, "request.recorded", format!("{} was requested.", approval.tool))?;
        if is_reviewed {
            self.effects.push(Effect::Review { approval: approval.id.clone() });
            Ok((
                approval,
                "The call is being checked and has not run yet. Tell the customer that it is being checked.",
            ))
        } else {
            self.alert(&approval, format!("{} needs sign-off.", approval.tool))?;
            Ok((
                approval,
                "The call needs sign-off by a teammate and has not run yet. Tell the customer that it needs sign-off.",
            ))
        }
    }

    /// A teammate lets a request run.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`], [`Code::RequestExpired`], [`Code::AlreadyReviewed`].
    pub fn approve(&mut self, id: &str, teammate: Option<String>) -> Result<Approval, Problem> {
        let teammate = name("The name", teammate)?;
        let approval = self.undecided(id)?;
        self.release(approval, Decider::Teammate { name: teammate })
    }

    /// A teammate turns a request down.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`], [`Code::RequestExpired`], [`Code::AlreadyReviewed`].
    pub fn deny(&mut self, id: &str, teammate: Option<String>) -> Result<Approval, Problem> {
        let teammate = name("The name", teammate)?;
        let mut approval = self.undecided(id)?;
        let decider = Decider::Teammate { name: teammate };
        let text = format!("{} denied {}.", decider.approved_by(), approval.tool);
        approval.state = ApprovalState::Denied;
        approval.decided_by = Some(decider);
        approval.decided_ms = Some(self.now_ms);
        approval.finished_ms = Some(self.now_ms);
        self.put(&approval)?;
        self.line(&approval.conversation, text.clone(), &approval.id)?;
        self.log_approval(&approval, "request.denied", text)?;
        let told =
            format!("A teammate denied the call of {}. It did not run. Tell the customer.", approval.tool);
        self.tell_agent_about(&approval, DueWhy::RequestDenied, told)?;
        Ok(approval)
    }

    fn undecided(&self, id: &str) -> Result<Approval, Problem> {
        let approval: Approval = self.get(id)?.ok_or_else(|| Problem::not_found("request", id))?;
        match approval.expired {
            Some(why) => Err(Problem::new(Code::RequestExpired, why.message())),
            None if approval.state.is_undecided() => Ok(approval),
            None => Err(Problem::new(Code::AlreadyReviewed, REVIEWED_BEFORE)),
        }
    }

    /// Lets an undecided request run: what was recorded is what is sent.
    fn release(&mut self, mut approval: Approval, decider: Decider) -> Result<Approval, Problem> {
        let by = decider.approved_by().to_owned();
        approval.decided_by = Some(decider);
        approval.decided_ms = Some(self.now_ms);
        self.log_approval(&approval, "request.approved", format!("{by} approved {}.", approval.tool))?;
        let endpoint: Option<Endpoint> = self.get(&approval.endpoint)?;
        let tool = endpoint
            .as_ref()
            .and_then(|endpoint| endpoint.switched_on().find(|tool| tool.name == approval.tool).cloned());
        let (Some(endpoint), Some(tool)) = (endpoint, tool) else {
            self.fail_approval(&mut approval, UNAVAILABLE, UNAVAILABLE)?;
            return Ok(approval);
        };
        let outgoing = Outgoing {
            tool: &approval.tool,
            id: &approval.id,
            input: &approval.input,
            conversation: &approval.conversation,
            risk: tool.risk,
            visitor: &approval.visitor,
            approved_by: Some(&by),
        };
        let body = outgoing.body()?;
        approval.state = ApprovalState::Executing;
        approval.started_ms = Some(self.now_ms);
        self.put(&approval)?;
        let sent = Sent::Approval(approval.id.clone());
        self.effects.push(Effect::Send { sent, endpoint: endpoint.id, url: endpoint.url, body });
        Ok(approval)
    }

    /// Takes the reviewer's verdict. One that comes after a teammate's decision, or after the end, is dropped. An approval
    /// counts for a tool that is still the reviewer's to decide: one that is `high` by now goes to a teammate.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    pub fn verdict(&mut self, id: &str, verdict: &Verdict) -> Result<(), Problem> {
        let Some(mut approval) = self.get::<Approval>(id)? else { return Ok(()) };
        let reason = first(&verdict.reason, REASON_CHARACTERS).0.to_owned();
        if approval.state != ApprovalState::Reviewing {
            return self.log_approval(
                &approval,
                "verdict.dropped",
                format!("A verdict came too late: {reason}"),
            );
        }
        let outranked = verdict.kind == VerdictKind::Approve && self.is_high_by_now(&approval)?;
        let (kind, reason) = if outranked {
            (
                VerdictKind::Escalate,
                format!("The reviewer approved, although the tool is high by now. {reason}"),
            )
        } else {
            (verdict.kind, reason)
        };
        approval.review = Some(Review { at_ms: self.now_ms, verdict: kind, reason: reason.clone() });
        if kind == VerdictKind::Approve {
            return self.release(approval, Decider::Reviewer).map(|_| ());
        }
        approval.state = ApprovalState::Pending;
        self.put(&approval)?;
        self.log_approval(
            &approval,
            "request.escalated",
            format!("The reviewer passed {} on: {reason}", approval.tool),
        )?;
        self.alert(&approval, format!("{} needs a teammate's decision.", approval.tool))?;
        let mut conversation = self.conversation_of(&approval.conversation)?;
        conversation.unread = true;
        self.put(&conversation)?;
        let told = format!(
            "A teammate has to approve the call of {}. It has not run yet. Tell the customer.",
            approval.tool
        );
        self.tell_agent_about(&approval, DueWhy::NeedsTeammate, told)
    }

    /// Whether the tool of a request was raised to a risk that only a teammate decides.
    fn is_high_by_now(&self, approval: &Approval) -> Result<bool, Problem> {
        let endpoint: Option<Endpoint> = self.get(&approval.endpoint)?;
        let tools = endpoint.as_ref().map_or(&[][..], Endpoint::tools);
        Ok(tools.iter().any(|tool| tool.name == approval.tool && tool.risk == ToolRisk::High))
    }

    /// Ends an open request because it ran out. Nobody is woken.
    pub(super) fn expire(&mut self, mut approval: Approval, why: Expired) -> Result<(), Problem> {
        approval.state = ApprovalState::Expired;
        approval.expired = Some(why);
        approval.finished_ms = Some(self.now_ms);
        self.put(&approval)?;
        let text = format!("{} did not run. {}", approval.tool, why.message());
        self.line(&approval.conversation, text.clone(), &approval.id)?;
        self.log_approval(&approval, "request.expired", text)
    }

    /// Fails a released request: a line for the team, a turn for the agent.
    pub(super) fn fail_approval(
        &mut self,
        approval: &mut Approval,
        error: &str,
        agent_error: &str,
    ) -> Result<(), Problem> {
        approval.state = ApprovalState::Failed;
        approval.finished_ms = Some(self.now_ms);
        approval.error = Some(error.to_owned());
        self.put(approval)?;
        let text = format!("{} did not run: {error}", approval.tool);
        self.line(&approval.conversation, text.clone(), &approval.id)?;
        self.log_approval(approval, "request.failed", text)?;
        let told = format!(
            "The approved call of {} did not run: {agent_error}\nTreat the action as not done.",
            approval.tool
        );
        self.tell_agent_about(approval, DueWhy::CallFinished, told)
    }

    pub(super) fn tell_agent_about(
        &mut self,
        approval: &Approval,
        why: DueWhy,
        text: String,
    ) -> Result<(), Problem> {
        let mut conversation = self.conversation_of(&approval.conversation)?;
        self.tell_agent(&mut conversation, Due { why, about: Some(approval.id.clone()), text })
    }

    pub(super) fn log_approval(
        &mut self,
        approval: &Approval,
        event: &str,
        text: String,
    ) -> Result<(), Problem> {
        let about = About {
            endpoint: Some(&approval.endpoint),
            tool: Some(&approval.tool),
            conversation: Some(&approval.conversation),
            id: Some(&approval.id),
        };
        self.log(LogType::Tools, event, &about, text)
    }
}
