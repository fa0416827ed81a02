//! `/v1/reports`

use axum::Json;
use axum::extract::State;
use http::StatusCode;

use super::body::{Body, Params, Path, Wait};
use super::problem::ErrorBody;
use crate::domain::{DiagnosisState, LogEvent, NewReport, Page, Paged, Problem, Report};
use crate::engine::Platform;

/// Reports, the newest first.
#[utoipa::path(get, path = "/v1/reports", tag = "reports", params(Page), responses((status = 200, body = Paged<Report>)))]
pub(super) async fn list(
    State(platform): State<Platform>,
    Params(page): Params<Page>,
) -> Result<Json<Paged<Report>>, Problem> {
    platform.run(move |desk| desk.reports(page)).await.map(Json)
}

/// Files a report, and waits for the diagnostics of those endpoints that answer them.
#[utoipa::path(post, path = "/v1/reports", tag = "reports", params(Wait), request_body = NewReport,
    responses((status = 201, body = Report), (status = 400, body = ErrorBody)))]
pub(super) async fn file(
    State(platform): State<Platform>,
    Params(Wait { wait }): Params<Wait>,
    Body(new): Body<NewReport>,
) -> Result<(StatusCode, Json<Report>), Problem> {
    let mut report = platform.run(move |desk| desk.report(new)).await?;
    if wait {
        let (about, of) = (report.id.clone(), report.id);
        let is_about = move |event: &LogEvent| event.about.as_ref() == Some(&about);
        let is_done =
            |report: &Report| report.diagnostics.iter().all(|one| one.state != DiagnosisState::Waiting);
        report = platform.wait(is_about, move |desk| desk.report_of(&of), is_done).await?;
    }
    Ok((StatusCode::CREATED, Json(report)))
}

/// One report.
#[utoipa::path(get, path = "/v1/reports/{id}", tag = "reports", params(("id" = String, Path)),
    responses((status = 200, body = Report), (status = 404, body = ErrorBody)))]
pub(super) async fn one(
    State(platform): State<Platform>,
    Path(id): Path<String>,
) -> Result<Json<Report>, Problem> {
    platform.run(move |desk| desk.report_of(&id)).await.map(Json)
}
