//! A request that goes out, and what comes back: small, of no platform, and limited on both sides.
//!
//! It is there for connecting. An adapter sends it with what its runtime has: [`Host::fetch`](crate::Host::fetch).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroizing;

use crate::text::chain;

/// A request to somewhere else. What its headers hold is wiped from memory when it is dropped.
///
/// Whoever sends it follows no redirect: the headers may hold a secret, which is for that one address.
pub struct FetchRequest {
    method: &'static str,
    url: String,
    headers: Vec<(&'static str, Zeroizing<String>)>,
    body: Vec<u8>,
    limit_ms: u64,
    answer_bytes: usize,
}

impl FetchRequest {
    /// A `POST` of a JSON body.
    pub(crate) fn post_json(url: String, body: Vec<u8>, limit_ms: u64, answer_bytes: usize) -> Self {
        let headers = [("content-type", Zeroizing::new(String::from("application/json")))].into();
        Self { method: "POST", url, headers, body, limit_ms, answer_bytes }
    }

    pub(crate) fn header(mut self, name: &'static str, value: Zeroizing<String>) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The method, in upper case.
    pub fn method(&self) -> &'static str {
        self.method
    }

    /// The whole URL: ASCII, `https`, or `http` to this machine itself; without a user, a query or a fragment.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The headers; names in lower case, each once. Log none of their values.
    pub fn headers(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.headers.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// The body.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// How long all of it may take, in milliseconds, from the look-up of the name to the last byte of the answer.
    pub fn limit_ms(&self) -> u64 {
        self.limit_ms
    }

    /// The most bytes of the answer's body that are to be read. The rest is left.
    pub fn answer_bytes(&self) -> usize {
        self.answer_bytes
    }
}

/// Says nothing of the headers' values and of the body.
impl fmt::Debug for FetchRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetchRequest")
            .field("method", &self.method)
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// What came back, redirects included.
#[derive(Clone)]
pub struct FetchResponse {
    status: u16,
    body: Vec<u8>,
}

impl FetchResponse {
    /// An answer: its status, and its body up to the request's limit.
    pub fn new(status: u16, body: Vec<u8>) -> Self {
        Self { status, body }
    }

    /// The status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The body, as far as it was read.
    pub fn body(&self) -> &[u8] {
        &self.body
    }
}

/// Says nothing of the body.
impl fmt::Debug for FetchResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetchResponse").field("status", &self.status).finish_non_exhaustive()
    }
}

/// Why nothing came back. The texts are for whoever runs the endpoint, and hold nothing of the request's headers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchError {
    /// The runtime has no HTTP client.
    Unsupported,
    /// It took longer than it may.
    TimedOut,
    /// There is no connection: no such name, nobody who listens, no way there.
    Unreachable(String),
    /// There is one, and whoever is at its other end cannot show that they are who they should be.
    Untrusted(String),
    /// Something else: what came is no HTTP, or it broke off.
    Failed(String),
}

impl FetchError {
    /// [`Self::Unreachable`], for what an error and its sources say.
    pub fn unreachable(error: &dyn core::error::Error) -> Self {
        Self::Unreachable(chain(error))
    }

    /// [`Self::Failed`], for what an error and its sources say.
    pub fn failed(error: &dyn core::error::Error) -> Self {
        Self::Failed(chain(error))
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported => f.write_str("the runtime has no HTTP client"),
            Self::TimedOut => f.write_str("no answer came in time"),
            Self::Unreachable(why) => write!(f, "no connection: {why}"),
            Self::Untrusted(why) => write!(f, "no trust: {why}"),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

impl core::error::Error for FetchError {}
