//! `tools test`: a tool called by the stand-in, as a test or as the agent.

use median_edge_platform::domain::{Approval, ApprovalState, Call, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::api::{Api, Document};
use super::options::TestOptions;
use super::outcome::{Ended, lines};
use super::print;
use super::switches::{self, Tool};
use crate::call::Asked;
use crate::curl;
use crate::failure::{Exit, Failure};
use crate::http::segment;
use crate::json;
use crate::terminal::{BOLD, CAUTION, DIM, styled};
use crate::text::clean;

/// Why a tool refuses whoever is nobody.
const NOT_SIGNED_IN: &str = "not_signed_in";

/// How a test ended.
#[derive(Debug, Deserialize)]
struct Tested {
    call: Call,
}

/// What became of a call of the agent's.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Called {
    kind: String,
    agent_reads: Option<String>,
    call: Option<Call>,
    approval: Option<Approval>,
}

pub(super) fn run(api: &Api, options: &TestOptions, as_json: bool) -> Result<Exit, Failure> {
    // What was typed is looked at before anything is sent.
    let asked = Asked::read(&options.fields, options.input.as_deref())?;
    let tool = switches::find(api, &options.name)?;
    let input = asked.input(Some(&tool.input_schema))?;
    let conversation = conversation(api, options)?;
    match conversation {
        Some(conversation) if options.as_agent => by_agent(api, options, &conversation, &input, as_json),
        conversation => as_test(api, &tool, conversation.as_deref(), &input, as_json),
    }
}

fn as_test(
    api: &Api,
    tool: &Tool,
    conversation: Option<&str>,
    input: &RawValue,
    as_json: bool,
) -> Result<Exit, Failure> {
    #[derive(Serialize)]
    struct Body<'a> {
        input: &'a RawValue,
        #[serde(skip_serializing_if = "Option::is_none")]
        conversation: Option<&'a str>,
    }
    let path = format!("/v1/tools/{}/test", segment(&tool.name));
    let document = api.post(&path, &json::line(&Body { input, conversation }))?;
    let Tested { call } = document.read()?;
    let ended = Ended::of(&call);
    print(&document.0, as_json, || {
        let risk = call.risk.waits().then(|| {
            let risk = call.risk.as_str();
            beside(&format!(
                "The agent's own call of a {risk} tool waits for a decision: --as-agent shows that."
            ))
        });
        let off = (!tool.enabled).then(|| {
            let enable = api.command(&format!("tools enable {}", curl::word(&clean(&tool.name))));
            beside(&format!(
                "It is switched off, and a test runs it all the same: the agent does not see it. `{enable}` switches it on."
            ))
        });
        let is_unknown =
            matches!(&call.outcome, Some(Outcome::Refusal { reason, .. }) if reason == NOT_SIGNED_IN);
        let visitor = (conversation.is_none() && is_unknown).then(|| {
            beside("The visitor of this test is nobody: --visitor and an id of yours make it that customer.")
        });
        [Some(ended.shown(api)), risk, off, visitor, Some(on_conversation(conversation))]
            .into_iter()
            .flatten()
            .collect()
    })?;
    Ok(if ended.is_good() { Exit::Good } else { Exit::Answered })
}

/// The agent calls it in a turn of its own, which stays open.
fn by_agent(
    api: &Api,
    options: &TestOptions,
    conversation: &str,
    input: &RawValue,
    as_json: bool,
) -> Result<Exit, Failure> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Body<'a> {
        tool: &'a str,
        input: &'a RawValue,
        send_anyway: bool,
    }
    let of = format!("/v1/conversations/{}", segment(conversation));
    api.post(&format!("{of}/turns"), "{}")?;
    let body = json::line(&Body { tool: &options.name, input, send_anyway: options.send_anyway });
    let document = api.post(&format!("{of}/calls"), &body).map_err(|failure| match failure.code.as_str() {
        "not_found" => failure.hint(format!(
            "The agent does not see a tool that is off: `{}` shows which are. A turn that began earlier keeps its own tools.",
            api.command("tools list")
        )),
        _ => failure,
    })?;
    let called: Called = document.read()?;
    print(&document.0, as_json, || called.shown(api) + &on_conversation(Some(conversation)))?;
    Ok(called.exit())
}

impl Called {
    fn exit(&self) -> Exit {
        let is_good = match &self.call {
            Some(call) => Ended::of(call).is_good(),
            None => self.kind == "requested",
        };
        if is_good { Exit::Good } else { Exit::Answered }
    }

    fn shown(&self, api: &Api) -> String {
        if let Some(call) = &self.call {
            return Ended::of(call).shown(api);
        }
        let reads = self.agent_reads.as_deref().map(lines).unwrap_or_default();
        let (head, decide) = match &self.approval {
            Some(approval) => (waits(approval), how_to_decide(api, approval)),
            None => (styled(CAUTION, "Nothing ran."), String::new()),
        };
        format!("{head}\n\nThe agent reads:\n\n{reads}\n{decide}")
    }
}

/// What a request waits for.
fn waits(approval: &Approval) -> String {
    let what = match approval.state {
        ApprovalState::Reviewing => "Waits for the reviewer:",
        ApprovalState::Executing => "Runs already:",
        _ => "Waits for a teammate:",
    };
    format!(
        "{} {} ({}), nothing ran yet",
        styled(CAUTION, what),
        clean(&approval.tool),
        approval.risk.as_str()
    )
}

fn how_to_decide(api: &Api, approval: &Approval) -> String {
    if !approval.state.is_undecided() {
        return String::new();
    }
    let id = curl::word(&clean(&approval.id));
    let decide = |word| api.command(&format!("tools approvals {word} {id}"));
    format!(
        "\n{} {}\n{}    {}\n",
        styled(BOLD, "To approve it:"),
        decide("approve"),
        styled(BOLD, "To deny it:"),
        decide("deny")
    )
}

fn on_conversation(conversation: Option<&str>) -> String {
    conversation.map(|id| beside(&format!("On the conversation {}.", clean(id)))).unwrap_or_default()
}

/// What is said after all else.
fn beside(note: &str) -> String {
    format!("\n{}\n", styled(DIM, note))
}

/// The conversation to call on: the one that was named, a new one whose visitor was, or none.
fn conversation(api: &Api, options: &TestOptions) -> Result<Option<String>, Failure> {
    #[derive(Serialize)]
    struct Begin {
        #[serde(skip_serializing_if = "Option::is_none")]
        identity: Option<Box<RawValue>>,
    }
    #[derive(Deserialize)]
    struct Begun {
        conversation: Id,
    }
    #[derive(Deserialize)]
    struct Id {
        id: String,
    }
    if options.conversation.is_some() {
        return Ok(options.conversation.clone());
    }
    let identity = options.visitor.as_deref().map(|visitor| identity(api, visitor)?.read()).transpose()?;
    if identity.is_none() && !options.as_agent {
        return Ok(None);
    }
    let begun: Begun = api.post("/v1/conversations", &json::line(&Begin { identity }))?.read()?;
    Ok(Some(begun.conversation.id))
}

/// An identity signed as the application's own route would.
fn identity(api: &Api, id: &str) -> Result<Document, Failure> {
    #[derive(Serialize)]
    struct Customer<'a> {
        id: &'a str,
    }
    api.post("/v1/identities", &json::line(&Customer { id }))
}
