//! From an answer to what the platform makes an HTTP response of.

use std::collections::BTreeMap;

use median_edge::Response;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::event::Front;

/// A response in the form that its front reads.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shape<'a> {
    status_code: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    headers: Option<BTreeMap<&'a str, &'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    multi_value_headers: Option<BTreeMap<&'a str, [&'a str; 1]>>,
    body: &'a str,
    is_base64_encoded: bool,
}

pub(crate) fn shape(front: Front, response: &Response) -> serde_json::Result<Box<RawValue>> {
    let single = || response.headers().iter().copied().collect();
    let multi = || response.headers().iter().map(|(name, value)| (*name, [*value])).collect();
    let (headers, multi_value_headers) = match front {
        Front::UrlOrHttpApi | Front::LoadBalancer { multi_value: false } => (Some(single()), None),
        Front::RestApi | Front::LoadBalancer { multi_value: true } => (None, Some(multi())),
    };
    let status_description = matches!(front, Front::LoadBalancer { .. }).then(|| response.status().to_string());
    to_raw_value(&Shape {
        status_code: response.status(),
        status_description,
        headers,
        multi_value_headers,
        body: std::str::from_utf8(response.body()).unwrap_or_default(),
        is_base64_encoded: false,
    })
}
