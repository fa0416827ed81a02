//! What has to be done outside, once what was decided is kept.

use super::report::{Alert, LogEvent};

/// Something to do outside. It is carried out only after the records that it follows from are safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Ask an endpoint for its manifest.
    Sync {
        /// The endpoint.
        endpoint: String,
        /// Where it answers.
        url: String,
        /// Which sync this is; goes back with the answer.
        attempt: String,
    },
    /// Send a call, once.
    Send {
        /// What it is sent for; goes back with the answer.
        sent: Sent,
        /// The endpoint.
        endpoint: String,
        /// Where it answers.
        url: String,
        /// The exact body.
        body: String,
    },
    /// Ask an endpoint how it is.
    Diagnose {
        /// The report that it is for.
        report: String,
        /// The endpoint.
        endpoint: String,
        /// Where it answers.
        url: String,
    },
    /// Ask the reviewer.
    Review {
        /// The request.
        approval: String,
    },
    /// Tell whoever listens for alerts.
    Deliver(Alert),
    /// The agent is due a turn.
    Wake {
        /// In this conversation.
        conversation: String,
    },
    /// Something happened.
    Event(LogEvent),
}

/// What a call was sent for, by its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// A call of the agent's, or a test.
    Call(String),
    /// An approved request.
    Approval(String),
    /// A teammate's run.
    Run(String),
}
