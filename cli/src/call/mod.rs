//! `call`: one call as the platform makes it, and what the agent would read of the answer.

mod asked;
mod fields;
pub(crate) mod reading;
pub(crate) mod request;
mod show;

use median_edge::Risk;

pub(crate) use self::asked::Asked;
use self::request::Call;
use self::show::Shown;
pub(crate) use self::show::up_to_the_cut;
use crate::args::CallOptions;
use crate::failure::{Exit, Failure};
use crate::http::{Address, Client};
use crate::keys::Signing;
use crate::manifest::{self, Manifest};
use crate::text::start_of;
use crate::{clock, curl, json, terminal};

pub(crate) fn run(options: &CallOptions, signing: &Signing, as_json: bool) -> Result<Exit, Failure> {
    // What was typed is looked at before anything is sent.
    let client = Client::new(Address::parse(&options.url)?, options.wait.timeout);
    let asked = Asked::read(&options.fields, options.input.as_deref())?;

    let manifest = manifest_of(&client, signing, options.curl)?;
    let tool = manifest.as_ref().and_then(|manifest| manifest.tool(&options.tool));
    if let (Some(manifest), None) = (&manifest, tool) {
        let names: Vec<_> = manifest.tools.iter().map(|tool| tool.name.as_str()).collect();
        let names = if names.is_empty() { "none".to_owned() } else { start_of(&names.join(", "), 400) };
        terminal::note(&format!(
            "The endpoint has no tool {}; it is called all the same. Its tools: {names}.",
            options.tool
        ));
    }
    let input = asked.input(tool.map(|tool| &tool.input_schema))?;
    let risk = tool.and_then(|tool| Risk::parse(&tool.risk)).unwrap_or(Risk::Low);
    let id = options.id.clone().map_or_else(clock::test_id, Ok)?;
    let body = Call::new(options, &id, risk.as_str(), &input).to_json()?;

    if options.curl {
        let fresh_id = options.id.is_none().then_some(id.as_str());
        show_curl(&curl::line(&options.url, &body, fresh_id, signing), as_json)?;
        return Ok(Exit::Good);
    }
    let signature = signing.sign(clock::now_ms(), body.as_bytes())?;
    let answer = client.post(&signature, body.as_bytes()).map_err(as_in_a_conversation)?;
    let shown = Shown {
        reading: &reading::read(answer.status, answer.location.as_deref(), &answer.body),
        status: answer.status,
        took: answer.took,
        request: &body,
        public_key: signing.is_public(),
        approval: (risk, (!options.no_approval).then_some(options.approved_by.as_str())),
    };
    if as_json {
        terminal::print(&format!("{}\n", shown.to_json()))?;
    } else {
        terminal::print(&shown.to_text())?;
    }
    Ok(shown.exit())
}

/// The manifest, for the types of the fields and the tool's risk. A call can do without.
fn manifest_of(client: &Client, signing: &Signing, offline: bool) -> Result<Option<Manifest>, Failure> {
    match manifest::fetch(client, signing) {
        Ok((manifest, _)) => Ok(Some(manifest)),
        // Who does not answer this does not answer a call.
        Err(failure) if failure.exit == Exit::NotRun && !offline => Err(as_in_a_conversation(failure)),
        Err(failure) => {
            let why = match failure.status {
                Some(status) => format!("{status} {}", failure.code),
                None => failure.code,
            };
            terminal::note(&format!(
                "The manifest can't be had ({why}): the look of each value decides its type, and the risk is low."
            ));
            Ok(None)
        }
    }
}

/// No answer, with what it would be to the agent.
fn as_in_a_conversation(failure: Failure) -> Failure {
    let message = format!("{} The agent would be told that the tool is not answering.", failure.message);
    Failure { message, ..failure }
}

fn show_curl(line: &str, as_json: bool) -> Result<(), Failure> {
    #[derive(serde::Serialize)]
    struct Document<'a> {
        curl: &'a str,
    }
    let text = if as_json { json::write(&Document { curl: line }) } else { line.to_owned() };
    terminal::print(&format!("{text}\n"))
}
