//! `/v1/tool-approvals`

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

use super::body::{Body, ByTeammate, Params, Path, Wait};
use super::problem::ErrorBody;
use crate::domain::{Approval, ApprovalState, LogEvent, Page, Paged, Problem};
use crate::engine::Platform;

/// Which requests.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub(super) struct Filter {
    /// `open`, or one of the statuses.
    status: Option<String>,
    /// Of this conversation.
    conversation: Option<String>,
    /// Only what was recorded before this: the `next` of the page before.
    before: Option<u64>,
    /// Only what was recorded after this, the oldest first.
    after: Option<u64>,
    /// How many: 1 to 200, and 50 unless said otherwise.
    limit: Option<usize>,
}

/// Requests with their statuses, the newest first.
#[utoipa::path(get, path = "/v1/tool-approvals", tag = "approvals", params(Filter),
    responses((status = 200, body = Paged<Approval>), (status = 400, body = ErrorBody)))]
pub(super) async fn list(
    State(platform): State<Platform>,
    Params(filter): Params<Filter>,
) -> Result<Json<Paged<Approval>>, Problem> {
    let page = Page { before: filter.before, after: filter.after, limit: filter.limit };
    platform
        .run(move |desk| desk.approvals(filter.status.as_deref(), filter.conversation.as_deref(), page))
        .await
        .map(Json)
}

/// One request.
#[utoipa::path(get, path = "/v1/tool-approvals/{id}", tag = "approvals", params(("id" = String, Path)),
    responses((status = 200, body = Approval), (status = 404, body = ErrorBody)))]
pub(super) async fn one(
    State(platform): State<Platform>,
    Path(id): Path<String>,
) -> Result<Json<Approval>, Problem> {
    platform.run(move |desk| desk.approval(&id)).await.map(Json)
}

/// Lets a request run, with the exact input that was recorded, and waits for how that ends.
#[utoipa::path(post, path = "/v1/tool-approvals/{id}/approve", tag = "approvals", params(("id" = String, Path), Wait),
    request_body = ByTeammate, responses((status = 200, body = Approval), (status = 409, body = ErrorBody)))]
pub(super) async fn approve(
    State(platform): State<Platform>,
    Path(id): Path<String>,
    Params(Wait { wait }): Params<Wait>,
    Body(by): Body<ByTeammate>,
) -> Result<Json<Approval>, Problem> {
    let of = id.clone();
    let approval = platform.run(move |desk| desk.approve(&of, by.teammate)).await?;
    if !wait {
        return Ok(Json(approval));
    }
    let of = id.clone();
    let about = move |event: &LogEvent| event.about.as_ref() == Some(&id);
    let is_done = |approval: &Approval| approval.state != ApprovalState::Executing;
    platform.wait(about, move |desk| desk.approval(&of), is_done).await.map(Json)
}

/// Turns a request down.
#[utoipa::path(post, path = "/v1/tool-approvals/{id}/deny", tag = "approvals", params(("id" = String, Path)),
    request_body = ByTeammate, responses((status = 200, body = Approval), (status = 409, body = ErrorBody)))]
pub(super) async fn deny(
    State(platform): State<Platform>,
    Path(id): Path<String>,
    Body(by): Body<ByTeammate>,
) -> Result<Json<Approval>, Problem> {
    platform.run(move |desk| desk.deny(&id, by.teammate)).await.map(Json)
}
