//! The agent's turns, played by a person.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use super::body::{Body, Params, Path, Wait};
use super::problem::ErrorBody;
use crate::domain::{Conversation, LogEvent, Problem, Turn, TurnState};
use crate::engine::Platform;

/// Begins the agent's turn, or gives the one that is under way. The first of a conversation waits for a sync.
#[utoipa::path(post, path = "/v1/conversations/{id}/turns", tag = "agent", params(("id" = String, Path), Wait),
    responses((status = 201, body = Turn), (status = 409, body = ErrorBody)))]
pub(super) async fn begin(
    State(platform): State<Platform>,
    Path(id): Path<String>,
    Params(Wait { wait }): Params<Wait>,
) -> Result<(StatusCode, Json<Turn>), Problem> {
    let mut turn = platform.run(move |desk| desk.begin_turn(&id)).await?;
    if wait && turn.state == TurnState::Waiting {
        let (about, of) = (turn.id.clone(), turn.id);
        let is_about = move |event: &LogEvent| event.about.as_ref() == Some(&about);
        let is_done = |turn: &Turn| turn.state != TurnState::Waiting;
        turn = platform.wait(is_about, move |desk| desk.turn(&of), is_done).await?;
    }
    Ok((StatusCode::CREATED, Json(turn)))
}

/// One turn.
#[utoipa::path(get, path = "/v1/turns/{id}", tag = "agent", params(("id" = String, Path)),
    responses((status = 200, body = Turn), (status = 404, body = ErrorBody)))]
pub(super) async fn one(
    State(platform): State<Platform>,
    Path(id): Path<String>,
) -> Result<Json<Turn>, Problem> {
    platform.run(move |desk| desk.turn(&id)).await.map(Json)
}

/// What the agent says.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Reply {
    /// The words.
    text: String,
}

/// Ends the agent's turn with what it says.
#[utoipa::path(post, path = "/v1/conversations/{id}/reply", tag = "agent", params(("id" = String, Path)),
    request_body = Reply, responses((status = 200, body = Conversation), (status = 409, body = ErrorBody)))]
pub(super) async fn reply(
    State(platform): State<Platform>,
    Path(id): Path<String>,
    Body(Reply { text }): Body<Reply>,
) -> Result<Json<Conversation>, Problem> {
    platform.run(move |desk| desk.reply(&id, text)).await.map(Json)
}
