//! Who may ask: whoever names this machine, and has the key.

use std::net::{Ipv4Addr, Ipv6Addr};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{AUTHORIZATION, CACHE_CONTROL, HOST, ORIGIN};
use http::{HeaderMap, HeaderValue};

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
    (access == Access::Loopback && !is_meant(headers)).then(|| {
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

/// Whether every `Host` and `Origin` of a request names this machine. Those that are not there say nothing against it: a
/// browser always sends its `Host`.
fn is_meant(headers: &HeaderMap) -> bool {
    let all = |name, is: fn(&str) -> bool| {
        headers.get_all(name).iter().map(HeaderValue::to_str).all(|value| value.is_ok_and(is))
    };
    all(HOST, is_loopback) && all(ORIGIN, is_origin)
}

fn is_origin(origin: &str) -> bool {
    let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    host.is_some_and(is_loopback)
}

/// `localhost`, an address of 127.0.0.0/8, or `[::1]`; with any port.
fn is_loopback(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, rest)) => {
            let is_ours = address.parse::<Ipv6Addr>().is_ok_and(|ip| ip.to_canonical().is_loopback());
            return is_ours && (rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port));
        }
        None => host.split_once(':').unwrap_or((host, "")),
    };
    let is_ours =
        name.eq_ignore_ascii_case("localhost") || name.parse::<Ipv4Addr>().is_ok_and(|ip| ip.is_loopback());
    is_ours && is_port(port)
}

fn is_port(port: &str) -> bool {
    port.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{is_loopback, is_origin};

    #[test]
    fn this_machine_is_known_by_its_own_names_only() {
        for ours in ["localhost", "LOCALHOST:80", "127.0.0.1:7421", "127.9.9.9", "[::1]", "[::1]:80"] {
            assert!(is_loopback(ours), "{ours}");
        }
        for other in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "10.0.0.1",
            "[::1]evil",
            "localhost:x",
        ] {
            assert!(!is_loopback(other), "{other}");
        }
        assert!(
            is_origin("http://localhost:7421") && !is_origin("null") && !is_origin("http://evil.example")
        );
    }
}
