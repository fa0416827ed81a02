//! A reviewer that asks a model, by any chat API that is like `OpenAI`'s.

use std::fmt;
use std::time::Duration;

use http::{Method, Uri};
use median_edge::loopback;
use serde::Deserialize;
use serde_json::json;

use super::{Reviewer, Reviewing, prompt, verdict};
use crate::domain::{Answer, ReviewCase, Verdict, VerdictKind};
use crate::engine::{Client, Outgoing};

/// Where the API is, up to its version, like `https://api.example.com/v1`.
const URL_VARIABLE: &str = "MEDIAN_REVIEWER_URL";
/// Which model.
const MODEL_VARIABLE: &str = "MEDIAN_REVIEWER_MODEL";
/// The API's key, when it has one.
const KEY_VARIABLE: &str = "MEDIAN_REVIEWER_KEY";
/// No longer than a verdict may take.
const LIMIT: Duration = Duration::from_mins(1);

/// Asks a model for each verdict, within 60 seconds.
pub struct ChatReviewer {
    url: String,
    model: String,
    key: Option<String>,
    client: Client,
}

impl fmt::Debug for ChatReviewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatReviewer")
            .field("url", &self.url)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

/// What is wrong with a reviewer's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChatError {
    /// There is an address and no model.
    NoModel,
    /// The address is none.
    NoAddress,
    /// The address holds a name or a password.
    Credentials,
    /// The address goes on after its path.
    Query,
    /// The key would go over the network for everyone to read.
    KeyInTheClear,
}

impl fmt::Display for ChatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoModel => {
                write!(f, "{URL_VARIABLE} is set and {MODEL_VARIABLE} is not. Set it to a model of that API.")
            }
            Self::NoAddress => {
                write!(f, "{URL_VARIABLE} is not an address that begins with http:// or https://.")
            }
            Self::Credentials => write!(
                f,
                "{URL_VARIABLE} holds a name or a password. Leave out what stands before the @, and set {KEY_VARIABLE} to the \
                 API's key."
            ),
            Self::Query => write!(
                f,
                "{URL_VARIABLE} has a query or a fragment. Set it to the address up to the version, like \
                 https://api.example.com/v1, and {KEY_VARIABLE} to the API's key."
            ),
            Self::KeyInTheClear => write!(
                f,
                "{URL_VARIABLE} is http, so everyone on the way could read {KEY_VARIABLE}. Use https; http is for an API on \
                 this machine (localhost, 127.0.0.1 or [::1]), or one that takes no key."
            ),
        }
    }
}

impl std::error::Error for ChatError {}

impl ChatReviewer {
    /// From `MEDIAN_REVIEWER_URL`, `MEDIAN_REVIEWER_MODEL` and `MEDIAN_REVIEWER_KEY`, through a look-up by name. Nothing
    /// when there is no URL.
    ///
    /// # Errors
    ///
    /// When the settings can't work.
    pub fn from_lookup(mut lookup: impl FnMut(&str) -> Option<String>) -> Result<Option<Self>, ChatError> {
        let mut get =
            |name| lookup(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        let Some(base) = get(URL_VARIABLE) else { return Ok(None) };
        let (uri, key) = (base_address(&base)?, get(KEY_VARIABLE));
        let is_plain = uri.scheme_str() == Some("http");
        if key.is_some() && is_plain && !uri.host().is_some_and(loopback::is_host) {
            return Err(ChatError::KeyInTheClear);
        }
        let url = format!("{}/chat/completions", base.trim_end_matches('/'));
        let model = get(MODEL_VARIABLE).ok_or(ChatError::NoModel)?;
        Ok(Some(Self { url, model, key, client: Client::default() }))
    }

    async fn ask(&self, case: &ReviewCase) -> Result<Verdict, String> {
        let messages = prompt::messages(case)?;
        let body = json!({
            "model": self.model,
            "messages": messages,
            "temperature": 0,
            "response_format": { "type": "json_object" },
        });
        let outgoing = Outgoing {
            method: Method::POST,
            url: &self.url,
            signature: None,
            bearer: self.key.as_deref(),
            body: body.to_string(),
        };
        let body = match self.client.send(outgoing, LIMIT).await {
            Answer::Http { status: 200, body } => body,
            Answer::Http { status, .. } => return Err(format!("The reviewer's API answered {status}.")),
            Answer::None { why } => return Err(format!("The reviewer's API did not answer: {why}")),
        };
        let completion: Completion = serde_json::from_slice(&body)
            .map_err(|_| "The reviewer's API did not answer in the form of a chat.".to_owned())?;
        let content = completion.choices.into_iter().next().and_then(|choice| choice.message.content);
        let content = content.ok_or("The reviewer's API answered with no text.")?;
        Ok(verdict::read(content.trim(), case.approval.visitor.verified))
    }
}

/// The API's address, with nothing secret in it: it stands in errors and in `Debug`.
fn base_address(text: &str) -> Result<Uri, ChatError> {
    let (_, rest) = text.split_once("://").ok_or(ChatError::NoAddress)?;
    if text.contains(['?', '#']) {
        return Err(ChatError::Query);
    }
    // Before it is read as a URL, which a password may keep it from being.
    if rest.split('/').next().is_some_and(|authority| authority.contains('@')) {
        return Err(ChatError::Credentials);
    }
    let uri: Uri = text.parse().map_err(|_| ChatError::NoAddress)?;
    match (uri.scheme_str(), uri.host()) {
        (Some("http" | "https"), Some(host)) if !host.is_empty() => Ok(uri),
        _ => Err(ChatError::NoAddress),
    }
}

impl Reviewer for ChatReviewer {
    fn review<'a>(&'a self, case: &'a ReviewCase) -> Reviewing<'a> {
        Box::pin(async {
            let asked = self.ask(case).await;
            asked.unwrap_or_else(|reason| Verdict { kind: VerdictKind::None, reason })
        })
    }
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
}
