//! How a command ends, and what it says when it did not do what it was asked.

use std::fmt;
use std::process::ExitCode;

use serde::Serialize;

/// How a command ended. Every `--help` lists these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It did what it was asked, and what came is what was hoped for.
    Good,
    /// The endpoint answered, and the answer is no: the tool refused or failed, or the request was turned away.
    Answered,
    /// It could not run: its arguments, the key, the network.
    NotRun,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Good => 0,
            Exit::Answered => 1,
            Exit::NotRun => 2,
        })
    }
}

/// Why a command has nothing to show: what was wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    /// A short name for programs.
    pub(crate) code: String,
    /// What was wrong. It may hold what an endpoint wrote, as it came.
    pub(crate) message: String,
    /// What to do.
    pub(crate) hint: Option<String>,
    /// The status of the endpoint's answer, when there was one.
    pub(crate) status: Option<u16>,
}

impl Failure {
    /// The command could not run.
    pub(crate) fn not_run(code: &str, message: impl Into<String>) -> Self {
        Self { exit: Exit::NotRun, code: code.to_owned(), message: message.into(), hint: None, status: None }
    }

    /// The command was written wrongly.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::not_run("usage", message)
    }

    /// The endpoint answered, but not with what was asked for.
    pub(crate) fn answered(status: u16, code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            exit: Exit::Answered,
            code: code.into(),
            message: message.into(),
            hint: None,
            status: Some(status),
        }
    }

    /// What is named is not among what came.
    pub(crate) fn not_among(message: impl Into<String>) -> Self {
        let code = "not_found".to_owned();
        Self { exit: Exit::Answered, code, message: message.into(), hint: None, status: None }
    }

    /// Adds what to do.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The form of an error under `--json`.
    pub(crate) fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct Document<'a> {
            error: Body<'a>,
        }
        #[derive(Serialize)]
        struct Body<'a> {
            code: &'a str,
            message: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            hint: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            status: Option<u16>,
        }
        let Self { code, message, hint, status, .. } = self;
        let error = Body { code, message, hint: hint.as_deref(), status: *status };
        crate::json::write(&Document { error })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
