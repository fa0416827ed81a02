//! What is asked for, in turns, and how it has to end.

use serde_json::{Value, json};

/// One kind of call, of the demo's tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A `low` tool that answers.
    Low,
    /// A `medium` tool that answers.
    Medium,
    /// A test.
    Test,
    /// A tool that says no.
    Refused,
    /// An input that is sent although it does not fit, and that the endpoint refuses.
    SentAnyway,
    /// An input that does not fit: the stand-in refuses it, and keeps nothing.
    NotTaken,
    /// A `high` tool, whose request a teammate approves.
    Approved,
    /// A `high` tool, whose request a teammate denies.
    Denied,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Low,
        Self::Medium,
        Self::Test,
        Self::Refused,
        Self::SentAnyway,
        Self::NotTaken,
        Self::Approved,
        Self::Denied,
    ];

    /// The kind of the call with this number: of twenty, eleven answer at once, and each other kind is among them.
    pub fn of(number: u64) -> Self {
        match number % 20 {
            12 | 13 => Self::Medium,
            14 => Self::Test,
            15 => Self::Refused,
            16 => Self::SentAnyway,
            17 => Self::NotTaken,
            18 => Self::Approved,
            19 => Self::Denied,
            _ => Self::Low,
        }
    }

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low, answered",
            Self::Medium => "medium, answered",
            Self::Test => "a test, answered",
            Self::Refused => "refused by the tool",
            Self::SentAnyway => "input refused by the endpoint",
            Self::NotTaken => "input refused by the stand-in",
            Self::Approved => "high, approved, answered",
            Self::Denied => "high, denied",
        }
    }

    /// The tool.
    pub(super) fn tool(self) -> &'static str {
        match self {
            Self::Medium => "newsletter",
            Self::Approved | Self::Denied => "refundOrder",
            _ => "orderStatus",
        }
    }

    /// Its input, of which no two are the same where the tool lets them differ.
    pub(super) fn input(self, number: u64) -> Value {
        match self {
            Self::Low | Self::Test => json!({ "orderNumber": "ORD-1042" }),
            Self::Medium => json!({ "topic": "offers", "subscribed": number.is_multiple_of(40) }),
            Self::Refused => json!({ "orderNumber": format!("ORD-{}", 10_000 + number) }),
            Self::SentAnyway => json!({ "orderNumber": "ORD-1042", "extra": number }),
            Self::NotTaken => json!({ "number": number }),
            Self::Approved | Self::Denied => json!({ "orderNumber": "ORD-1042", "cents": 1 }),
        }
    }

    /// How a call ends, or the state that a request ends in.
    pub(super) fn ends(self) -> &'static str {
        match self {
            Self::Low | Self::Medium | Self::Test => "data",
            Self::Refused => "refusal",
            Self::SentAnyway => "invalidInput",
            Self::NotTaken => "invalid_input",
            Self::Approved => "completed",
            Self::Denied => "denied",
        }
    }

    /// Whether it reaches the endpoint.
    pub(super) fn is_sent(self) -> bool {
        !matches!(self, Self::NotTaken | Self::Denied)
    }
}
