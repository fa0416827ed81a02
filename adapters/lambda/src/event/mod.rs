//! From an event to a request, for each kind of event that carries one.

mod body;
mod lines;
mod members;
mod query;
#[cfg(feature = "connect")]
mod url;

use std::borrow::Cow;
use std::fmt;

use median_edge::{Endpoint, Method, Request, Route};

use body::Body;
use members::{Context, Members};

/// What sent the request, as far as it makes a difference.
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
    method: Cow<'a, str>,
    /// The path as it came, without its query.
    path: Cow<'a, str>,
    query: Cow<'a, str>,
    /// The whole URL that it was sent to, where the front says it of itself.
    #[cfg(feature = "connect")]
    url: Option<String>,
    /// The stage that the path may begin with.
    stage: Option<Cow<'a, str>>,
    /// Header lines, names in lower case.
    headers: Vec<(String, Cow<'a, str>)>,
    body: Body,
}

/// An event that holds no HTTP request. To AWS it is the function's error, so that whatever sent it (a queue, a schedule)
/// sees that nothing was done with it.
#[derive(Clone, PartialEq, Eq)]
pub struct EventError(String);

impl EventError {
    pub(crate) fn new(why: impl fmt::Display) -> Self {
        Self(why.to_string())
    }

    /// Says where it is, and nothing of what is there: that may be a customer's.
    fn of_json(error: &serde_json::Error) -> Self {
        let what = match error.classify() {
            serde_json::error::Category::Data => {
                "a member is there twice, or not of the type that AWS gives it"
            }
            _ => "it is no JSON",
        };
        Self(format!("{what} (line {}, column {})", error.line(), error.column()))
    }
}

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = &self.0;
        write!(
            f,
            "The event is no HTTP request, so there is nothing to answer: {why}. This function is for a function URL, API \
             Gateway (REST or HTTP), or an Application Load Balancer."
        )
    }
}

/// The same words: what runs the function logs it so.
impl fmt::Debug for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for EventError {}

impl<'a> Incoming<'a> {
    /// Reads an event.
    pub(crate) fn parse(event: &'a [u8]) -> Result<Self, EventError> {
        // What reads an object would take a list of its values for one.
        if event.trim_ascii_start().first() != Some(&b'{') {
            return Err(EventError::new("it is no JSON object"));
        }
        let mut members: Members<'a> =
            serde_json::from_slice(event).map_err(|error| EventError::of_json(&error))?;
        let context = members.request_context.take();
        let mut context = context.ok_or_else(|| EventError::new("it has no requestContext"))?;

        let front = front(&members, &context);
        let (method, path, query) = match (front, &mut context.http) {
            (Front::UrlOrHttpApi, Some(http)) => {
                let path = members.raw_path.take().or(http.path.take());
                (http.method.take(), path, members.raw_query_string.take().unwrap_or_default())
            }
            _ => {
                let method = members.http_method.take().or(context.http_method.take());
                (method, members.path.take(), query::of(front, &mut members))
            }
        };
        let method = method.ok_or_else(|| EventError::new("it has no HTTP method"))?;
        let path = path.unwrap_or(Cow::Borrowed("/"));
        Ok(Self {
            front,
            method,
            #[cfg(feature = "connect")]
            url: url::of(front, &mut context, &path),
            path,
            query,
            stage: context.stage.take(),
            headers: lines::of(members.headers, members.multi_value_headers, &members.cookies),
            body: Body::read(members.body, members.is_base64_encoded.unwrap_or_default()),
        })
    }

    /// The path that an endpoint is asked for: as it came when it is mounted there, stage and all.
    pub(crate) fn path_for<S>(&self, endpoint: &Endpoint<S>) -> &str {
        match endpoint.route(&self.path) {
            Route::Endpoint if endpoint.mount() != "/" => &self.path,
            Route::Identity | Route::ApplicationManifest => &self.path,
            _ => self.path_in_stage(),
        }
    }

    /// The path without the stage that an HTTP API puts in front of it.
    pub(crate) fn path_in_stage(&self) -> &str {
        let stage = self
            .stage
            .as_deref()
            .filter(|stage| self.front == Front::UrlOrHttpApi && !stage.is_empty() && *stage != "$default");
        match stage.and_then(|stage| self.path.strip_prefix('/')?.strip_prefix(stage)) {
            Some("") => "/",
            Some(rest) if rest.starts_with('/') => rest,
            _ => &self.path,
        }
    }

    /// The request as an endpoint takes it.
    pub(crate) fn into_request<S>(self, endpoint: &Endpoint<S>) -> Request {
        let method = Method::parse(&self.method);
        let mut request = Request::new(method, self.path_for(endpoint));
        for (name, value) in self.headers {
            // A GET may be for the identity, which reads any.
            if method == Method::Get || Request::HEADERS.contains(&&*name) {
                request = request.header(name, value.into_owned());
            }
        }
        #[cfg(feature = "connect")]
        if let Some(url) = self.url {
            request = request.url(url);
        }
        self.body.give_to(request, self.front)
    }

    /// The request as the application's own routes take it, or why there is none.
    pub(crate) fn into_http(self) -> Result<http::Request<Vec<u8>>, Unreadable> {
        let mark = if self.query.is_empty() { "" } else { "?" };
        let uri = format!("{}{mark}{}", self.path_in_stage(), self.query);
        let mut request = http::Request::builder().method(&*self.method).uri(uri);
        for (name, value) in self.headers {
            request = request.header(name, &*value);
        }
        let body = self.body.into_bytes().map_err(Unreadable::Body)?;
        request.body(body).map_err(|_| Unreadable::Head)
    }
}

/// What there is no way to hand over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// The method, the address or a header is none.
    Head,
    /// Why the body cannot be read.
    Body(&'static str),
}

fn front(members: &Members<'_>, context: &Context<'_>) -> Front {
    if context.http.is_some() {
        Front::UrlOrHttpApi
    } else if context.elb.is_some() {
        Front::LoadBalancer { multi_value: !members.multi_value_headers.0.is_empty() }
    } else {
        Front::RestApi
    }
}

#[cfg(test)]
mod tests;
