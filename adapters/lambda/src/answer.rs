//! From an answer to what each front makes an HTTP response of.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::event::{EventError, Front};

/// The most bytes that AWS Lambda takes of a function: 6 MiB and a little, measured on the response as it is written.
const FUNCTION_LIMIT: usize = 6_291_556;
/// The most bytes that a load balancer takes: 1 MB.
const LOAD_BALANCER_LIMIT: usize = 1_000_000;

/// An answer, whoever gave it.
pub(crate) struct Answer<'a> {
    status: u16,
    headers: Vec<(&'a str, Cow<'a, str>)>,
    body: &'a [u8],
}

impl<'a> From<&'a median_edge::Response> for Answer<'a> {
    fn from(response: &'a median_edge::Response) -> Self {
        let headers = response.headers().iter().map(|(name, value)| (*name, Cow::Borrowed(*value)));
        Self { status: response.status(), headers: headers.collect(), body: response.body() }
    }
}

impl<'a> From<&'a http::Response<Vec<u8>>> for Answer<'a> {
    fn from(response: &'a http::Response<Vec<u8>>) -> Self {
        let headers = response.headers().iter();
        let headers = headers.map(|(name, value)| (name.as_str(), String::from_utf8_lossy(value.as_bytes())));
        Self { status: response.status().as_u16(), headers: headers.collect(), body: response.body() }
    }
}

/// What is over the limit of its front.
#[derive(Debug)]
pub(crate) struct TooLarge {
    /// The bytes of the response, as it is written.
    pub(crate) bytes: usize,
    pub(crate) limit: usize,
}

/// A response in the form that fronts read.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shape<'a> {
    status_code: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    headers: Option<BTreeMap<&'a str, String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    multi_value_headers: Option<BTreeMap<&'a str, Vec<Cow<'a, str>>>>,
    /// There for these fronts also when there are none: `cargo lambda watch` reads no answer without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    cookies: Option<Vec<Cow<'a, str>>>,
    is_base64_encoded: bool,
    body: Cow<'a, str>,
}

impl<'a> Answer<'a> {
    /// Writes the answer as its front reads it.
    pub(crate) fn write(self, front: Front) -> Result<Result<Box<RawValue>, TooLarge>, EventError> {
        let (is_base64_encoded, body) = self.body();
        let mut shape = Shape {
            status_code: self.status,
            status_description: None,
            headers: None,
            multi_value_headers: None,
            cookies: None,
            is_base64_encoded,
            body,
        };
        if let Front::LoadBalancer { .. } = front {
            let reason =
                http::StatusCode::from_u16(self.status).ok().and_then(|code| code.canonical_reason());
            shape.status_description = Some(format!("{} {}", self.status, reason.unwrap_or("Unknown")));
        }
        match front {
            Front::RestApi | Front::LoadBalancer { multi_value: true } => {
                let mut lines: BTreeMap<_, Vec<_>> = BTreeMap::new();
                for (name, value) in self.headers {
                    lines.entry(name).or_default().push(value);
                }
                shape.multi_value_headers = Some(lines);
            }
            Front::UrlOrHttpApi => {
                let (cookies, others) = self.headers.into_iter().partition(|(name, _)| *name == SET_COOKIE);
                shape.cookies = Some(Vec::from_iter(cookies).into_iter().map(|(_, value)| value).collect());
                shape.headers = Some(joined(others));
            }
            Front::LoadBalancer { multi_value: false } => shape.headers = Some(joined(self.headers)),
        }
        // Text, numbers and maps of them always serialize; this keeps it free of a panic all the same.
        let written = to_raw_value(&shape).map_err(EventError::new)?;
        let limit = match front {
            Front::LoadBalancer { .. } => LOAD_BALANCER_LIMIT,
            Front::UrlOrHttpApi | Front::RestApi => FUNCTION_LIMIT,
        };
        let bytes = written.get().len();
        Ok(if bytes > limit { Err(TooLarge { bytes, limit }) } else { Ok(written) })
    }

    /// The body as a text, in base64 where it is none.
    fn body(&self) -> (bool, Cow<'a, str>) {
        let is_coded = self.headers.iter().any(|(name, _)| *name == "content-encoding");
        match std::str::from_utf8(self.body) {
            Ok(text) if !is_coded => (false, Cow::Borrowed(text)),
            _ => (true, Cow::Owned(STANDARD.encode(self.body))),
        }
    }
}

const SET_COOKIE: &str = "set-cookie";

/// One value for each name. Cookies cannot be joined: the last one counts.
fn joined<'a>(lines: Vec<(&'a str, Cow<'a, str>)>) -> BTreeMap<&'a str, String> {
    let mut headers: BTreeMap<_, String> = BTreeMap::new();
    for (name, value) in lines {
        match headers.get_mut(name) {
            Some(before) if name != SET_COOKIE => {
                before.push_str(", ");
                before.push_str(&value);
            }
            _ => {
                headers.insert(name, value.into_owned());
            }
        }
    }
    headers
}
