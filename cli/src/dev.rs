//! `dev`: the demo endpoint on this machine.

use std::net::Ipv4Addr;
use std::sync::Arc;

use median_edge::{Effect, Endpoint, Risk, Tool};
use median_edge_local::{LogFormat, Server, StartError};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::args::DevOptions;
use crate::call::request::Call;
use crate::failure::{Exit, Failure};
use crate::keys::{Signing, Source};
use crate::manifest::Manifest;
use crate::table::table;
use crate::terminal::{BOLD, DIM, styled};
use crate::{clock, curl, json, terminal};

/// Where the demo is when nobody says otherwise.
const PORT: u16 = 7420;

/// What the curl line calls: a tool of the demo that changes nothing.
const EXAMPLE_TOOL: &str = "orderStatus";
const EXAMPLE_FIELD: &str = "orderNumber=ORD-1042";
/// In which somebody is signed in to the demo.
const EXAMPLE_COOKIE: &str = "session=demo";
const EXAMPLE_INPUT: &str = r#"{"orderNumber":"ORD-1042"}"#;

pub(crate) fn run(options: &DevOptions, signing: &Signing, as_json: bool) -> Result<Exit, Failure> {
    let endpoint = support_desk::endpoint().map_err(|error| {
        Failure::not_run("invalid_config", format!("The demo can't be built: {error}"))
            .hint("Fix what it lists in the support-desk example.")
    })?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::not_run("no_runtime", format!("The server can't be started: {error}.")))?;
    let port = options.port.unwrap_or(PORT);
    runtime.block_on(serve(endpoint, support_desk::Desk::demo(), port, signing, as_json))?;
    Ok(Exit::Good)
}

async fn serve<S: Send + Sync + 'static>(
    endpoint: Endpoint<S>,
    state: S,
    port: u16,
    signing: &Signing,
    as_json: bool,
) -> Result<(), Failure> {
    let endpoint = Arc::new(endpoint);
    let format = if as_json { LogFormat::Json } else { LogFormat::Text };
    let server =
        Server::shared(Arc::clone(&endpoint), Arc::new(state)).keys(signing.keys.clone()).log(format);
    let bound = server.bind((Ipv4Addr::LOCALHOST, port)).await.map_err(|error| not_started(&error, port))?;

    let demo = Demo::new(&endpoint, bound.url(), signing)?;
    let greeting =
        if as_json { json::line(&demo) + "\n" } else { demo.to_text(&signing.source, terminal::width()) };
    terminal::print(&greeting)?;
    bound.serve().await.map_err(|error| Failure::not_run("not_started", error.to_string()))
}

fn not_started(error: &StartError, port: u16) -> Failure {
    match error {
        StartError::PortInUse(_) => {
            let (program, other) = (curl::program(), port.checked_add(1).unwrap_or(PORT));
            let message = format!("Port {port} of 127.0.0.1 is in use, maybe by another `dev`.");
            Failure::not_run("port_in_use", message).hint(format!(
                "Stop that program, or take another port: `{program} dev --port {other}`. Port 0 takes any that is free."
            ))
        }
        error => Failure::not_run("not_started", error.to_string()),
    }
}

/// What is shown of the endpoint.
#[derive(Debug, Serialize)]
struct Demo {
    url: String,
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

    fn to_text(&self, source: &Source, width: u16) -> String {
        let rows = self.tools.iter().map(|tool| {
            let (risk, effect) = (tool.risk.as_str().to_owned(), tool.effect.as_str().to_owned());
            vec![tool.name.clone(), risk, effect, tool.fields.clone(), tool.description.clone()]
        });
        let table = table(&["tool", "risk", "effect", "fields", "description"], rows, width);
        let needs = match source {
            Source::Default => String::new(),
            Source::Variable(name, _) => format!(", in a shell that has {name} exported"),
            Source::File(..) => ", from this folder".to_owned(),
        };
        let (title, url) = (styled(BOLD, "The demo endpoint:"), &self.url);
        let (curl_title, curl) = (styled(BOLD, &format!("Call a tool with curl{needs}:")), &self.curl);
        let call_title = styled(BOLD, "Or see what the agent would read:");
        let call = format!("{} call {url} {EXAMPLE_TOOL} {EXAMPLE_FIELD}", curl::program());
        let identity = self.identity.as_ref().map(|url| {
            let title = styled(BOLD, "Or ask who is signed in, as the widget does:");
            format!("{title}\ncurl -sS {url} --cookie {EXAMPLE_COOKIE}\n\n")
        });
        let identity = identity.unwrap_or_default();
        let stop = styled(DIM, "Each request is a line below. Ctrl-C stops.");
        format!(
            "{title} {url}\n\n{table}\n\n{curl_title}\n{curl}\n\n{call_title}\n{call}\n\n{identity}{stop}\n"
        )
    }
}

/// The body of the call that the curl line makes.
fn example(id: &str) -> Result<String, Failure> {
    let input =
        RawValue::from_string(EXAMPLE_INPUT.to_owned()).map_err(|error| Failure::usage(error.to_string()))?;
    Call::example(EXAMPLE_TOOL, id, &input).to_json()
}
