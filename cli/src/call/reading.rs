//! An answer, read as the platform reads it (`docs/protocol.md`, OUT and ERR).

use median_edge::Code;
use median_edge::outcome::DEFAULT_REASON;
use serde_json::value::RawValue;

use crate::json::{self, Members};
use crate::manifest::body_shown;
use crate::text::start_of;

const NAVIGATE: &str = "medianNavigateTo";
const HIGHLIGHT: &str = "medianHighlight";

/// What an answer is to the platform.
#[derive(Debug)]
pub(crate) enum Reading {
    /// The agent reads the data.
    Data {
        /// Without the directives, on one line.
        text: String,
        navigate_to: Option<String>,
        highlight: Option<String>,
    },
    /// The tool said no.
    Refusal {
        reason: String,
        detail: Option<String>,
        /// The action may have happened.
        unknown: bool,
        /// What makes it a refusal.
        by: String,
    },
    /// The tool failed, and the agent reads the message.
    Failed(ProtocolError),
    /// The agent mends its input and calls again.
    InvalidInput(ProtocolError),
    /// The agent is told that the tool is not answering, and nothing else.
    NotAnswering { code: Option<String>, message: String },
}

/// `{"error":{"code":…,"message":…}}`.
#[derive(Debug)]
pub(crate) struct ProtocolError {
    pub(crate) code: String,
    pub(crate) message: String,
}

/// Reads an answer's status and body.
pub(crate) fn read(status: u16, location: Option<&str>, body: &[u8]) -> Reading {
    let is_good = (200..300).contains(&status);
    match error_of(body) {
        Some(error) if is_good => return Reading::Failed(error),
        Some(error) if status == 400 && error.code == Code::InvalidInput.as_str() => {
            return Reading::InvalidInput(error);
        }
        Some(error) => return Reading::NotAnswering { code: Some(error.code), message: error.message },
        None => {}
    }
    let result = serde_json::from_slice::<Members<&RawValue>>(body).ok();
    match (result.as_ref().and_then(|members| members.get("result")), location) {
        (Some(result), _) if is_good => read_result(result),
        (_, Some(location)) if (300..400).contains(&status) => {
            let message = format!("A redirect to {}.", start_of(location, 300));
            Reading::NotAnswering { code: None, message }
        }
        _ => {
            let message = format!("Not in the form of an endpoint: {}", body_shown(body));
            Reading::NotAnswering { code: None, message }
        }
    }
}

/// The error in a body, when it is in the protocol's form.
pub(crate) fn error_of(body: &[u8]) -> Option<ProtocolError> {
    let members: Members<&RawValue> = serde_json::from_slice(body).ok()?;
    let error: Members<&RawValue> = serde_json::from_str(members.get("error")?.get()).ok()?;
    let code = json::string(error.get("code")?)?;
    let message = error.get("message").and_then(|message| json::string(message)).unwrap_or_default();
    Some(ProtocolError { code, message })
}

fn read_result(result: &RawValue) -> Reading {
    let Ok(members) = serde_json::from_str::<Members<&RawValue>>(result.get()) else {
        return Reading::Data { text: json::compact(result.get()), navigate_to: None, highlight: None };
    };
    let text = |name| members.get(name).and_then(|value| json::string(value));
    if let Some(by) = refusal(&members) {
        return Reading::Refusal {
            reason: text("reason")
                .filter(|reason| !reason.is_empty())
                .unwrap_or_else(|| DEFAULT_REASON.to_owned()),
            detail: text("detail"),
            unknown: text("outcome").as_deref() == Some("unknown"),
            by,
        };
    }
    let rest = members.0.iter().filter(|(name, _)| name != NAVIGATE && name != HIGHLIGHT);
    let rest =
        rest.map(|(name, value)| format!("{}:{}", serde_json::Value::from(name.as_str()), value.get()));
    Reading::Data {
        text: json::compact(&format!("{{{}}}", rest.collect::<Vec<_>>().join(","))),
        navigate_to: text(NAVIGATE),
        highlight: text(HIGHLIGHT),
    }
}

/// The member that makes a result a refusal, if one does.
fn refusal(members: &Members<&RawValue>) -> Option<String> {
    let flag = ["ok", "known", "allowed"]
        .into_iter()
        .find(|name| members.get(name).is_some_and(|value| value.get() == "false"));
    if let Some(name) = flag {
        return Some(format!("{name}: false"));
    }
    let outcome = members.get("outcome").and_then(|value| json::string(value))?;
    matches!(outcome.as_str(), "blocked" | "unknown").then(|| format!("outcome: {outcome}"))
}

#[cfg(test)]
mod tests {
    use super::{Reading, read};

    fn data(result: &str) -> (String, Option<String>, Option<String>) {
        match read(200, None, format!("{{\"result\":{result}}}").as_bytes()) {
            Reading::Data { text, navigate_to, highlight } => (text, navigate_to, highlight),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn data_is_kept_in_its_order_without_the_directives() {
        let (text, navigate_to, highlight) =
            data(r##"{"z": 1.0, "medianNavigateTo":"/orders", "a":[1], "medianHighlight":"#x"}"##);
        assert_eq!(text, r#"{"z":1.0,"a":[1]}"#);
        assert_eq!((navigate_to.as_deref(), highlight.as_deref()), (Some("/orders"), Some("#x")));
        assert_eq!(data("null").0, "null");
        assert_eq!(data("\"x\"").0, "\"x\"");
        assert_eq!(data(r#"{"found":false,"ok":true,"outcome":"shipped"}"#).0.len(), 45);
    }

    #[test]
    fn each_mark_of_a_refusal_is_read() {
        for (result, mark) in [
            (r#"{"ok":false}"#, "ok: false"),
            (r#"{"known":false}"#, "known: false"),
            (r#"{"allowed" : false}"#, "allowed: false"),
            (r#"{"outcome":"blocked"}"#, "outcome: blocked"),
            (r#"{"outcome":"unknown"}"#, "outcome: unknown"),
        ] {
            match read(200, None, format!("{{\"result\":{result}}}").as_bytes()) {
                Reading::Refusal { reason, by, unknown, detail } => {
                    assert_eq!((by.as_str(), reason.as_str()), (mark, "tool_refused"));
                    assert_eq!((unknown, detail), (mark == "outcome: unknown", None));
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn what_an_error_means_depends_on_its_status_and_code() {
        let read = |status, code: &str| {
            read(status, None, format!(r#"{{"error":{{"code":"{code}","message":"m"}}}}"#).as_bytes())
        };
        assert!(matches!(read(200, "execution_failed"), Reading::Failed(_)));
        assert!(matches!(read(400, "invalid_input"), Reading::InvalidInput(_)));
        assert!(matches!(read(400, "invalid_body"), Reading::NotAnswering { code: Some(_), .. }));
        assert!(matches!(read(422, "invalid_input"), Reading::NotAnswering { code: Some(_), .. }));
        assert!(matches!(read(500, "execution_failed"), Reading::NotAnswering { code: Some(_), .. }));
    }

    #[test]
    fn what_is_in_no_known_form_is_no_answer() {
        for (status, body) in [(200, "<html>"), (200, "{}"), (200, ""), (502, "{\"result\":1}"), (302, "")] {
            let reading = read(status, Some("/login"), body.as_bytes());
            assert!(matches!(reading, Reading::NotAnswering { code: None, .. }), "{reading:?}");
        }
    }
}
