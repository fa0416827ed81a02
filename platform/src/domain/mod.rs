//! Everything that happens on the platform's side, without I/O: commands in, records and effects out.
//!
//! A [`Desk`] is handed the records, the time and a source of ids; the same commands at the same times give the same
//! records and effects. What has to be done outside comes out as [`Effect`]s, to be carried out once the records are safe.

mod answer;
mod approval;
mod call;
mod conversation;
mod desk;
mod effect;
mod endpoint;
mod ids;
mod input;
mod json;
pub mod limits;
mod manifest;
mod problem;
pub mod records;
mod report;
mod text;
mod tool;

pub use answer::{Answer, Outcome};
pub use approval::{Approval, ApprovalState, Decider, Expired, Review, THE_REVIEWER, Verdict, VerdictKind};
pub use call::{Call, CallState, Origin, Run, RunState};
pub use conversation::{
    Author, Channel, Conversation, ConversationState, Due, DueWhy, Entry, EntryKind, Holder, Note, Picture,
    Turn, TurnState, Visitor,
};
pub(crate) use desk::SigningKey;
pub use desk::{
    AgentCall, CallAnswer, CallAnswerKind, Desk, LogFilter, NewConversation, NewReport, OtherCall, Page,
    Paged, ReviewCase, TestCall, ToReview,
};
pub use effect::{Effect, Sent};
pub use endpoint::{Endpoint, GoodSync, SyncState};
pub use ids::Ids;
pub(crate) use ids::hex;
pub use json::RawJson;
pub use problem::{Code, Problem};
pub use report::{Alert, Diagnosis, DiagnosisState, LogEvent, LogType, Report};
pub use tool::{AgentTool, Field, FieldKind, Tool, ToolRisk};
