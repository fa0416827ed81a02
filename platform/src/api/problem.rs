//! Problems as answers: `{"error":{"code","message"}}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::Problem;

/// What every refusal looks like.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ErrorBody {
    error: ErrorMembers,
}

#[derive(Debug, Serialize, ToSchema)]
struct ErrorMembers {
    /// For programs.
    code: &'static str,
    /// For the person: what was wrong, and what to do.
    message: String,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.code().status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let members = ErrorMembers { code: self.code().as_str(), message: self.message().to_owned() };
        (status, Json(ErrorBody { error: members })).into_response()
    }
}
