//! Requests that wait for somebody's decision.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::Outcome;
use super::conversation::Visitor;
use super::limits::NEVER_REPORTED_MS;
use super::records::{Keys, Record, Table};
use super::tool::ToolRisk;

/// A call of a `reviewed` or `high` tool, bound to its exact input and visitor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// `apr_…`. The endpoint sees it as `toolCallId` once approved.
    pub id: String,
    /// The conversation.
    pub conversation: String,
    /// Where the tool is.
    pub endpoint: String,
    /// The tool.
    pub tool: String,
    /// The tool's risk when it was asked for.
    pub risk: ToolRisk,
    /// The input, byte for byte as it will be sent.
    pub input: String,
    /// On whose behalf: the visitor as they were when it was asked for, and as they will be sent.
    pub visitor: Visitor,
    /// Where the request is.
    pub state: ApprovalState,
    /// When it was recorded, in Unix milliseconds.
    pub created_ms: u64,
    /// When it expires unless it is decided before.
    pub expires_ms: u64,
    /// What the reviewer made of it. For the team only.
    pub review: Option<Review>,
    /// Who decided.
    pub decided_by: Option<Decider>,
    /// When it was decided.
    pub decided_ms: Option<u64>,
    /// When the call was sent.
    pub started_ms: Option<u64>,
    /// When it came back, was denied, expired or was given up.
    pub finished_ms: Option<u64>,
    /// Why it expired.
    pub expired: Option<Expired>,
    /// How the call ended.
    pub outcome: Option<Outcome>,
    /// Why the call did not run.
    pub error: Option<String>,
}

/// Where a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ApprovalState {
    /// The reviewer reads.
    Reviewing,
    /// A teammate has to decide.
    Pending,
    /// Approved, and on its way.
    Executing,
    /// The tool answered.
    Completed,
    /// The call did not run, or never reported back.
    Failed,
    /// Nobody let it run.
    Denied,
    /// It ran out, or what it belonged to did.
    Expired,
}

impl ApprovalState {
    /// The states that count as open.
    pub const OPEN: [&str; 3] = ["reviewing", "pending", "executing"];
    /// The states in which it waits for a decision.
    pub const UNDECIDED: [&str; 2] = ["reviewing", "pending"];
    /// Every state, in a word.
    pub const ALL: [&str; 7] =
        ["reviewing", "pending", "executing", "completed", "failed", "denied", "expired"];

    /// In a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reviewing => "reviewing",
            Self::Pending => "pending",
            Self::Executing => "executing",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Denied => "denied",
            Self::Expired => "expired",
        }
    }

    /// Whether it counts as open.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Reviewing | Self::Pending | Self::Executing)
    }

    /// Whether it waits for a decision.
    pub const fn is_undecided(self) -> bool {
        matches!(self, Self::Reviewing | Self::Pending)
    }
}

/// What the reviewer made of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// When, in Unix milliseconds.
    pub at_ms: u64,
    /// What.
    pub verdict: VerdictKind,
    /// Why. The customer never sees it.
    pub reason: String,
}

/// What a reviewer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum VerdictKind {
    /// Let it run.
    Approve,
    /// A teammate has to look.
    Escalate,
    /// Nothing that can be read as a verdict; the same as escalating.
    None,
}

/// A reviewer's verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What.
    pub kind: VerdictKind,
    /// Why, for the team.
    pub reason: String,
}

/// Who decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Decider {
    /// A teammate.
    Teammate {
        /// Their name, when one is on record.
        name: Option<String>,
    },
    /// The reviewer.
    Reviewer,
}

/// Who lets a call run when no name is on record.
pub(crate) const NAMELESS_TEAMMATE: &str = "A teammate";
/// Who lets a call run that the reviewer approved.
pub const THE_REVIEWER: &str = "The reviewer";
/// Who lets a test run.
pub(crate) const A_TEST: &str = "A test from the CLI";

impl Decider {
    /// As the endpoint reads it in `approvedBy`.
    pub fn approved_by(&self) -> &str {
        match self {
            Self::Teammate { name } => name.as_deref().unwrap_or(NAMELESS_TEAMMATE),
            Self::Reviewer => THE_REVIEWER,
        }
    }
}

/// Why a request expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Expired {
    /// Nobody answered within 24 hours.
    Unanswered,
    /// The conversation ended.
    ConversationEnded,
    /// Its endpoint was removed.
    EndpointRemoved,
}

impl Expired {
    /// In the words of whoever tries to decide it.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Unanswered => "This request expired because nobody answered it within 24 hours.",
            Self::ConversationEnded => "This request expired because the conversation ended.",
            Self::EndpointRemoved => "This request expired because its endpoint was removed.",
        }
    }
}

impl Record for Approval {
    const TABLE: Table = Table::Approval;

    fn keys(&self) -> Keys<'_> {
        let due_ms = match self.state {
            ApprovalState::Reviewing | ApprovalState::Pending => Some(self.expires_ms),
            ApprovalState::Executing => self.started_ms.map(|at| at.saturating_add(NEVER_REPORTED_MS)),
            _ => None,
        };
        Keys {
            id: &self.id,
            conversation: Some(&self.conversation),
            endpoint: Some(&self.endpoint),
            tool: Some(&self.tool),
            state: self.state.as_str(),
            due_ms,
        }
    }
}
