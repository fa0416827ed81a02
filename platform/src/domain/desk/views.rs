//! What is asked of the records without changing them.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::approval::{Approval, ApprovalState};
use super::super::call::{Call, Run};
use super::super::conversation::{Conversation, Entry, Turn};
use super::super::endpoint::Endpoint;
use super::super::limits::CASE_RECORD_BYTES;
use super::super::problem::{Code, Problem};
use super::super::records::{self, Order, Record, Select, Table};
use super::super::report::{Alert, LogEvent, LogType, Report};
use super::super::text::first;
use super::super::tool::Tool;
use super::Desk;

/// How many there are on a page unless somebody says otherwise, and at most.
const PAGE: usize = 50;
const LARGEST_PAGE: usize = 200;

/// Which part of a list.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct Page {
    /// Only what was recorded before this: the `next` of the page before.
    pub before: Option<u64>,
    /// Only what was recorded after this, the oldest first.
    pub after: Option<u64>,
    /// How many: 1 to 200, and 50 unless said otherwise.
    pub limit: Option<usize>,
}

/// One page of a list, the newest first, or the oldest first with `after`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Paged<T> {
    /// The items.
    pub items: Vec<T>,
    /// Where the list goes on: the next `before`, or the next `after`. Nothing at its end.
    pub next: Option<u64>,
}

/// Which events of the log.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct LogFilter {
    /// `Tools`, `Conversations`, `Reports`, `Alerts` or `System`.
    #[serde(rename = "type")]
    #[param(rename = "type")]
    pub kind: Option<String>,
    /// About this endpoint.
    pub endpoint: Option<String>,
    /// About this tool.
    pub tool: Option<String>,
    /// About this conversation.
    pub conversation: Option<String>,
    /// Only what was recorded before this.
    pub before: Option<u64>,
    /// Only what was recorded after this, the oldest first.
    pub after: Option<u64>,
    /// How many: 1 to 200, and 50 unless said otherwise.
    pub limit: Option<usize>,
}

/// Everything that a reviewer reads.
#[derive(Clone, Debug)]
pub struct ReviewCase {
    /// The request.
    pub approval: Approval,
    /// The tool, unless it is gone.
    pub tool: Option<Tool>,
    /// The conversation, with its visitor, notes and what is known of the customer.
    pub conversation: Conversation,
    /// Every message of the transcript, with pictures.
    pub transcript: Vec<Entry>,
    /// Every other tool call of the conversation.
    pub other_calls: Vec<OtherCall>,
}

/// What there is to review of a request.
#[derive(Clone, Debug)]
pub enum ToReview {
    /// It is no longer under review.
    Nothing,
    /// Its conversation is larger than any reviewer reads, so it was not read either.
    TooLarge {
        /// How many bytes its records have.
        bytes: u64,
    },
    /// This.
    Case(Box<ReviewCase>),
}

/// Another call of the conversation, as a reviewer reads it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OtherCall {
    /// When, in Unix milliseconds.
    pub at_ms: u64,
    /// Who: `agent`, `request`, `teammate` or `test`.
    pub by: &'static str,
    /// Which tool.
    pub tool: String,
    /// With what.
    pub input: String,
    /// Where it is.
    pub state: String,
    /// What came back.
    pub result: Option<String>,
}

impl Desk<'_> {
    /// Every endpoint, as connected.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`], as with all views.
    pub fn endpoints(&self) -> Result<Vec<Endpoint>, Problem> {
        self.all_endpoints()
    }

    /// One endpoint.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`].
    pub fn endpoint(&self, id: &str) -> Result<Endpoint, Problem> {
        self.endpoint_of(id)
    }

    /// One conversation.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`].
    pub fn conversation(&self, id: &str) -> Result<Conversation, Problem> {
        self.conversation_of(id)
    }

    /// One turn.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`].
    pub fn turn(&self, id: &str) -> Result<Turn, Problem> {
        self.get(id)?.ok_or_else(|| Problem::not_found("turn", id))
    }

    /// One call.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`].
    pub fn call_of(&self, id: &str) -> Result<Call, Problem> {
        self.get(id)?.ok_or_else(|| Problem::not_found("call", id))
    }

    /// One request.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`].
    pub fn approval(&self, id: &str) -> Result<Approval, Problem> {
        self.get(id)?.ok_or_else(|| Problem::not_found("request", id))
    }

    /// One run.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`].
    pub fn run_of(&self, id: &str) -> Result<Run, Problem> {
        self.get(id)?.ok_or_else(|| Problem::not_found("run", id))
    }

    /// One report.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`].
    pub fn report_of(&self, id: &str) -> Result<Report, Problem> {
        self.get(id)?.ok_or_else(|| Problem::not_found("report", id))
    }

    /// Conversations.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    pub fn conversations(&self, page: Page) -> Result<Paged<Conversation>, Problem> {
        self.paged(page, &Select::default())
    }

    /// The thread of a conversation.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`].
    pub fn thread(&self, conversation: &str, page: Page) -> Result<Paged<Entry>, Problem> {
        self.conversation_of(conversation)?;
        self.paged(page, &Select { conversation: Some(conversation), ..Select::default() })
    }

    /// The calls of a conversation, or all.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    pub fn calls(&self, conversation: Option<&str>, page: Page) -> Result<Paged<Call>, Problem> {
        self.paged(page, &Select { conversation, ..Select::default() })
    }

    /// The runs of a conversation, or all.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    pub fn runs(&self, conversation: Option<&str>, page: Page) -> Result<Paged<Run>, Problem> {
        self.paged(page, &Select { conversation, ..Select::default() })
    }

    /// Requests, in one state or in all.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidRequest`] for a state that there is not.
    pub fn approvals(
        &self,
        state: Option<&str>,
        conversation: Option<&str>,
        page: Page,
    ) -> Result<Paged<Approval>, Problem> {
        let states: Vec<&str> = match state {
            None => Vec::new(),
            Some("open") => ApprovalState::OPEN.to_vec(),
            Some(state) if ApprovalState::ALL.contains(&state) => vec![state],
            Some(_) => {
                let message = format!("status is one of open, {}.", ApprovalState::ALL.join(", "));
                return Err(Problem::new(Code::InvalidRequest, message));
            }
        };
        self.paged(page, &Select { states: &states, conversation, ..Select::default() })
    }

    /// Reports.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    pub fn reports(&self, page: Page) -> Result<Paged<Report>, Problem> {
        self.paged(page, &Select::default())
    }

    /// Alerts.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    pub fn alerts(&self, page: Page) -> Result<Paged<Alert>, Problem> {
        self.paged(page, &Select::default())
    }

    /// Events of the log.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidRequest`] for a type that there is not.
    pub fn logs(&self, filter: &LogFilter) -> Result<Paged<LogEvent>, Problem> {
        let states: Vec<&str> = filter.kind.as_deref().into_iter().collect();
        if let Some(unknown) =
            states.iter().find(|kind| LogType::ALL.iter().all(|known| known.as_str() != **kind))
        {
            let known: Vec<_> = LogType::ALL.iter().map(|kind| kind.as_str()).collect();
            let message =
                format!("{:?} is no type of event. There are {}.", first(unknown, 40).0, known.join(", "));
            return Err(Problem::new(Code::InvalidRequest, message));
        }
        let page = Page { before: filter.before, after: filter.after, limit: filter.limit };
        let select = Select {
            states: &states,
            endpoint: filter.endpoint.as_deref(),
            tool: filter.tool.as_deref(),
            conversation: filter.conversation.as_deref(),
            ..Select::default()
        };
        self.paged(page, &select)
    }

    fn paged<T: Record>(&self, page: Page, select: &Select<'_>) -> Result<Paged<T>, Problem> {
        let limit = page.limit.unwrap_or(PAGE).clamp(1, LARGEST_PAGE);
        let order = if page.after.is_some() { Order::Oldest } else { Order::Newest };
        // One more than asked for tells whether there is another page.
        let select =
            Select { before: page.before, after: page.after, order, limit: limit + 1, ..select.clone() };
        let mut rows = self.records.find(T::TABLE, &select)?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|(number, _)| *number);
        let items = rows.iter().map(|(_, json)| records::read(json)).collect::<Result<_, _>>()?;
        Ok(Paged { items, next })
    }

    /// Everything that a reviewer reads about a request; nothing once it is no longer under review. A conversation may have
    /// grown to any size: how large it is is asked before it is read.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    pub fn review_case(&self, approval: &str) -> Result<ToReview, Problem> {
        let Some(approval) = self.get::<Approval>(approval)? else { return Ok(ToReview::Nothing) };
        if approval.state != ApprovalState::Reviewing {
            return Ok(ToReview::Nothing);
        }
        let of = Select { conversation: Some(&approval.conversation), ..Select::default() };
        let mut bytes = 0;
        for table in [Table::Entry, Table::Call, Table::Approval, Table::Run] {
            bytes += self.records.bytes(table, &of)?;
        }
        if bytes > CASE_RECORD_BYTES {
            return Ok(ToReview::TooLarge { bytes });
        }
        let conversation = self.conversation_of(&approval.conversation)?;
        let endpoint: Option<Endpoint> = self.get(&approval.endpoint)?;
        let tool = endpoint
            .and_then(|endpoint| endpoint.tools().iter().find(|tool| tool.name == approval.tool).cloned());
        let transcript = self.find(&Select { states: &["message"], ..of.clone() })?;
        let calls = self.find::<Call>(&of)?.into_iter().map(|call| OtherCall {
            at_ms: call.sent_ms,
            by: if call.origin == super::super::call::Origin::Agent { "agent" } else { "test" },
            tool: call.tool,
            input: call.input,
            state: if call.finished_ms.is_some() { "finished" } else { "sent" }.to_owned(),
            result: call.agent_reads,
        });
        let requests = self.find::<Approval>(&of)?.into_iter().filter(|other| other.id != approval.id);
        let requests = requests.map(|other| OtherCall {
            at_ms: other.created_ms,
            by: "request",
            tool: other.tool,
            input: other.input,
            state: other.state.as_str().to_owned(),
            result: other.error.or_else(|| other.outcome.map(|outcome| outcome.agent_reads())),
        });
        let runs = self.find::<Run>(&of)?.into_iter().map(|run| OtherCall {
            at_ms: run.started_ms,
            by: "teammate",
            tool: run.tool,
            input: run.input,
            state: run.state.as_str().to_owned(),
            result: run.error.or_else(|| run.outcome.map(|outcome| outcome.agent_reads())),
        });
        let mut other_calls: Vec<_> = calls.chain(requests).chain(runs).collect();
        other_calls.sort_by_key(|call| call.at_ms);
        let case = ReviewCase { approval, tool, conversation, transcript, other_calls };
        Ok(ToReview::Case(Box::new(case)))
    }
}
