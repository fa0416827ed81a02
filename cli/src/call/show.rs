//! What came of a call, and what the agent would be told of it.

use std::time::Duration;

use anstyle::Style;
use median_edge::Risk;
use median_edge::limits::{MAX_HIGHLIGHT_CHARACTERS, MAX_NAVIGATE_CHARACTERS, RESULT_READ_CHARACTERS};
use serde::Serialize;
use serde_json::value::RawValue;

use super::reading::Reading;
use crate::failure::Exit;
use crate::terminal::{BAD, BOLD, CAUTION, DIM, GOOD, styled};
use crate::text::{characters, first_characters, grouped, start_of};
use crate::{hints, json};

/// The most characters of a message that are shown: an endpoint may write any number.
const LONGEST_SHOWN: usize = 4_000;

/// A call that was answered.
#[derive(Debug)]
pub(crate) struct Shown<'a> {
    pub(crate) reading: &'a Reading,
    pub(crate) status: u16,
    pub(crate) took: Duration,
    /// The body that was sent.
    pub(crate) request: &'a str,
    /// Signed with the public key of local development.
    pub(crate) public_key: bool,
    /// The tool's risk, and who approved the call.
    pub(crate) approval: (Risk, Option<&'a str>),
}

impl Shown<'_> {
    pub(crate) fn exit(&self) -> Exit {
        if matches!(self.reading, Reading::Data { .. }) { Exit::Good } else { Exit::Answered }
    }

    /// What the agent is told.
    fn meaning(&self) -> &'static str {
        match self.reading {
            Reading::Data { .. } => "The agent reads this and answers from it.",
            Reading::Refusal { unknown: false, .. } => {
                "The agent reads the reason and the detail as the tool's own words, and is told not to try again."
            }
            Reading::Refusal { unknown: true, .. } => {
                "The agent reads the reason and the detail as the tool's own words. The action may have happened: it is \
                 told to check the state before it tries again."
            }
            Reading::Failed(_) => "The agent reads the message, and is told not to try again.",
            Reading::InvalidInput(_) => {
                "The agent reads the message, and is told to mend its input and call again."
            }
            Reading::NotAnswering { .. } => {
                "The agent is told that the tool is not answering. It does not see the message; that is for you."
            }
        }
    }

    fn outcome(&self) -> &'static str {
        match self.reading {
            Reading::Data { .. } => "result",
            Reading::Refusal { .. } => "refused",
            Reading::Failed(_) => "failed",
            Reading::InvalidInput(_) => "invalid_input",
            Reading::NotAnswering { .. } => "not_answering",
        }
    }

    /// Why a tool ran whose call by the agent waits for somebody.
    fn why_it_ran(&self) -> Option<String> {
        let ran = matches!(self.reading, Reading::Data { .. } | Reading::Refusal { .. } | Reading::Failed(_));
        match self.approval {
            (risk @ (Risk::Reviewed | Risk::High), Some(by)) if ran => Some(format!(
                "It is a {} tool, and ran because this call says that {:?} approved it. The agent's own call waits for a \
                 decision; --no-approval shows what comes without one.",
                risk.as_str(),
                start_of(by, 100)
            )),
            _ => None,
        }
    }

    /// What the developer can do about an error.
    fn hint(&self) -> Option<String> {
        let code = match self.reading {
            Reading::Data { .. } | Reading::Refusal { .. } => return None,
            Reading::Failed(error) | Reading::InvalidInput(error) => Some(error.code.as_str()),
            Reading::NotAnswering { code, .. } => code.as_deref(),
        };
        Some(hints::for_error(self.status, code, self.public_key))
    }

    /// For people.
    pub(crate) fn to_text(&self) -> String {
        let (status, took) = (self.status, self.took.as_millis());
        let head = |style: Style, word: &str, more: &str| {
            let more = if more.is_empty() { String::new() } else { format!(": {}", start_of(more, 200)) };
            format!("{}{more} ({status}, {took} ms)\n", styled(style, word))
        };
        let mut text = match self.reading {
            Reading::Data { .. } => head(GOOD, "Result", ""),
            Reading::Refusal { reason, .. } => head(CAUTION, "Refused", reason),
            Reading::Failed(error) => head(BAD, "Failed", &error.code),
            Reading::InvalidInput(error) => head(CAUTION, "Input refused", &error.code),
            Reading::NotAnswering { code, .. } => {
                head(BAD, "Not answering", code.as_deref().unwrap_or_default())
            }
        };
        let mut line = |line: &str| {
            text.push_str(line);
            text.push('\n');
        };
        match self.reading {
            Reading::Data { text: data, navigate_to, highlight } => {
                line(self.meaning());
                line("");
                line(&up_to_the_cut(data, characters(data)));
                let directives = [
                    ("The widget shows a button to:", navigate_to, MAX_NAVIGATE_CHARACTERS),
                    ("The widget highlights:", highlight, MAX_HIGHLIGHT_CHARACTERS),
                ];
                if directives.iter().any(|(_, value, _)| value.is_some()) {
                    line("");
                }
                for (name, value, limit) in directives {
                    let Some(value) = value else { continue };
                    line(&format!("{} {}", styled(BOLD, name), start_of(value, limit)));
                    if characters(value) > limit {
                        line(&format!("It is over {} characters, the most that are taken.", grouped(limit)));
                    }
                }
            }
            Reading::Refusal { detail, by, .. } => {
                if let Some(detail) = detail {
                    line(&start_of(detail, LONGEST_SHOWN));
                }
                line("");
                line(&format!("It is a refusal by `{by}`. {}", self.meaning()));
            }
            Reading::Failed(error) | Reading::InvalidInput(error) => {
                line(&start_of(&error.message, LONGEST_SHOWN));
                line("");
                line(self.meaning());
            }
            Reading::NotAnswering { message, .. } => {
                line(&start_of(message, LONGEST_SHOWN));
                line("");
                line(self.meaning());
            }
        }
        if let Some(hint) = self.hint() {
            line(&format!("{} {hint}", styled(BOLD, "What to do:")));
        }
        if let Some(note) = self.why_it_ran() {
            line(&format!("\n{}", styled(DIM, &note)));
        }
        text
    }

    /// For programs.
    pub(crate) fn to_json(&self) -> String {
        #[derive(Default, Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Document<'a> {
            ok: bool,
            outcome: &'a str,
            status: u16,
            duration_ms: u128,
            meaning: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            result: Option<Box<RawValue>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            characters: Option<usize>,
            #[serde(skip_serializing_if = "Option::is_none")]
            characters_read: Option<usize>,
            #[serde(skip_serializing_if = "Option::is_none")]
            navigate_to: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            highlight: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            reason: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            detail: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            may_have_happened: Option<bool>,
            #[serde(skip_serializing_if = "Option::is_none")]
            code: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            message: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            hint: Option<String>,
            request: Option<&'a RawValue>,
        }
        let mut document = Document {
            ok: self.exit() == Exit::Good,
            outcome: self.outcome(),
            status: self.status,
            duration_ms: self.took.as_millis(),
            meaning: self.meaning(),
            hint: self.hint(),
            request: serde_json::from_str(self.request).ok(),
            ..Document::default()
        };
        match self.reading {
            Reading::Data { text, navigate_to, highlight } => {
                let whole = characters(text);
                document.result = RawValue::from_string(text.clone()).ok();
                document.characters = Some(whole);
                document.characters_read = Some(whole.min(RESULT_READ_CHARACTERS));
                document.navigate_to = navigate_to.as_deref();
                document.highlight = highlight.as_deref();
            }
            Reading::Refusal { reason, detail, unknown, .. } => {
                document.reason = Some(reason);
                document.detail = detail.as_deref();
                document.may_have_happened = Some(*unknown);
            }
            Reading::Failed(error) | Reading::InvalidInput(error) => {
                document.code = Some(&error.code);
                document.message = Some(&error.message);
            }
            Reading::NotAnswering { code, message } => {
                document.code = code.as_deref();
                document.message = Some(message);
            }
        }
        json::safe(&json::write(&document))
    }
}

/// The data, up to where the agent stops reading; `whole` is how many characters there were.
pub(crate) fn up_to_the_cut(data: &str, whole: usize) -> String {
    if whole <= RESULT_READ_CHARACTERS {
        return json::safe(&json::pretty(data));
    }
    let read = json::safe(first_characters(data, RESULT_READ_CHARACTERS));
    let limit = grouped(RESULT_READ_CHARACTERS);
    let note = format!(
        "✂ The agent reads up to here: {limit} of {} characters. Make the result smaller. --json shows the whole.",
        grouped(whole)
    );
    format!("{read}\n{}", styled(CAUTION, &note))
}
