//! `/v1/tools`

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::{Body, Items, Params, Path, Wait};
use super::calls::finished;
use super::problem::ErrorBody;
use crate::domain::{Call, Endpoint, Outcome, Problem, RawJson, TestCall, Tool};
use crate::engine::Platform;

/// A tool of the last good sync.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolView {
    #[serde(flatten)]
    tool: ToolShown,
    /// Where it is.
    endpoint: String,
    /// Whether it is switched on.
    enabled: bool,
    /// The description as the agent reads it, with the platform's own line.
    agent_description: String,
    /// The schema as it came.
    #[schema(value_type = Object)]
    input_schema: RawJson,
}

/// What the manifest says of it.
#[derive(Debug, Serialize, ToSchema)]
struct ToolShown {
    name: String,
    description: String,
    risk: crate::domain::ToolRisk,
    fields: Vec<crate::domain::Field>,
}

fn views(endpoint: &Endpoint) -> Vec<ToolView> {
    let view = |tool: &Tool| ToolView {
        tool: ToolShown {
            name: tool.name.clone(),
            description: tool.description.clone(),
            risk: tool.risk,
            fields: tool.fields.clone(),
        },
        endpoint: endpoint.id.clone(),
        enabled: !endpoint.switched_off.contains(&tool.name),
        agent_description: tool.agent_description(),
        input_schema: tool.input_schema.clone(),
    };
    endpoint.tools().iter().map(view).collect()
}

/// Every tool of every endpoint, switched on or off.
#[utoipa::path(get, path = "/v1/tools", tag = "tools", responses((status = 200, body = Items<ToolView>)))]
pub(super) async fn list(State(platform): State<Platform>) -> Result<Json<Items<ToolView>>, Problem> {
    let endpoints = platform.run(|desk| desk.endpoints()).await?;
    Ok(Json(Items { items: endpoints.iter().flat_map(views).collect() }))
}

/// Switches a tool on.
#[utoipa::path(post, path = "/v1/tools/{name}/enable", tag = "tools", params(("name" = String, Path)),
    responses((status = 200, body = Endpoint), (status = 404, body = ErrorBody)))]
pub(super) async fn enable(
    State(platform): State<Platform>,
    Path(name): Path<String>,
) -> Result<Json<Endpoint>, Problem> {
    platform.run(move |desk| desk.switch(&name, true)).await.map(Json)
}

/// Switches a tool off. It leaves the agent's next turn and the run lists.
#[utoipa::path(post, path = "/v1/tools/{name}/disable", tag = "tools", params(("name" = String, Path)),
    responses((status = 200, body = Endpoint), (status = 404, body = ErrorBody)))]
pub(super) async fn disable(
    State(platform): State<Platform>,
    Path(name): Path<String>,
) -> Result<Json<Endpoint>, Problem> {
    platform.run(move |desk| desk.switch(&name, false)).await.map(Json)
}

/// A test of a tool.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Test {
    /// The input, sent byte for byte.
    #[schema(value_type = Object)]
    input: RawJson,
    /// On this conversation, with its visitor. Without one, the visitor is nobody.
    conversation: Option<String>,
}

/// How a test ended.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Tested {
    /// Whether the tool did what was asked. A refusal is `false`.
    ok: Option<bool>,
    /// The call.
    call: Call,
}

/// Calls a tool as a test, at any risk.
#[utoipa::path(post, path = "/v1/tools/{name}/test", tag = "tools", params(("name" = String, Path), Wait),
    request_body = Test, responses((status = 200, body = Tested), (status = "4XX", body = ErrorBody)))]
pub(super) async fn test(
    State(platform): State<Platform>,
    Path(name): Path<String>,
    Params(Wait { wait }): Params<Wait>,
    Body(test): Body<Test>,
) -> Result<Json<Tested>, Problem> {
    let test = TestCall { input: test.input.as_str().to_owned(), conversation: test.conversation };
    let call = platform.run(move |desk| desk.test(&name, &test)).await?;
    let call = if wait { finished(&platform, call.id).await? } else { call };
    let ok = call.outcome.as_ref().map(|outcome| matches!(outcome, Outcome::Data { .. }));
    Ok(Json(Tested { ok, call }))
}
