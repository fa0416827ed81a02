//! Calls by the agent, played by a person.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::body::{Body, Params, Path, Wait};
use super::problem::ErrorBody;
use crate::domain::{AgentCall, Call, CallAnswer, CallState, LogEvent, Page, Paged, Problem, RawJson};
use crate::engine::Platform;

/// A call of the agent's.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct NewCall {
    /// The tool.
    tool: String,
    /// The input, sent byte for byte.
    #[schema(value_type = Object)]
    input: RawJson,
    /// Send an input that does not fit the schema, to see what the endpoint says.
    #[serde(default)]
    send_anyway: bool,
}

/// Calls a tool in the agent's turn. What goes to the endpoint is waited for; what needs a decision is recorded.
#[utoipa::path(post, path = "/v1/conversations/{id}/calls", tag = "agent", params(("id" = String, Path), Wait),
    request_body = NewCall, responses((status = 200, body = CallAnswer), (status = "4XX", body = ErrorBody)))]
pub(super) async fn call(
    State(platform): State<Platform>,
    Path(id): Path<String>,
    Params(Wait { wait }): Params<Wait>,
    Body(new): Body<NewCall>,
) -> Result<Json<CallAnswer>, Problem> {
    let call =
        AgentCall { tool: new.tool, input: new.input.as_str().to_owned(), send_anyway: new.send_anyway };
    let mut answer = platform.run(move |desk| desk.call(&id, &call)).await?;
    if let (true, Some(call)) = (wait, &answer.call) {
        let call = finished(&platform, call.id.clone()).await?;
        answer.agent_reads.clone_from(&call.agent_reads);
        answer.call = Some(call);
    }
    Ok(Json(answer))
}

/// The call once it is back.
pub(super) async fn finished(platform: &Platform, id: String) -> Result<Call, Problem> {
    let of = id.clone();
    let about = move |event: &LogEvent| event.about.as_ref() == Some(&id);
    let is_done = |call: &Call| call.state == CallState::Finished;
    platform.wait(about, move |desk| desk.call_of(&of), is_done).await
}

/// The calls of a conversation, the newest first.
#[utoipa::path(get, path = "/v1/conversations/{id}/calls", tag = "agent", params(("id" = String, Path), Page),
    responses((status = 200, body = Paged<Call>)))]
pub(super) async fn list(
    State(platform): State<Platform>,
    Path(id): Path<String>,
    Params(page): Params<Page>,
) -> Result<Json<Paged<Call>>, Problem> {
    platform.run(move |desk| desk.calls(Some(&id), page)).await.map(Json)
}

/// One call, or test.
#[utoipa::path(get, path = "/v1/calls/{id}", tag = "agent", params(("id" = String, Path)),
    responses((status = 200, body = Call), (status = 404, body = ErrorBody)))]
pub(super) async fn one(
    State(platform): State<Platform>,
    Path(id): Path<String>,
) -> Result<Json<Call>, Problem> {
    platform.run(move |desk| desk.call_of(&id)).await.map(Json)
}
