//! The demo endpoint, and what is shown of it.

use std::net::Ipv4Addr;
use std::sync::Arc;

use median_edge::{ConnectSettings, Effect, Endpoint, Risk, Tool};
use median_edge_local::{Bound, LogFormat, Server, StartError};
use serde::Serialize;
use serde_json::value::RawValue;
use support_desk::Desk;

use super::{PORT, port_in_use};
use crate::call::request::Call;
use crate::failure::Failure;
use crate::keys::{Signing, Source};
use crate::manifest::Manifest;
use crate::table::table;
use crate::terminal::{BOLD, styled};
use crate::{clock, curl};

/// What the curl line calls: a tool of the demo that changes nothing.
const EXAMPLE_TOOL: &str = "orderStatus";
const EXAMPLE_FIELD: &str = "orderNumber=ORD-1042";
/// In which somebody is signed in to the demo.
const EXAMPLE_COOKIE: &str = "session=demo";
const EXAMPLE_INPUT: &str = r#"{"orderNumber":"ORD-1042"}"#;

/// Binds the demo to its port. Its owner's `GET` connects it to the stand-in.
pub(super) async fn bind(
    port: u16,
    stand_in: &str,
    signing: &Signing,
    as_json: bool,
) -> Result<(Bound<Desk>, Demo), Failure> {
    let endpoint = support_desk::endpoint().map_err(|error| {
        Failure::not_run("invalid_config", format!("The demo can't be built: {error}"))
            .hint("Fix what it lists in the support-desk example.")
    })?;
    let endpoint = Arc::new(endpoint);
    let format = if as_json { LogFormat::Json } else { LogFormat::Text };
    let server = Server::shared(Arc::clone(&endpoint), Arc::new(Desk::demo()))
        .keys(signing.keys.clone())
        .connect(ConnectSettings::new().api_url(stand_in))
        .log(format);
    let bound = server.bind((Ipv4Addr::LOCALHOST, port)).await.map_err(|error| match error {
        StartError::PortInUse(_) => port_in_use(port, "--port", PORT),
        error => Failure::not_run("not_started", error.to_string()),
    })?;
    let demo = Demo::new(&endpoint, bound.url(), signing)?;
    Ok((bound, demo))
}

/// What is shown of the endpoint.
#[derive(Debug, Serialize)]
pub(super) struct Demo {
    pub(super) url: String,
    tools: Vec<Row>,
    curl: String,
    /// Where the widget would ask who is signed in.
    identity: Option<String>,
}

/// A tool as its manifest has it, and what only this side knows of it.
#[derive(Debug, Serialize)]
struct Row {
    name: String,
    risk: Risk,
    effect: Effect,
    description: String,
    #[serde(skip)]
    fields: String,
}

impl Demo {
    fn new<S>(endpoint: &Endpoint<S>, url: String, signing: &Signing) -> Result<Self, Failure> {
        let manifest = Manifest::parse(endpoint.manifest())?;
        let row = |tool: &Tool<S>| Row {
            name: tool.name().to_owned(),
            risk: tool.risk(),
            effect: tool.effect(),
            description: tool.description().to_owned(),
            fields: manifest.tool(tool.name()).map(|tool| tool.input_schema.shown()).unwrap_or_default(),
        };
        let id = clock::test_id()?;
        let curl = curl::line(&url, &example(&id)?, Some(&id), signing);
        let identity = endpoint.identity_path().map(|path| {
            let origin = url.strip_suffix(endpoint.mount()).unwrap_or(&url);
            format!("{origin}{path}")
        });
        Ok(Self { url, tools: endpoint.tools().iter().map(row).collect(), curl, identity })
    }

    /// Its tools.
    pub(super) fn table(&self, width: u16) -> String {
        let rows = self.tools.iter().map(|tool| {
            let (risk, effect) = (tool.risk.as_str().to_owned(), tool.effect.as_str().to_owned());
            vec![tool.name.clone(), risk, effect, tool.fields.clone(), tool.description.clone()]
        });
        table(&["tool", "risk", "effect", "fields", "description"], rows, width)
    }

    /// What to do with it from a shell.
    pub(super) fn next(&self, source: &Source) -> String {
        let needs = match source {
            Source::Default => String::new(),
            Source::Variable(name, _) => format!(", in a shell that has {name} exported"),
            Source::File(..) => ", from this folder".to_owned(),
        };
        let url = &self.url;
        let (curl_title, curl) = (styled(BOLD, &format!("Call a tool with curl{needs}:")), &self.curl);
        let call_title = styled(BOLD, "Or see what the agent would read:");
        let call = format!("{} call {url} {EXAMPLE_TOOL} {EXAMPLE_FIELD}", curl::program());
        let identity = self.identity.as_ref().map(|url| {
            let title = styled(BOLD, "Or ask who is signed in, as the widget does:");
            format!("\n\n{title}\ncurl -sS {url} --cookie {EXAMPLE_COOKIE}")
        });
        let identity = identity.unwrap_or_default();
        format!("{curl_title}\n{curl}\n\n{call_title}\n{call}{identity}")
    }
}

/// The body of the call that the curl line makes.
fn example(id: &str) -> Result<String, Failure> {
    let input =
        RawValue::from_string(EXAMPLE_INPUT.to_owned()).map_err(|error| Failure::usage(error.to_string()))?;
    Call::example(EXAMPLE_TOOL, id, &input).to_json()
}
