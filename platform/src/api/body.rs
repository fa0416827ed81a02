//! What comes in: bodies, paths and queries, refused in the API's own words.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{self, FromRequest, FromRequestParts, Query, Request};
use http::StatusCode;
use http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::{IntoParams, ToSchema};

use super::BODY_BYTES;
use crate::domain::{Code, Problem};

/// A body of JSON.
pub(super) struct Body<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| unread(&rejection))?;
        // Whoever has nothing to say may say nothing.
        let json: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
        let bad =
            |error| Problem::new(Code::InvalidRequest, format!("The body does not fit this route: {error}."));
        serde_json::from_slice(json).map(Self).map_err(bad)
    }
}

fn unread(rejection: &BytesRejection) -> Problem {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return Problem::new(
            Code::TooLarge,
            format!("The body has more than {BODY_BYTES} bytes, which is the most."),
        );
    }
    Problem::new(Code::InvalidRequest, "The body broke off before its end.")
}

/// What is after the question mark.
pub(super) struct Params<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        let bad = |error| {
            Problem::new(Code::InvalidRequest, format!("The query does not fit this route: {error}."))
        };
        query.map(|Query(params)| Self(params)).map_err(bad)
    }
}

/// What is named in the path.
pub(super) struct Path<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = extract::Path::<T>::from_request_parts(parts, state).await;
        let bad = |_| Problem::new(Code::InvalidRequest, "What the path names is not text in UTF-8.");
        path.map(|extract::Path(named)| Self(named)).map_err(bad)
    }
}

/// Whether to wait for what an endpoint answers.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub(super) struct Wait {
    /// `false` answers at once; the events tell when it is done.
    pub(super) wait: bool,
}

impl Default for Wait {
    fn default() -> Self {
        Self { wait: true }
    }
}

/// Which teammate does it.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ByTeammate {
    /// Their name. The endpoint reads `A teammate` without one.
    pub(super) teammate: Option<String>,
}

/// A list that has no pages.
#[derive(Debug, serde::Serialize, ToSchema)]
pub(super) struct Items<T> {
    /// The items.
    pub(super) items: Vec<T>,
}
