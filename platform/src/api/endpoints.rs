//! `/v1/tool-endpoints`

use std::fmt;

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use super::body::{Body, Items, Params, Path, Wait};
use super::problem::ErrorBody;
use crate::domain::{Code, Endpoint, Problem, SyncState};
use crate::engine::Platform;

/// An endpoint to connect.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Connect {
    /// Where it answers.
    url: String,
    /// Its key, when it has one of its own.
    key: Option<String>,
}

impl fmt::Debug for Connect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connect").field("url", &self.url).finish_non_exhaustive()
    }
}

/// Every endpoint, with how its last sync went.
#[utoipa::path(get, path = "/v1/tool-endpoints", tag = "endpoints", responses((status = 200, body = Items<Endpoint>)))]
pub(super) async fn list(State(platform): State<Platform>) -> Result<Json<Items<Endpoint>>, Problem> {
    platform.run(|desk| desk.endpoints()).await.map(|items| Json(Items { items }))
}

/// Connects an endpoint, or syncs it again. Answers at once and syncs afterwards.
#[utoipa::path(post, path = "/v1/tool-endpoints", tag = "endpoints", request_body = Connect,
    responses((status = 202, body = Endpoint), (status = "4XX", body = ErrorBody)))]
pub(super) async fn connect(
    State(platform): State<Platform>,
    Body(Connect { url, key }): Body<Connect>,
) -> Result<(StatusCode, Json<Endpoint>), Problem> {
    let bad =
        |error| Problem::new(Code::InvalidRequest, format!("The endpoint's own key can't be used: {error}"));
    let key = key.as_deref().map(Platform::check_key).transpose().map_err(bad)?;
    let endpoint = platform.run(move |desk| desk.connect(&url, key)).await?;
    Ok((StatusCode::ACCEPTED, Json(endpoint)))
}

/// One endpoint.
#[utoipa::path(get, path = "/v1/tool-endpoints/{id}", tag = "endpoints", params(("id" = String, Path)),
    responses((status = 200, body = Endpoint), (status = 404, body = ErrorBody)))]
pub(super) async fn one(
    State(platform): State<Platform>,
    Path(id): Path<String>,
) -> Result<Json<Endpoint>, Problem> {
    platform.run(move |desk| desk.endpoint(&id)).await.map(Json)
}

/// Removes an endpoint with its tools. Requests that wait on them expire.
#[utoipa::path(delete, path = "/v1/tool-endpoints/{id}", tag = "endpoints", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
pub(super) async fn remove(
    State(platform): State<Platform>,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    platform.run(move |desk| desk.remove(&id)).await.map(|()| StatusCode::NO_CONTENT)
}

/// Syncs an endpoint, and waits for how that ends.
#[utoipa::path(post, path = "/v1/tool-endpoints/{id}/sync", tag = "endpoints", params(("id" = String, Path), Wait),
    responses((status = 200, body = Endpoint), (status = 429, body = ErrorBody)))]
pub(super) async fn sync(
    State(platform): State<Platform>,
    Path(id): Path<String>,
    Params(Wait { wait }): Params<Wait>,
) -> Result<Json<Endpoint>, Problem> {
    let of = id.clone();
    let endpoint = platform.run(move |desk| desk.sync(&of)).await?;
    if !wait {
        return Ok(Json(endpoint));
    }
    let of = id.clone();
    let is_done = |endpoint: &Endpoint| !matches!(endpoint.sync, SyncState::Syncing { .. });
    let about = move |event: &crate::domain::LogEvent| event.endpoint.as_ref() == Some(&id);
    platform.wait(about, move |desk| desk.endpoint(&of), is_done).await.map(Json)
}
