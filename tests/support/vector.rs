//! The files of `tests/vectors`, as its README describes them.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Ask, Environment};

/// The format that these readers know.
const FORMAT: u64 = 1;

/// Reads a file.
///
/// # Panics
///
/// When it is not there, or not in the format.
pub fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(value["format"], FORMAT, "{name} has another format");
    serde_json::from_value(value).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// `signature.json` and `calls.json`.
#[derive(Debug, Deserialize)]
pub struct RequestsFile {
    /// The variables of an endpoint that a vector says nothing about.
    pub default_keys: Environment,
    /// The requests.
    pub vectors: Vec<RequestVector>,
}

/// A request, and what has to be answered.
#[derive(Debug, Deserialize)]
pub struct RequestVector {
    /// Its name.
    pub id: String,
    /// The endpoint's clock.
    pub now: u64,
    /// The endpoint's variables, where they are not the default ones.
    pub keys: Option<Environment>,
    /// What has to be answered.
    pub expect: Expect,
    method: String,
    path: Option<String>,
    headers: Vec<(String, HeaderValue)>,
    #[serde(flatten)]
    body: Content,
}

/// What has to be answered.
#[derive(Debug, Deserialize)]
pub struct Expect {
    /// The status.
    pub status: u16,
    /// The code, when it is an error.
    pub code: Option<String>,
    /// The result, when there is one.
    pub result: Option<Value>,
    /// Texts that the message has to contain.
    #[serde(default)]
    pub mentions: Vec<String>,
    /// Headers that the answer has to have.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum HeaderValue {
    Text(String),
    Bytes { value_base64: String },
}

/// The bytes of a body, in one of the three ways to write them.
#[derive(Debug, Default, Deserialize)]
pub struct Content {
    body: Option<String>,
    body_base64: Option<String>,
    body_parts: Option<Vec<Part>>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Part {
    Text { text: String },
    Repeat { repeat: String, times: usize },
}

impl Content {
    /// The bytes, when there is a body.
    ///
    /// # Panics
    ///
    /// When it is written in more than one way, or not in base64.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match (&self.body, &self.body_base64, &self.body_parts) {
            (None, None, None) => None,
            (Some(text), None, None) => Some(text.clone().into_bytes()),
            (None, Some(base64), None) => Some(decode(base64)),
            (None, None, Some(parts)) => Some(parts.iter().flat_map(Part::bytes).collect()),
            more => panic!("a body has one form: {more:?}"),
        }
    }
}

impl Part {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text { text } => text.clone().into_bytes(),
            Self::Repeat { repeat, times } => repeat.repeat(*times).into_bytes(),
        }
    }
}

fn decode(base64: &str) -> Vec<u8> {
    BASE64_STANDARD.decode(base64).unwrap_or_else(|error| panic!("{base64}: {error}"))
}

impl RequestVector {
    /// The request, as it is sent.
    pub fn ask(&self) -> Ask {
        let mut ask = Ask::new(&self.method, self.path.as_deref().unwrap_or("/"));
        for (name, value) in &self.headers {
            ask = match value {
                HeaderValue::Text(text) => ask.header(name, text),
                HeaderValue::Bytes { value_base64 } => ask.header(name, decode(value_base64)),
            };
        }
        ask.body = self.body.bytes();
        ask
    }
}

/// `keys.json`.
#[derive(Debug, Deserialize)]
pub struct KeysFile {
    /// The messages from which secrets are derived.
    pub labels: std::collections::BTreeMap<String, String>,
    /// How a key is read, and what is derived from it.
    pub keys: Vec<KeyVector>,
    /// How a tool secret is read.
    pub tool_secrets: Vec<KeyVector>,
    /// What is signed.
    pub signing: Vec<SigningVector>,
}

/// One value of a variable.
#[derive(Debug, Deserialize)]
pub struct KeyVector {
    /// Its name.
    pub id: String,
    /// The value.
    pub value: String,
    /// What requests are answered with while the variable is like that; nothing when it is usable.
    pub code: Option<String>,
    /// The key without white space around it.
    pub trimmed: Option<String>,
    /// The secret that tool calls are signed with, in hex.
    pub tool_secret: Option<String>,
    /// The secret that a visitor's identity is signed with, in hex.
    pub identity_secret: Option<String>,
    /// The public half.
    pub public: Option<String>,
}

/// One signature.
#[derive(Debug, Deserialize)]
pub struct SigningVector {
    /// Its name.
    pub id: String,
    /// The key.
    pub key: String,
    /// The time.
    pub t: u64,
    /// The signature, in hex.
    pub v1: String,
    /// The whole header.
    pub header: String,
    /// The body.
    #[serde(flatten)]
    pub body: Content,
}

/// `navigation.json`, without its site.
#[derive(Debug, Deserialize)]
pub struct NavigationFile {
    /// The calls.
    pub vectors: Vec<NavigationVector>,
}

/// A call of `goToPage`.
#[derive(Debug, Deserialize)]
pub struct NavigationVector {
    /// Its name.
    pub id: String,
    /// The input.
    pub input: Value,
    /// What has to be answered.
    pub expect: Expected,
}

/// What a call of `goToPage` has to be answered with: what is not there must not be.
#[derive(Debug, Deserialize)]
pub struct Expected {
    /// The page.
    pub navigate_to: Option<String>,
    /// The selector.
    pub highlight: Option<String>,
    /// Why it is refused.
    pub reason: Option<String>,
    /// The code, when it is an error.
    pub code: Option<String>,
}

/// `hmac_rfc4231.json`.
#[derive(Debug, Deserialize)]
pub struct MacFile {
    /// The cases of the RFC.
    pub vectors: Vec<MacVector>,
}

/// One case of the RFC.
#[derive(Debug, Deserialize)]
pub struct MacVector {
    /// Its name.
    pub id: String,
    /// The key.
    pub key_hex: String,
    /// The message.
    pub data_hex: String,
    /// How many bytes of the result are given.
    pub mac_bytes: usize,
    /// The result, from its start.
    pub mac_hex: String,
}
