//! `tools list`, `tools enable` and `tools disable`.

use std::collections::{HashMap, HashSet};

use median_edge_platform::domain::Endpoint;
use serde::Deserialize;

use super::api::{Api, Page};
use super::print;
use crate::failure::{Exit, Failure};
use crate::http::segment;
use crate::manifest::Schema;
use crate::table::table;
use crate::terminal;
use crate::text::{clean, start_of};

/// A tool of the last good sync.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) risk: String,
    endpoint: String,
    pub(super) enabled: bool,
    agent_description: String,
    pub(super) input_schema: Schema,
}

/// Shows every tool.
pub(super) fn list(api: &Api, as_json: bool) -> Result<Exit, Failure> {
    let document = api.get("/v1/tools")?;
    let tools = document.read::<Page<Tool>>()?.items;
    let urls = if as_json { HashMap::new() } else { urls(api, &tools)? };
    print(&document.0, as_json, || shown(api, &tools, &urls))?;
    Ok(Exit::Good)
}

/// Where endpoints are, when there are several.
fn urls(api: &Api, tools: &[Tool]) -> Result<HashMap<String, String>, Failure> {
    let ids: HashSet<_> = tools.iter().map(|tool| tool.endpoint.as_str()).collect();
    if ids.len() < 2 {
        return Ok(HashMap::new());
    }
    let endpoints = api.get("/v1/tool-endpoints")?.read::<Page<Endpoint>>()?.items;
    Ok(endpoints.into_iter().map(|endpoint| (endpoint.id, endpoint.url)).collect())
}

fn shown(api: &Api, tools: &[Tool], urls: &HashMap<String, String>) -> String {
    if tools.is_empty() {
        return format!(
            "There are no tools. `{}` shows whether an endpoint is connected, and how its sync went.\n",
            api.command("tools endpoint list")
        );
    }
    let rows = tools.iter().map(|tool| {
        let on = if tool.enabled { "on" } else { "off" };
        let mut row = vec![
            tool.name.clone(),
            on.to_owned(),
            tool.risk.clone(),
            tool.input_schema.shown(),
            tool.agent_description.clone(),
        ];
        if !urls.is_empty() {
            row.push(urls.get(&tool.endpoint).unwrap_or(&tool.endpoint).clone());
        }
        row
    });
    let heads = ["tool", "is", "risk", "fields", "description", "endpoint"];
    let heads = if urls.is_empty() { &heads[..5] } else { &heads[..] };
    table(heads, rows, terminal::width()) + "\n"
}

/// Switches a tool on or off.
pub(super) fn switch(api: &Api, name: &str, on: bool, as_json: bool) -> Result<Exit, Failure> {
    let word = if on { "enable" } else { "disable" };
    let document = api.post(&format!("/v1/tools/{}/{word}", segment(name)), "{}");
    let document = document.map_err(|failure| match failure.code.as_str() {
        "not_found" => failure.hint(format!("`{}` shows those that there are.", api.command("tools list"))),
        _ => failure,
    })?;
    print(&document.0, as_json, || {
        let name = clean(name);
        if on {
            format!("{name} is on: the agent sees it from its next turn.\n")
        } else {
            format!(
                "{name} is off: it leaves the agent's next turn, and a request for it fails when it is approved.\n"
            )
        }
    })?;
    Ok(Exit::Good)
}

/// The tool of a name.
pub(super) fn find(api: &Api, name: &str) -> Result<Tool, Failure> {
    let tools = api.get("/v1/tools")?.read::<Page<Tool>>()?.items;
    let names: Vec<_> = tools.iter().map(|tool| tool.name.clone()).collect();
    tools.into_iter().find(|tool| tool.name == name).ok_or_else(|| {
        let name = start_of(name, 100);
        let known = match names.as_slice() {
            [] => "There are none.".to_owned(),
            names => format!("There are {}.", start_of(&names.join(", "), 400)),
        };
        Failure::not_among(format!("There is no tool {name}. {known}")).hint(format!(
            "Check its spelling. If the endpoint has it since a moment ago: `{}`.",
            api.command("tools sync")
        ))
    })
}
