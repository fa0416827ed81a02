//! From an event to a request, for each kind of event that carries one.

mod body;
mod members;

use std::borrow::Cow;
use std::fmt;

use body::Body;
use median_edge::{Method, Request};
use members::{Members, Named, Text, Texts};

/// What sent the request, as far as it makes a difference to the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Front {
    /// A function URL, or an HTTP API with payload format 2.0.
    UrlOrHttpApi,
    /// A REST API, or an HTTP API with payload format 1.0.
    RestApi,
    /// An Application Load Balancer, with one value or with all values of a header.
    LoadBalancer { multi_value: bool },
}

/// A request, as its event gives it.
pub(crate) struct Incoming<'a> {
    pub(crate) front: Front,
    pub(crate) method: Cow<'a, str>,
    /// The path as it came, without its query.
    pub(crate) path: Cow<'a, str>,
    /// The stage that the path may begin with.
    stage: Option<Cow<'a, str>>,
    /// Header lines, names in lower case.
    pub(crate) headers: Vec<(String, Cow<'a, str>)>,
    body: Body,
}

/// An event that holds no HTTP request.
#[derive(Debug)]
pub struct EventError(String);

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "The event is no HTTP request, so there is nothing to answer: {}. This function is for a function URL, API \
             Gateway (REST or HTTP), or an Application Load Balancer.",
            self.0
        )
    }
}

impl std::error::Error for EventError {}

impl<'a> Incoming<'a> {
    /// Reads an event.
    pub(crate) fn parse(event: &'a [u8]) -> Result<Self, EventError> {
        let mut members: Members<'a> =
            serde_json::from_slice(event).map_err(|error| EventError(error.to_string()))?;
        let Some(mut context) = members.request_context.take() else {
            return Err(EventError("it has no requestContext".to_owned()));
        };
        let (front, method, path, stage) = if let Some(http) = context.http {
            let path = members.raw_path.0.take().or(http.path.0);
            (Front::UrlOrHttpApi, http.method.0, path, context.stage.0)
        } else if context.elb.is_some() {
            let multi_value = !members.multi_value_headers.0.is_empty();
            (Front::LoadBalancer { multi_value }, members.http_method.0.take(), members.path.0.take(), None)
        } else {
            let method = members.http_method.0.take().or(context.http_method.0.take());
            (Front::RestApi, method, members.path.0.take(), None)
        };
        let Some(method) = method else {
            return Err(EventError("it has no HTTP method where one would be".to_owned()));
        };
        Ok(Self {
            front,
            method,
            path: path.unwrap_or(Cow::Borrowed("/")),
            stage,
            headers: lines(members.headers, members.multi_value_headers),
            body: Body::read(members.body, members.is_base64_encoded.unwrap_or(false)),
        })
    }

    /// The path without the stage that an HTTP API puts in front of it.
    pub(crate) fn path_in_stage(&self) -> &str {
        let stage = self.stage.as_deref().filter(|stage| !stage.is_empty() && *stage != "$default");
        let under = stage.and_then(|stage| self.path.strip_prefix('/')?.strip_prefix(stage));
        match under {
            Some("") => "/",
            Some(rest) if rest.starts_with('/') => rest,
            _ => &self.path,
        }
    }

    /// The request as the endpoint takes it, at a path.
    pub(crate) fn into_request(self, path: String) -> Request {
        let mut request = Request::new(Method::parse(&self.method), path);
        for (name, value) in self.headers {
            if Request::HEADERS.contains(&name.as_str()) {
                request = request.header(name, value.into_owned());
            }
        }
        self.body.give_to(request)
    }
}

/// The header lines: all values where the event has them, and one of each name otherwise. REST APIs send both.
fn lines<'a>(single: Named<Text<'a>>, multi: Named<Texts<'a>>) -> Vec<(String, Cow<'a, str>)> {
    let mut lines = Vec::new();
    for (mut name, Texts(values)) in multi.0 {
        name.make_ascii_lowercase();
        lines.extend(values.into_iter().map(|value| (name.clone(), value)));
    }
    let from_multi = lines.len();
    for (mut name, Text(value)) in single.0 {
        name.make_ascii_lowercase();
        if lines[..from_multi].iter().all(|(known, _)| *known != name) {
            lines.extend(value.map(|value| (name, value)));
        }
    }
    lines
}
