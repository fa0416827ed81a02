//! `/v1/clock`

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::Body;
use super::problem::ErrorBody;
use crate::domain::{Desk, Problem};
use crate::engine::Platform;

/// The movable clock, which expiry, checks and limits go by.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClockNow {
    /// What it says, in Unix milliseconds.
    now_ms: u64,
    /// How far it is ahead of the real one, in milliseconds.
    ahead_ms: u64,
}

fn now(desk: &mut Desk<'_>) -> Result<ClockNow, Problem> {
    Ok(ClockNow { now_ms: desk.now_ms(), ahead_ms: desk.clock_ahead_ms()? })
}

/// The movable clock. Signatures and the time limits of HTTP go by the real one.
#[utoipa::path(get, path = "/v1/clock", tag = "clock", responses((status = 200, body = ClockNow)))]
pub(super) async fn read(State(platform): State<Platform>) -> Result<Json<ClockNow>, Problem> {
    platform.run(now).await.map(Json)
}

/// How far.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Forward {
    /// By so many milliseconds.
    by_ms: u64,
}

/// Moves the clock forward. What is due by then happens at once.
#[utoipa::path(post, path = "/v1/clock/move", tag = "clock", request_body = Forward,
    responses((status = 200, body = ClockNow), (status = 400, body = ErrorBody)))]
pub(super) async fn forward(
    State(platform): State<Platform>,
    Body(Forward { by_ms }): Body<Forward>,
) -> Result<Json<ClockNow>, Problem> {
    let moved = platform.run(move |desk| {
        desk.move_clock(by_ms)?;
        now(desk)
    });
    moved.await.map(Json)
}
