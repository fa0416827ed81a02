//! `/v1/identities`

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::body::Body;
use super::problem::ErrorBody;
use crate::domain::limits::NAME_CHARACTERS;
use crate::domain::{Code, Problem};
use crate::engine::{Platform, SignedIdentity};

/// A customer to stand in for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Customer {
    /// The application's own id for them: 1 to 320 characters.
    id: String,
}

/// Signs an identity as the application's own route would, so that its customer can be played without signing in there.
#[utoipa::path(post, path = "/v1/identities", tag = "conversations", request_body = Customer,
    responses((status = 200, body = SignedIdentity), (status = 400, body = ErrorBody)))]
pub(super) async fn sign(
    State(platform): State<Platform>,
    Body(Customer { id }): Body<Customer>,
) -> Result<Json<SignedIdentity>, Problem> {
    if id.trim().is_empty() || id.chars().count() > NAME_CHARACTERS {
        let message = format!("A customer's id has 1 to {NAME_CHARACTERS} characters.");
        return Err(Problem::new(Code::InvalidRequest, message));
    }
    Ok(Json(platform.sign_identity(id)))
}
