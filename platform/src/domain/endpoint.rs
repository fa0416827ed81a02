//! Connected endpoints and how their syncs ended.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::records::{Keys, Record, Table};
use super::tool::Tool;

/// A connected endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Endpoint {
    /// `endpoint_…`.
    pub id: String,
    /// Where it answers.
    pub url: String,
    /// When it was connected, in Unix milliseconds.
    pub connected_ms: u64,
    /// Whether it is the demo that `dev` serves, which may be at another address the next time.
    #[serde(default)]
    pub demo: bool,
    /// Whether it has a key of its own.
    pub own_key: bool,
    /// How the last sync went.
    pub sync: SyncState,
    /// What the agent and the team see: the last sync that was good.
    pub synced: Option<GoodSync>,
    /// The tools that are switched off, by name.
    pub switched_off: BTreeSet<String>,
    /// When the syncs of the last minute began.
    pub recent_syncs_ms: Vec<u64>,
}

/// How the last sync went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "state", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SyncState {
    /// There was none.
    Never,
    /// It is under way.
    Syncing {
        /// Since when, in Unix milliseconds.
        since_ms: u64,
        /// Which one: an answer to another is dropped.
        attempt: String,
    },
    /// It was good.
    Synced {
        /// When, in Unix milliseconds.
        at_ms: u64,
    },
    /// *Sync failed*. The last good tools stay.
    Failed {
        /// When, in Unix milliseconds.
        at_ms: u64,
        /// A short code.
        code: String,
        /// Every reason.
        reasons: Vec<String>,
    },
}

/// A manifest that was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GoodSync {
    /// When, in Unix milliseconds.
    pub at_ms: u64,
    /// Its tools, in their order.
    pub tools: Vec<Tool>,
    /// Whether it answers diagnostics.
    pub diagnostics: bool,
    /// What is acceptable, and better otherwise.
    pub warnings: Vec<String>,
}

impl Endpoint {
    /// The tools of the last good sync.
    pub fn tools(&self) -> &[Tool] {
        self.synced.as_ref().map_or(&[], |good| &good.tools)
    }

    /// Where it answers, as it may stand in a log: without the query, which may hold a secret.
    pub fn shown_url(&self) -> &str {
        shown_url(&self.url)
    }

    /// Those that are switched on.
    pub fn switched_on(&self) -> impl Iterator<Item = &Tool> {
        self.tools().iter().filter(|tool| !self.switched_off.contains(&tool.name))
    }
}

/// An address as it may stand in a log.
pub(crate) fn shown_url(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

impl Record for Endpoint {
    const TABLE: Table = Table::Endpoint;

    fn keys(&self) -> Keys<'_> {
        let state = match self.sync {
            SyncState::Never => "never",
            SyncState::Syncing { .. } => "syncing",
            SyncState::Synced { .. } => "synced",
            SyncState::Failed { .. } => "failed",
        };
        Keys { id: &self.id, state, ..Keys::default() }
    }
}

/// The key of one endpoint.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Secret {
    pub(crate) endpoint: String,
    pub(crate) key: String,
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Record for Secret {
    const TABLE: Table = Table::Secret;

    fn keys(&self) -> Keys<'_> {
        Keys { id: &self.endpoint, ..Keys::default() }
    }
}
