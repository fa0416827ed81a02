//! An answer, read as the platform reads it.

use alloc::string::{String, ToString};

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Code;
use crate::http::Response;
use crate::limits::RESULT_READ_CHARACTERS;
use crate::outcome::{DEFAULT_REASON, RefusalOutcome};
use crate::text::characters;
use crate::warn;

/// An answer, read as the platform reads it. The methods panic with what came when it is not what they ask for.
#[derive(Clone, Debug)]
#[must_use]
pub struct TestAnswer {
    status: u16,
    read: Read,
    navigate_to: Option<String>,
    highlight: Option<String>,
    characters: usize,
}

#[derive(Clone, Debug)]
enum Read {
    Data(Value),
    Refusal(ReadRefusal),
    Error(ReadError),
}

/// A refusal, as the agent reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadRefusal {
    /// The short code.
    pub reason: String,
    /// One line that the agent can use.
    pub detail: Option<String>,
    /// Whether the action happened, where the tool says so.
    pub outcome: Option<RefusalOutcome>,
}

/// An error, as it was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadError {
    /// The code.
    pub code: Code,
    /// The message: for the agent with `execution_failed` and `invalid_input`, else for whoever has to fix it.
    pub message: String,
}

impl TestAnswer {
    pub(super) fn read(response: &Response) -> Self {
        let body: Value = serde_json::from_slice(response.body()).expect("an answer is JSON");
        let text = |value: &Value| value.as_str().map(ToString::to_string);
        let mut answer = Self {
            status: response.status(),
            read: Read::Data(Value::Null),
            navigate_to: None,
            highlight: None,
            characters: 0,
        };
        if let Some(error) = body.get("error") {
            let code = error["code"].as_str().and_then(Code::parse).expect("an error has one of the codes");
            let message = text(&error["message"]).expect("an error has a message");
            answer.read = Read::Error(ReadError { code, message });
            return answer;
        }
        let mut result = body["result"].clone();
        if warn::reads_as(&result.to_string()).refusal {
            answer.read = Read::Refusal(ReadRefusal {
                reason: text(&result["reason"]).unwrap_or_else(|| DEFAULT_REASON.to_string()),
                detail: text(&result["detail"]),
                outcome: match result["outcome"].as_str() {
                    Some("blocked") => Some(RefusalOutcome::Blocked),
                    Some("unknown") => Some(RefusalOutcome::Unknown),
                    _ => None,
                },
            });
        } else {
            if let Some(object) = result.as_object_mut() {
                answer.navigate_to = object.remove("medianNavigateTo").as_ref().and_then(text);
                answer.highlight = object.remove("medianHighlight").as_ref().and_then(text);
            }
            answer.read = Read::Data(result.clone());
        }
        answer.characters = characters(&result.to_string());
        answer
    }

    /// The status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The data that the agent reads, without the directives.
    ///
    /// # Panics
    ///
    /// When the answer is a refusal or an error, or the data is of another type.
    #[track_caller]
    pub fn result<T: DeserializeOwned>(&self) -> T {
        match &self.read {
            Read::Data(value) => match serde_json::from_value(value.clone()) {
                Ok(result) => result,
                Err(error) => panic!("the result is of another type ({error}): {value}"),
            },
            other => panic!("the answer is no data: {other:?}"),
        }
    }

    /// The refusal.
    ///
    /// # Panics
    ///
    /// When the answer is something else.
    #[track_caller]
    pub fn refusal(&self) -> &ReadRefusal {
        match &self.read {
            Read::Refusal(refusal) => refusal,
            other => panic!("the answer is no refusal: {other:?}"),
        }
    }

    /// The error.
    ///
    /// # Panics
    ///
    /// When the answer is something else.
    #[track_caller]
    pub fn error(&self) -> &ReadError {
        match &self.read {
            Read::Error(error) => error,
            other => panic!("the answer is no error: {other:?}"),
        }
    }

    /// The page that the widget offers a button to.
    pub fn navigate_to(&self) -> Option<&str> {
        self.navigate_to.as_deref()
    }

    /// The selector of the element that the widget highlights.
    pub fn highlight(&self) -> Option<&str> {
        self.highlight.as_deref()
    }

    /// How many characters (UTF-16 code units) of result the agent is given.
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// Holds the result to what the agent reads of it.
    ///
    /// # Panics
    ///
    /// When it has more than 4,000 characters: the agent does not see the rest.
    #[track_caller]
    pub fn assert_fits(&self) -> &Self {
        let characters = self.characters;
        assert!(
            characters <= RESULT_READ_CHARACTERS,
            "the result has {characters} characters; the agent reads the first {RESULT_READ_CHARACTERS}"
        );
        self
    }
}
