//! Reports, alerts, the log, and the few settings.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::records::{Keys, Record, Table};

/// A report that somebody filed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// `report_…`.
    pub id: String,
    /// The conversation, when it came from one.
    pub conversation: Option<String>,
    /// When it was filed, in Unix milliseconds.
    pub at_ms: u64,
    /// What went wrong.
    pub text: String,
    /// What the page collected.
    pub page: BTreeMap<String, String>,
    /// What the endpoints said.
    pub diagnostics: Vec<Diagnosis>,
}

/// What one endpoint said about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    /// The endpoint.
    pub endpoint: String,
    /// Where it is.
    pub url: String,
    /// Whether it said something.
    pub state: DiagnosisState,
    /// The first 2,000 characters of it, or why there is nothing.
    pub text: String,
    /// Whether there was more.
    pub cut: bool,
}

/// Whether an endpoint said something about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DiagnosisState {
    /// It was asked.
    Waiting,
    /// It answered.
    Answered,
    /// It did not.
    Failed,
}

/// A request that the team has to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Alert {
    /// `alert_…`.
    pub id: String,
    /// When, in Unix milliseconds.
    pub at_ms: u64,
    /// The request.
    pub approval: String,
    /// Its conversation.
    pub conversation: String,
    /// Its tool.
    pub tool: String,
    /// In words.
    pub text: String,
    /// Whether the webhook took it; nothing when none is configured.
    pub delivered: Option<bool>,
}

/// One event of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogEvent {
    /// `log_…`.
    pub id: String,
    /// When, in Unix milliseconds.
    pub at_ms: u64,
    /// What it is about.
    #[serde(rename = "type")]
    pub kind: LogType,
    /// What happened, like `call.sent`.
    pub event: String,
    /// The endpoint.
    pub endpoint: Option<String>,
    /// The tool.
    pub tool: Option<String>,
    /// The conversation.
    pub conversation: Option<String>,
    /// The call, request, run, report or alert.
    pub about: Option<String>,
    /// In words.
    pub text: String,
}

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum LogType {
    /// Syncs, calls, requests, runs.
    Tools,
    /// Conversations and who holds them.
    Conversations,
    /// Reports and diagnostics.
    Reports,
    /// Alerts.
    Alerts,
    /// The stand-in itself.
    System,
}

impl LogType {
    /// Every type.
    pub const ALL: [Self; 5] = [Self::Tools, Self::Conversations, Self::Reports, Self::Alerts, Self::System];

    /// As the filter spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tools => "Tools",
            Self::Conversations => "Conversations",
            Self::Reports => "Reports",
            Self::Alerts => "Alerts",
            Self::System => "System",
        }
    }
}

/// A number that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Setting {
    pub(crate) name: String,
    pub(crate) value: u64,
}

impl Setting {
    /// How far the clock is ahead, in milliseconds.
    pub(crate) const AHEAD: &str = "clock_ahead_ms";
    /// When what never reported back is looked for next, in Unix milliseconds.
    pub(crate) const NEXT_CHECK: &str = "next_check_ms";
}

impl Record for Report {
    const TABLE: Table = Table::Report;

    fn keys(&self) -> Keys<'_> {
        let waits = self.diagnostics.iter().any(|diagnosis| diagnosis.state == DiagnosisState::Waiting);
        let state = if waits { "waiting" } else { "complete" };
        Keys { id: &self.id, conversation: self.conversation.as_deref(), state, ..Keys::default() }
    }
}

impl Alert {
    /// Nobody knows that the webhook took it.
    pub(crate) const RECORDED: &str = "recorded";
}

impl Record for Alert {
    const TABLE: Table = Table::Alert;

    fn keys(&self) -> Keys<'_> {
        let state = match self.delivered {
            Some(true) => "delivered",
            Some(false) => "failed",
            None => Self::RECORDED,
        };
        Keys {
            id: &self.id,
            conversation: Some(&self.conversation),
            tool: Some(&self.tool),
            state,
            ..Keys::default()
        }
    }
}

impl Record for LogEvent {
    const TABLE: Table = Table::Log;

    fn keys(&self) -> Keys<'_> {
        Keys {
            id: &self.id,
            conversation: self.conversation.as_deref(),
            endpoint: self.endpoint.as_deref(),
            tool: self.tool.as_deref(),
            state: self.kind.as_str(),
            due_ms: None,
        }
    }
}

impl Record for Setting {
    const TABLE: Table = Table::Setting;

    fn keys(&self) -> Keys<'_> {
        Keys { id: &self.name, ..Keys::default() }
    }
}
