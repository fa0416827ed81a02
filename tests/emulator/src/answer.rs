//! The HTTP answer that a function URL makes of what the function answered.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::Raw;

/// An answer for HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The header lines.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no answer for HTTP in what came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The function failed: it panicked, it ended, or it answered with an error.
    Function(String),
    /// It answered with more than Lambda carries.
    TooLarge,
    /// It ran out of time, or answered with something else.
    NoAnswer(String),
}

impl Failure {
    /// The status that a client gets for it.
    pub fn status(&self) -> u16 {
        match self {
            Self::TooLarge => 413,
            Self::Function(_) | Self::NoAnswer(_) => 502,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function(why) => write!(f, "the function failed: {why}"),
            Self::TooLarge => f.write_str("the function answered with more than Lambda carries"),
            Self::NoAnswer(what) => write!(f, "the function did not answer: {what}"),
        }
    }
}

impl std::error::Error for Failure {}

/// Reads what the emulator gave back for an event.
///
/// # Errors
///
/// When that is no answer for HTTP.
pub fn read(raw: &Raw) -> Result<Answer, Failure> {
    let no_answer = || {
        let text: String = String::from_utf8_lossy(&raw.body).chars().take(300).collect();
        Failure::NoAnswer(format!("the emulator says {}: {text}", raw.status))
    };
    if raw.status == 413 {
        return Err(Failure::TooLarge);
    }
    let json: Value = serde_json::from_slice(&raw.body).map_err(|_| no_answer())?;
    if let Some(kind) = json.get("errorType").and_then(Value::as_str) {
        let message = json.get("errorMessage").and_then(Value::as_str).unwrap_or_default();
        let too_large = kind == "Function.ResponseSizeTooLarge";
        return Err(if too_large {
            Failure::TooLarge
        } else {
            Failure::Function(format!("{kind} {message}"))
        });
    }
    let status = json.get("statusCode").and_then(Value::as_u64).and_then(|status| u16::try_from(status).ok());
    let status = status.ok_or_else(no_answer)?;
    let body = json.get("body").and_then(Value::as_str).unwrap_or_default();
    let body = match json.get("isBase64Encoded").and_then(Value::as_bool) {
        Some(true) => STANDARD.decode(body).map_err(|_| no_answer())?,
        _ => body.as_bytes().to_vec(),
    };
    Ok(Answer { status, headers: headers(&json), body })
}

fn headers(json: &Value) -> Vec<(String, String)> {
    let mut headers = Vec::new();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let members = |name| json.get(name).and_then(Value::as_object).into_iter().flatten();
    for (name, value) in members("headers") {
        headers.push((name.to_ascii_lowercase(), text(value)));
    }
    // In place of the others, or beside them with the same values: what API Gateway and load balancers read.
    for (name, values) in members("multiValueHeaders").filter(|_| headers.is_empty()).collect::<Vec<_>>() {
        let values = values.as_array().into_iter().flatten();
        headers.extend(values.map(|value| (name.to_ascii_lowercase(), text(value))));
    }
    for cookie in json.get("cookies").and_then(Value::as_array).into_iter().flatten() {
        headers.push(("set-cookie".to_owned(), cookie.as_str().unwrap_or_default().to_owned()));
    }
    headers
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read_json(json: &Value) -> Result<Answer, Failure> {
        read(&Raw { status: 200, body: json.to_string().into_bytes() })
    }

    #[test]
    fn an_answer_has_its_status_headers_cookies_and_body() {
        let json = json!({"statusCode": 201, "headers": {"X-A": "1"}, "cookies": ["a=1"], "body": "é"});
        let headers = vec![("x-a".to_owned(), "1".to_owned()), ("set-cookie".to_owned(), "a=1".to_owned())];
        let expected = Answer { status: 201, headers, body: "é".as_bytes().to_vec() };
        assert_eq!(read_json(&json), Ok(expected));
    }

    #[test]
    fn headers_with_several_values_are_lines() {
        let json = json!({"statusCode": 200, "multiValueHeaders": {"A": ["1", "2"], "B": ["3"]}});
        let lines = [("a", "1"), ("a", "2"), ("b", "3")].map(|(n, v)| (n.to_owned(), v.to_owned()));
        assert_eq!(read_json(&json).unwrap().headers, lines);
    }

    #[test]
    fn base64_is_decoded() {
        let json = json!({"statusCode": 200, "body": "/w==", "isBase64Encoded": true});
        assert_eq!(read_json(&json).unwrap().body, b"\xff");
    }

    #[test]
    fn an_error_of_the_function_is_a_bad_gateway() {
        let failure = read_json(&json!({"errorType": "Boom", "errorMessage": "why"})).unwrap_err();
        assert_eq!((failure.status(), failure), (502, Failure::Function("Boom why".to_owned())));
    }

    #[test]
    fn an_answer_that_is_too_large_is_told_as_that() {
        let json = json!({"errorType": "Function.ResponseSizeTooLarge"});
        assert_eq!(read_json(&json).unwrap_err().status(), 413);
    }

    #[test]
    fn a_function_that_ran_out_of_time_did_not_answer() {
        let raw = Raw { status: 200, body: b"Task timed out after 1.00 seconds".to_vec() };
        assert!(matches!(read(&raw), Err(Failure::NoAnswer(text)) if text.contains("timed out")));
    }
}
