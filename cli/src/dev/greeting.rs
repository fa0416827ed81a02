//! What is said at the start: what runs where, the console first, and what to do next.

use serde::Serialize;

use super::Options;
use super::demo::Demo;
use super::stand_in::StandIn;
use crate::keys::Source;
use crate::terminal::{BOLD, DIM, styled};
use crate::{curl, json, terminal};

/// All that runs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Greeting {
    /// The link that opens the console.
    console: String,
    /// Where the stand-in's API is.
    platform: String,
    /// What `tools` and `logs` need to find it.
    #[serde(skip)]
    api: String,
    /// The file that everything is kept in.
    data: Option<String>,
    /// The endpoint that somebody else runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    endpoint: Option<String>,
    #[serde(flatten)]
    demo: Option<Demo>,
}

impl Greeting {
    pub(super) fn new(stand_in: &StandIn, options: &Options, demo: Option<Demo>) -> Self {
        Self {
            console: stand_in.console(),
            platform: stand_in.url(),
            api: stand_in.api_option(),
            data: options.data.as_ref().map(|file| file.display().to_string()),
            endpoint: options.endpoint.clone(),
            demo,
        }
    }

    pub(super) fn shown(&self, as_json: bool, source: &Source) -> String {
        if as_json { json::line(self) + "\n" } else { self.to_text(source) }
    }

    fn to_text(&self, source: &Source) -> String {
        let (title, console) = (styled(BOLD, "The console:"), &self.console);
        let kept = match &self.data {
            Some(file) => format!("What happens is kept in {file}."),
            None => "What happens is kept in memory, and ends with this command.".to_owned(),
        };
        let about = format!(
            "It belongs to a local stand-in for the platform: no account, and nothing reaches the real one.\n{kept}"
        );
        let (running, next, stop) = match (&self.demo, &self.endpoint) {
            (Some(demo), _) => (
                format!(
                    "{} {}\n\n{}",
                    styled(BOLD, "The demo endpoint:"),
                    demo.url,
                    demo.table(terminal::width())
                ),
                format!(
                    "{} open the console, begin a conversation as the customer user_1, and call a tool as the agent:\n\n  {console}\n\n{}",
                    styled(BOLD, "What to do next:"),
                    demo.next(source)
                ),
                "Each request to the demo is a line below. Ctrl-C stops.",
            ),
            (None, Some(url)) => (
                format!("{} {url}", styled(BOLD, "Your endpoint:")),
                format!(
                    "{} open the console, begin a conversation, and call a tool as the agent:\n\n  {console}",
                    styled(BOLD, "What to do next:")
                ),
                "Ctrl-C stops.",
            ),
            (None, None) => (
                styled(BOLD, "No endpoint is connected."),
                format!(
                    "{} connect one at {console}, or `{} tools endpoint add URL{}` in another terminal.",
                    styled(BOLD, "What to do next:"),
                    curl::program(),
                    self.api
                ),
                "Ctrl-C stops.",
            ),
        };
        format!("{title} {console}\n{about}\n\n{running}\n\n{next}\n\n{}\n", styled(DIM, stop))
    }
}
