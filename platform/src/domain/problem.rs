//! Why a command was refused: a code for programs, words for the person.

use std::fmt;

/// What was wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    code: Code,
    message: String,
}

impl Problem {
    /// A problem in words.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    pub(crate) fn not_found(what: &str, id: &str) -> Self {
        let (id, _) = super::text::first(id, 80);
        Self::new(Code::NotFound, format!("There is no {what} {id:?}. Look at the list for its id."))
    }

    pub(crate) fn not_named(what: &str, name: &str) -> Self {
        let (name, _) = super::text::first(name, 80);
        Self::new(Code::NotFound, format!("There is no {what} {name:?}. Look at the list for its name."))
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The words, for the person who asked.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident $text:literal $status:literal;)*) => {
        /// The closed list of problems, each with its HTTP status.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The code as it stands in an answer.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }

            /// The HTTP status that goes with it.
            pub const fn status(self) -> u16 {
                match self { $(Self::$name => $status),* }
            }
        }
    };
}

codes! {
    /// The request does not have the form that the route takes.
    InvalidRequest "invalid_request" 400;
    /// An input does not fit its tool's schema.
    InvalidInput "invalid_input" 400;
    /// No bearer, or the wrong one.
    Unauthorized "unauthorized" 401;
    /// The request names another host, or comes from another page.
    ForeignHost "foreign_host" 403;
    /// Nothing has that id, or no route that path.
    NotFound "not_found" 404;
    /// The route takes another method.
    MethodNotAllowed "method_not_allowed" 405;
    /// The conversation is not open.
    ConversationEnded "conversation_ended" 409;
    /// The conversation is in the archive.
    ConversationArchived "conversation_archived" 409;
    /// Somebody else handles the conversation.
    NotHolding "not_holding" 409;
    /// There is no open turn to do that in.
    NoTurn "no_turn" 409;
    /// The turn has made as many calls as it may.
    TurnFull "turn_full" 409;
    /// The tool is switched off or gone.
    ToolUnavailable "tool_unavailable" 409;
    /// The request ran out before it was decided.
    RequestExpired "request_expired" 409;
    /// The request was decided before.
    AlreadyReviewed "already_reviewed" 409;
    /// As many runs are in flight as may be.
    TooManyRuns "too_many_runs" 409;
    /// As many endpoints are connected as may be.
    TooManyEndpoints "too_many_endpoints" 409;
    /// The body is larger than the route takes.
    TooLarge "too_large" 413;
    /// More requests than the limit.
    RateLimited "rate_limited" 429;
    /// The database did not do its part; nothing was changed.
    StorageFailed "storage_failed" 500;
    /// The stand-in is ending.
    Stopping "stopping" 503;
}
