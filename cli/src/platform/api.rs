//! The platform's API: where it is, one request, and what a refusal says.

use median_edge::{Code, ConnectSettings};
use median_edge_platform::domain::Code as ApiCode;
use median_edge_platform::domain::limits::WAIT_SECONDS;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use ureq::http::Method;

use super::hints;
use super::options::ApiOptions;
use crate::args::KeyOptions;
use crate::call::reading::{ProtocolError, error_of};
use crate::curl;
use crate::dev::PLATFORM_PORT;
use crate::failure::Failure;
use crate::http::{Address, Answer, Client};
use crate::keys::Bearer;
use crate::manifest::body_shown;
use crate::text::{clean, start_of};

/// How long an answer is waited for, in seconds: longer than the stand-in waits for what an endpoint does.
pub(super) const LIMIT_SECONDS: u64 = WAIT_SECONDS + 20;

/// The most characters of a message that are shown.
const LONGEST_MESSAGE: usize = 2_000;

/// The API, and the key that opens it.
#[derive(Debug)]
pub(super) struct Api {
    address: Address,
    key: Bearer,
    /// What was typed to say where it is, for what is typed next: nothing where the environment says it.
    option: String,
}

/// One page of a list.
#[derive(Debug, Deserialize)]
pub(super) struct Page<T> {
    pub(super) items: Vec<T>,
    /// Where the list goes on.
    #[serde(default)]
    pub(super) next: Option<u64>,
}

/// What the API answered.
#[derive(Debug)]
pub(super) struct Document(pub(super) String);

impl Document {
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_str(&self.0).map_err(|error| {
            let why = start_of(&error.to_string(), 300);
            let message = format!("The answer is not in the form of the stand-in's API: {why}.");
            Failure::answered(200, "not_the_api", message).hint(hints::not_the_api())
        })
    }
}

impl Api {
    /// Finds out where it is and which key opens it.
    pub(super) fn open(options: &ApiOptions, key: &KeyOptions) -> Result<Self, Failure> {
        let variable = ConnectSettings::API_URL_VARIABLE;
        let told = || Some(std::env::var_os(variable)?.to_string_lossy().trim_ascii().to_owned());
        let given = options.api.clone().or_else(told).filter(|url| !url.is_empty());
        let url = given.unwrap_or_else(|| format!("http://127.0.0.1:{PLATFORM_PORT}"));
        let address = Address::of_api(&url)?;
        let option = options.api.as_deref().map(|url| format!(" --api {}", curl::word(&clean(url))));
        Ok(Self { address, key: Bearer::find(key)?, option: option.unwrap_or_default() })
    }

    /// A command to type next, that asks the same API.
    pub(super) fn command(&self, words: &str) -> String {
        format!("{} {words}{}", curl::program(), self.option)
    }

    pub(super) fn get(&self, path: &str) -> Result<Document, Failure> {
        self.ask(Method::GET, path, None)
    }

    pub(super) fn post(&self, path: &str, body: &str) -> Result<Document, Failure> {
        self.ask(Method::POST, path, Some(body))
    }

    pub(super) fn delete(&self, path: &str) -> Result<Document, Failure> {
        self.ask(Method::DELETE, path, None)
    }

    fn ask(&self, method: Method, path: &str, body: Option<&str>) -> Result<Document, Failure> {
        let client = Client::new(self.address.under(path), LIMIT_SECONDS);
        let answer = client.ask(method, &self.key, body)?;
        if !(200..300).contains(&answer.status) {
            return Err(self.refused(&answer));
        }
        String::from_utf8(answer.body).map(Document).map_err(|_| {
            Failure::answered(answer.status, "not_the_api", "The answer is not text.")
                .hint(hints::not_the_api())
        })
    }

    /// Why the API did not do what it was asked, in its own words, and what to do about it.
    fn refused(&self, answer: &Answer) -> Failure {
        let status = answer.status;
        if let Some(error) = error_of(&answer.body) {
            if is_an_endpoints(&error) {
                return Failure::answered(status, "not_the_api", hints::an_endpoint()).hint(
                    "Leave out --api and MEDIAN_API_URL, or set one of them to the stand-in's address.",
                );
            }
            let hint = hints::for_code(&error.code, self.key.is_public(), |words| self.command(words));
            let message = if status == 401 {
                "The stand-in was started with another key than this one.".to_owned()
            } else {
                start_of(&error.message, LONGEST_MESSAGE)
            };
            let failure = Failure::answered(status, error.code, message);
            return match hint {
                Some(hint) => failure.hint(hint),
                None => failure,
            };
        }
        let message = match &answer.location {
            Some(to) => format!(
                "The answer is {status}, a redirect to {}, and the key does not go there.",
                start_of(to, 300)
            ),
            None => format!(
                "The answer is {status}, and not in the form of the stand-in's API: {}",
                body_shown(&answer.body)
            ),
        };
        Failure::answered(status, "not_the_api", message).hint(hints::not_the_api())
    }
}

/// Whether an endpoint refused the request, and not the API.
fn is_an_endpoints(error: &ProtocolError) -> bool {
    let is_the_apis = ApiCode::ALL.iter().any(|code| code.as_str() == error.code);
    match Code::parse(&error.code) {
        // Both have this code. An endpoint of this project has a path of its own, and says which.
        Some(Code::NotFound) => error.message.contains("The tool endpoint is at "),
        Some(_) => !is_the_apis,
        None => false,
    }
}
