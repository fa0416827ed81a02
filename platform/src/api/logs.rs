//! `/v1/logs` and `/v1/alerts`

use axum::Json;
use axum::extract::State;

use super::body::Params;
use super::problem::ErrorBody;
use crate::domain::{Alert, LogEvent, LogFilter, Page, Paged, Problem};
use crate::engine::Platform;

/// Events, by type, endpoint, tool and conversation; the newest first.
#[utoipa::path(get, path = "/v1/logs", tag = "logs", params(LogFilter),
    responses((status = 200, body = Paged<LogEvent>), (status = 400, body = ErrorBody)))]
pub(super) async fn list(
    State(platform): State<Platform>,
    Params(filter): Params<LogFilter>,
) -> Result<Json<Paged<LogEvent>>, Problem> {
    platform.run(move |desk| desk.logs(&filter)).await.map(Json)
}

/// Alerts, the newest first.
#[utoipa::path(get, path = "/v1/alerts", tag = "logs", params(Page), responses((status = 200, body = Paged<Alert>)))]
pub(super) async fn alerts(
    State(platform): State<Platform>,
    Params(page): Params<Page>,
) -> Result<Json<Paged<Alert>>, Problem> {
    platform.run(move |desk| desk.alerts(page)).await.map(Json)
}
