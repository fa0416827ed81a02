//! The words of the platform's own command line: `tools` and `logs`, against the stand-in's HTTP API.
//!
//! They do what the console does, through the same routes. With `--json` they print what the API answers, as it came.

mod api;
mod approvals;
pub(crate) mod clash;
mod endpoints;
mod hints;
mod logs;
mod options;
mod outcome;
mod switches;
mod test;

pub(crate) use self::options::{LOGS_AFTER, LogsOptions, TOOLS_AFTER, ToolsOptions};

use self::api::Api;
use self::options::{ApprovalsWord, EndpointWord, Word};
use crate::args::KeyOptions;
use crate::failure::{Exit, Failure};
use crate::{json, terminal};

/// `tools`.
pub(crate) fn tools(options: &ToolsOptions, key: &KeyOptions, as_json: bool) -> Result<Exit, Failure> {
    let api = Api::open(&options.api, key)?;
    match &options.word {
        Word::Endpoint(EndpointWord::Add { url, own_key_env }) => {
            endpoints::add(&api, url, own_key_env.as_deref(), as_json)
        }
        Word::Endpoint(EndpointWord::List) => endpoints::list(&api, as_json),
        Word::Endpoint(EndpointWord::Remove { endpoint }) => endpoints::remove(&api, endpoint, as_json),
        Word::Sync { endpoint: Some(endpoint) } => endpoints::sync(&api, endpoint, as_json),
        Word::Sync { endpoint: None } => endpoints::sync_all(&api, as_json),
        Word::List => switches::list(&api, as_json),
        Word::Enable { name } => switches::switch(&api, name, true, as_json),
        Word::Disable { name } => switches::switch(&api, name, false, as_json),
        Word::Test(options) => test::run(&api, options, as_json),
        Word::Approvals(options) => match &options.word {
            None => approvals::list(&api, options, as_json),
            Some(ApprovalsWord::Approve(decision)) => approvals::approve(&api, decision, as_json),
            Some(ApprovalsWord::Deny(decision)) => approvals::deny(&api, decision, as_json),
        },
    }
}

/// `logs`.
pub(crate) fn logs(options: &LogsOptions, key: &KeyOptions, as_json: bool) -> Result<Exit, Failure> {
    let api = Api::open(&options.api, key)?;
    if options.follow { logs::follow(&api, options, as_json) } else { logs::show(&api, options, as_json) }
}

/// Prints a document of the API as it came, or what people read of it.
fn print(document: &str, as_json: bool, text: impl FnOnce() -> String) -> Result<(), Failure> {
    if as_json {
        return terminal::print(&format!("{}\n", json::safe(&json::pretty(document))));
    }
    terminal::print(&text())
}
