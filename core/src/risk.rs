//! What a call may cost, as its author declares it.

use core::fmt;
use serde::Serialize;

/// How a tool's calls are released.
///
/// Only the gate of [`Risk::Reviewed`] and [`Risk::High`] is checked by code. `Medium` is an instruction to the
/// agent: where a wrong call costs something, use `Reviewed` or `High`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    /// Runs when the agent calls it.
    Low,
    /// Runs when the agent calls it; the agent is told to get the customer's yes first.
    Medium,
    /// Waits for the customer's yes and then for an automated reviewer, who may hand it to a teammate.
    Reviewed,
    /// Waits for a teammate's approval.
    High,
}

impl Risk {
    /// Every risk, from the least.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::Reviewed, Self::High];

    /// The risk as it stands on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::Reviewed => "reviewed",
            Self::High => "high",
        }
    }

    /// The risk that has this text, if one has.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|risk| risk.as_str() == text)
    }

    /// Whether a call must say who approved it before it runs.
    pub const fn needs_approval(self) -> bool {
        matches!(self, Self::Reviewed | Self::High)
    }
}

impl fmt::Display for Risk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whether a tool changes anything. It decides what a call that ran out of time is told to be: a read has failed, a
/// write may have happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// May change something: the safe reading, and the default.
    #[default]
    Write,
}

impl Effect {
    /// The effect as it stands on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}
