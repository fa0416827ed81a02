//! Who may ask: whoever names this machine, and has the key.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{AUTHORIZATION, CACHE_CONTROL};
use http::{HeaderMap, HeaderValue};
use median_edge::loopback;

use super::Access;
use crate::domain::{Code, Problem};
use crate::engine::Platform;

#[derive(Clone)]
pub(super) struct Guard {
    pub(super) platform: Platform,
    pub(super) access: Access,
}

pub(super) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match guard.refuse(&request) {
        Some(problem) => problem.into_response(),
        None => next.run(request).await,
    };
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

impl Guard {
    fn refuse(&self, request: &Request) -> Option<Problem> {
        if let Some(problem) = foreign_host(self.access, request.headers()) {
            return Some(problem);
        }
        if request.uri().path() == "/healthz"
            || bearer(request.headers()).is_some_and(|key| self.platform.lets_in(key))
        {
            return None;
        }
        let message =
            "This API takes the organization's key as a bearer: send Authorization: Bearer and the key.";
        Some(Problem::new(Code::Unauthorized, message))
    }
}

/// Why a request was not meant for this machine.
pub(crate) fn foreign_host(access: Access, headers: &HeaderMap) -> Option<Problem> {
    // A page can let its own name stand for 127.0.0.1, but the browser still sends that name.
    (access == Access::Loopback && !loopback::is_named_by(headers)).then(|| {
        let message = "This server answers only its own machine: open it as localhost, 127.0.0.1 or [::1].";
        Problem::new(Code::ForeignHost, message)
    })
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (value, None) = (values.next()?, values.next()) else { return None };
    let (scheme, key) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}
