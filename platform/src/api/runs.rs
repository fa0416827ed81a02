//! Runs by teammates.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::body::{Body, Params, Path, Wait};
use super::problem::ErrorBody;
use crate::domain::{LogEvent, Page, Paged, Problem, RawJson, Run, RunState};
use crate::engine::Platform;

/// A run of a teammate's.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewRun {
    /// The tool.
    tool: String,
    /// The input, sent byte for byte.
    #[schema(value_type = Object)]
    input: RawJson,
    /// Who runs it. The endpoint reads `A teammate` without a name.
    teammate: Option<String>,
}

/// Runs a tool on a conversation, at any risk. The agent is not told.
#[utoipa::path(post, path = "/v1/conversations/{id}/runs", tag = "runs", params(("id" = String, Path), Wait),
    request_body = NewRun, responses((status = 200, body = Run), (status = "4XX", body = ErrorBody)))]
pub(super) async fn run(
    State(platform): State<Platform>,
    Path(id): Path<String>,
    Params(Wait { wait }): Params<Wait>,
    Body(NewRun { tool, input, teammate }): Body<NewRun>,
) -> Result<Json<Run>, Problem> {
    let run = platform.run(move |desk| desk.run(&id, &tool, input.as_str(), teammate)).await?;
    if !wait {
        return Ok(Json(run));
    }
    let (about, of) = (run.id.clone(), run.id);
    let is_about = move |event: &LogEvent| event.about.as_ref() == Some(&about);
    platform
        .wait(is_about, move |desk| desk.run_of(&of), |run: &Run| run.state != RunState::Running)
        .await
        .map(Json)
}

/// The runs of a conversation, the newest first.
#[utoipa::path(get, path = "/v1/conversations/{id}/runs", tag = "runs", params(("id" = String, Path), Page),
    responses((status = 200, body = Paged<Run>)))]
pub(super) async fn list(
    State(platform): State<Platform>,
    Path(id): Path<String>,
    Params(page): Params<Page>,
) -> Result<Json<Paged<Run>>, Problem> {
    platform.run(move |desk| desk.runs(Some(&id), page)).await.map(Json)
}

/// One run.
#[utoipa::path(get, path = "/v1/runs/{id}", tag = "runs", params(("id" = String, Path)),
    responses((status = 200, body = Run), (status = 404, body = ErrorBody)))]
pub(super) async fn one(
    State(platform): State<Platform>,
    Path(id): Path<String>,
) -> Result<Json<Run>, Problem> {
    platform.run(move |desk| desk.run_of(&id)).await.map(Json)
}
