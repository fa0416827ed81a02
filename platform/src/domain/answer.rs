//! Reading what an endpoint answered to a call. Nothing in an answer is trusted.

use median_edge::Code;
use median_edge::limits::{
    DIAGNOSTICS_KEPT_CHARACTERS, MAX_HIGHLIGHT_CHARACTERS, MAX_NAVIGATE_CHARACTERS, RESULT_READ_CHARACTERS,
};
use median_edge::outcome::DEFAULT_REASON;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::json::{Members, compact, quoted};
use super::text::{characters, first};

const NAVIGATE: &str = "medianNavigateTo";
const HIGHLIGHT: &str = "medianHighlight";

/// What came back from the endpoint, before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A status and a body.
    Http {
        /// The HTTP status.
        status: u16,
        /// The body.
        body: Vec<u8>,
    },
    /// Nothing that can be read, and why.
    None {
        /// Why, for the team.
        why: String,
    },
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Outcome {
    /// The tool answered with data.
    Data {
        /// The first 4,000 characters, without the directives.
        text: String,
        /// Whether that left something out.
        cut: bool,
        /// How many characters there were.
        characters: usize,
        /// A path of the site, shown as a button in the widget.
        navigate_to: Option<String>,
        /// A selector, shown as a highlight in the widget.
        highlight: Option<String>,
    },
    /// The tool said no.
    Refusal {
        /// A short code.
        reason: String,
        /// One line in the tool's own words.
        detail: Option<String>,
        /// Whether the action may have happened.
        unknown: bool,
    },
    /// The tool failed, and says so to the agent.
    Failed {
        /// The tool's own words.
        message: String,
    },
    /// The endpoint did not take the input.
    InvalidInput {
        /// The endpoint's own words.
        message: String,
    },
    /// There is no answer that can be read.
    NotAnswering {
        /// Why. For the team only: the agent does not read it.
        why: String,
    },
}

impl Outcome {
    /// What the agent reads.
    pub fn agent_reads(&self) -> String {
        match self {
            Self::Data { text, .. } => text.clone(),
            Self::Refusal { reason, detail, unknown } => {
                let detail = detail.as_deref().map(|detail| format!(": {detail}")).unwrap_or_default();
                let then = if *unknown {
                    "The action may have happened. Check its state before you try it again."
                } else {
                    "Do not call it again."
                };
                format!("The tool said no: {reason}{detail}\n{then}")
            }
            Self::Failed { message } => format!("The tool failed: {message}\nDo not call it again."),
            Self::InvalidInput { message } => {
                format!("The tool did not take the input: {message}\nFix the input and call it again.")
            }
            Self::NotAnswering { .. } => "The tool is not answering.".to_owned(),
        }
    }

    /// Why the call did not do what was asked, when it did not run.
    pub(crate) fn error(&self) -> Option<String> {
        match self {
            Self::Data { .. } | Self::Refusal { .. } => None,
            Self::Failed { message } | Self::InvalidInput { message } => Some(message.clone()),
            Self::NotAnswering { why } => Some(format!("The tool is not answering. {why}")),
        }
    }

    /// In a word, for the log.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Data { .. } => "data",
            Self::Refusal { .. } => "refusal",
            Self::Failed { .. } => "failed",
            Self::InvalidInput { .. } => "invalid input",
            Self::NotAnswering { .. } => "not answering",
        }
    }

    /// Without what only the widget shows.
    pub(crate) fn for_other_channel(mut self) -> Self {
        if let Self::Data { navigate_to, highlight, .. } = &mut self {
            (*navigate_to, *highlight) = (None, None);
        }
        self
    }
}

/// Reads an answer to a call.
pub(crate) fn read(answer: &Answer) -> Outcome {
    let (status, body) = match answer {
        Answer::Http { status, body } => (*status, body),
        Answer::None { why } => return Outcome::NotAnswering { why: why.clone() },
    };
    let text = String::from_utf8_lossy(body);
    let is_good = (200..300).contains(&status);
    let members = Members::parse(&text);
    if let Some((code, message)) = members.as_ref().and_then(error) {
        let (message, _) = first(&message, RESULT_READ_CHARACTERS);
        return match code.as_str() {
            code if is_good && code == Code::ExecutionFailed.as_str() => {
                Outcome::Failed { message: message.to_owned() }
            }
            code if status == 400 && code == Code::InvalidInput.as_str() => {
                Outcome::InvalidInput { message: message.to_owned() }
            }
            code => Outcome::NotAnswering {
                why: format!("It answered {status} {}: {}", first(code, 64).0, first(message, 500).0),
            },
        };
    }
    match members.as_ref().and_then(|members| members.get("result")) {
        Some(result) if is_good => result_of(result),
        _ => {
            let start = first(&text, 200).0;
            let why = format!("It answered {status} with a body that is not an endpoint's: {start:?}");
            Outcome::NotAnswering { why }
        }
    }
}

/// The error in a body, when it has the protocol's form.
fn error(members: &Members) -> Option<(String, String)> {
    let error = Members::parse(members.get("error")?)?;
    Some((error.text("code")?, error.text("message").unwrap_or_default()))
}

fn result_of(result: &str) -> Outcome {
    let Some(members) = Members::parse(result) else {
        return data(&compact(result), None, None);
    };
    if is_refusal(&members) {
        let short = |text: String| first(&text, RESULT_READ_CHARACTERS).0.to_owned();
        return Outcome::Refusal {
            reason: members
                .text("reason")
                .filter(|reason| !reason.is_empty())
                .map_or_else(|| DEFAULT_REASON.to_owned(), short),
            detail: members.text("detail").map(short),
            unknown: members.text("outcome").as_deref() == Some("unknown"),
        };
    }
    let rest = members.0.iter().filter(|(name, _)| name != NAVIGATE && name != HIGHLIGHT);
    let rest: Vec<_> =
        rest.map(|(name, value)| format!("{}:{}", quoted(name), compact(value.get()))).collect();
    let navigate_to = members.text(NAVIGATE).filter(|path| is_path(path));
    let highlight = members.text(HIGHLIGHT).filter(|selector| is_selector(selector));
    data(&format!("{{{}}}", rest.join(",")), navigate_to, highlight)
}

fn data(text: &str, navigate_to: Option<String>, highlight: Option<String>) -> Outcome {
    let (read, cut) = first(text, RESULT_READ_CHARACTERS);
    Outcome::Data { text: read.to_owned(), cut, characters: characters(text), navigate_to, highlight }
}

/// The marks of a refusal.
fn is_refusal(members: &Members) -> bool {
    ["ok", "known", "allowed"].iter().any(|name| members.get(name) == Some("false"))
        || matches!(members.text("outcome").as_deref(), Some("blocked" | "unknown"))
}

/// A path on the site itself: nothing that a browser takes for another host.
fn is_path(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.first() == Some(&b'/')
        && !matches!(bytes.get(1), Some(b'/' | b'\\'))
        && characters(path) <= MAX_NAVIGATE_CHARACTERS
        && !path.chars().any(char::is_control)
}

fn is_selector(selector: &str) -> bool {
    !selector.trim().is_empty()
        && characters(selector) <= MAX_HIGHLIGHT_CHARACTERS
        && !selector.chars().any(char::is_control)
}

/// What a diagnostics function answered: what is kept of it.
pub(crate) fn read_diagnostics(answer: &Answer) -> Result<(String, bool), String> {
    let (status, body) = match answer {
        Answer::Http { status, body } => (*status, body),
        Answer::None { why } => return Err(why.clone()),
    };
    let text = String::from_utf8_lossy(body);
    let members = Members::parse(&text);
    if let Some((code, message)) = members.as_ref().and_then(error) {
        return Err(format!("It answered {status} {}: {}", first(&code, 64).0, first(&message, 500).0));
    }
    match members.as_ref().and_then(|members| members.get("result")) {
        Some(result) if (200..300).contains(&status) => {
            let result = compact(result);
            let (kept, cut) = first(&result, DIAGNOSTICS_KEPT_CHARACTERS);
            Ok((kept.to_owned(), cut))
        }
        _ => Err(format!("It answered {status} with a body that is not an endpoint's.")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Outcome, read, read_diagnostics};

    fn http(status: u16, body: &str) -> Answer {
        Answer::Http { status, body: body.as_bytes().to_vec() }
    }

    fn result(json: &str) -> Outcome {
        read(&http(200, &format!("{{\"result\":{json}}}")))
    }

    #[test]
    fn the_agent_reads_the_first_4000_characters() {
        let Outcome::Data { text, cut, characters, .. } = result(&format!("\"{}\"", "x".repeat(3_998)))
        else {
            panic!()
        };
        assert_eq!((text.len(), cut, characters), (4_000, false, 4_000));
        let Outcome::Data { text, cut, characters, .. } = result(&format!("\"{}\"", "x".repeat(5_000)))
        else {
            panic!()
        };
        assert_eq!((text.len(), cut, characters), (4_000, true, 5_002));
    }

    #[test]
    fn directives_are_taken_out_before_the_cut() {
        let path = "/".to_owned() + &"p".repeat(1_000);
        let json = format!(
            r##"{{"medianNavigateTo":"{path}","z": 1,"medianHighlight":"#x","a":"{}"}}"##,
            "y".repeat(3_985)
        );
        let Outcome::Data { text, cut, navigate_to, highlight, .. } = result(&json) else { panic!() };
        assert!(!cut && text.starts_with(r#"{"z":1,"a":"y"#) && !text.contains("median"), "{}", text.len());
        assert_eq!((navigate_to.unwrap(), highlight.as_deref()), (path, Some("#x")));
    }

    #[test]
    fn a_button_that_leaves_the_site_is_dropped() {
        for path in [
            "https://evil.example",
            "//evil.example",
            "/\\\\evil.example",
            "javascript:alert(1)",
            "",
            "/a\\n",
        ] {
            let Outcome::Data { text, navigate_to, .. } =
                result(&format!(r#"{{"medianNavigateTo":"{path}"}}"#))
            else {
                panic!()
            };
            assert_eq!((text.as_str(), navigate_to), ("{}", None), "{path}");
        }
    }

    #[test]
    fn each_mark_of_a_refusal_is_read() {
        for json in [
            r#"{"ok":false}"#,
            r#"{"known":false}"#,
            r#"{"allowed": false}"#,
            r#"{"outcome":"blocked"}"#,
            r#"{"outcome":"unknown"}"#,
        ] {
            let Outcome::Refusal { reason, detail, unknown } = result(json) else { panic!("{json}") };
            assert_eq!((reason.as_str(), detail), ("tool_refused", None));
            assert_eq!(unknown, json.contains("unknown"));
        }
        assert!(matches!(result(r#"{"ok":true,"outcome":"shipped"}"#), Outcome::Data { .. }));
    }

    #[test]
    fn the_agent_is_told_what_to_do_next() {
        let refused =
            result(r#"{"ok":false,"reason":"not_signed_in","detail":"Sign in.","medianNavigateTo":"/x"}"#);
        assert_eq!(refused.agent_reads(), "The tool said no: not_signed_in: Sign in.\nDo not call it again.");
        assert!(result(r#"{"outcome":"unknown"}"#).agent_reads().contains("Check its state"));
        let error = |status, code: &str| {
            read(&http(status, &format!(r#"{{"error":{{"code":"{code}","message":"Because."}}}}"#)))
                .agent_reads()
        };
        assert_eq!(error(200, "execution_failed"), "The tool failed: Because.\nDo not call it again.");
        let mend = "The tool did not take the input: Because.\nFix the input and call it again.";
        assert_eq!(error(400, "invalid_input"), mend);
    }

    #[test]
    fn the_message_of_any_other_answer_is_not_passed_on() {
        let answers = [
            http(500, r#"{"error":{"code":"execution_failed","message":"secret"}}"#),
            http(400, r#"{"error":{"code":"invalid_body","message":"secret"}}"#),
            http(401, r#"{"error":{"code":"invalid_signature","message":"secret"}}"#),
            http(422, r#"{"error":{"code":"invalid_input","message":"secret"}}"#),
            http(500, r#"{"result":"secret"}"#),
            http(302, "secret"),
            http(200, "<html>secret"),
            Answer::None { why: "secret".to_owned() },
        ];
        for answer in answers {
            let outcome = read(&answer);
            assert!(matches!(outcome, Outcome::NotAnswering { .. }), "{outcome:?}");
            assert_eq!(outcome.agent_reads(), "The tool is not answering.");
        }
    }

    #[test]
    fn the_first_2000_characters_of_diagnostics_are_kept() {
        let (kept, cut) =
            read_diagnostics(&http(200, &format!("{{\"result\":\"{}\"}}", "x".repeat(3_000)))).unwrap();
        assert_eq!((kept.len(), cut), (2_000, true));
        assert!(
            read_diagnostics(&http(200, r#"{"error":{"code":"diagnostics_unsupported","message":"m"}}"#))
                .is_err()
        );
    }
}
