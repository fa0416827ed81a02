//! A request and a response as the protocol sees them: small, owned, and of no platform.
//!
//! The `http` crate needs the standard library, so these stand in its place; with the `http` feature an adapter
//! converts between the two.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::error::Fault;

/// The header that carries the signature.
pub const SIGNATURE_HEADER: &str = "median-signature";

/// A request's method, as far as the protocol tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// `GET`.
    Get,
    /// `POST`.
    Post,
    /// Any other, `HEAD` and `OPTIONS` too: answered with `method_not_allowed`.
    Other,
}

impl Method {
    /// Reads a method as it stands on the wire. Methods are case-sensitive: `get` is another one.
    pub fn parse(text: &str) -> Self {
        match text {
            "GET" => Self::Get,
            "POST" => Self::Post,
            _ => Self::Other,
        }
    }
}

/// What a request has under one header name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header<'a> {
    /// No such header.
    Absent,
    /// One, with its value as it came.
    Once(&'a [u8]),
    /// More than one line of that name. Never merged: which one counts is not for us to guess.
    Repeated,
}

/// The headers of a request, in the order they came. Names are in lower case.
#[derive(Clone, Default)]
pub struct Headers(Vec<(Cow<'static, str>, Vec<u8>)>);

impl Headers {
    /// Adds a line, beside any that has the same name.
    pub fn append(&mut self, name: impl Into<Cow<'static, str>>, value: impl Into<Vec<u8>>) {
        let mut name = name.into();
        if name.bytes().any(|b| b.is_ascii_uppercase()) {
            name.to_mut().make_ascii_lowercase();
        }
        self.0.push((name, value.into()));
    }

    /// Every line, as it came.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value.as_slice()))
    }

    /// What is there under a name, given in lower case.
    pub fn get(&self, name: &str) -> Header<'_> {
        let mut values = self.0.iter().filter(|(n, _)| n == name);
        match (values.next(), values.next()) {
            (None, _) => Header::Absent,
            (Some((_, value)), None) => Header::Once(value),
            _ => Header::Repeated,
        }
    }
}

/// Names only: values may hold signatures, bearers and cookies.
impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

/// A request's body, as an adapter read it.
#[derive(Clone)]
pub(crate) enum Body {
    Bytes(Vec<u8>),
    /// It came to the adapter as text; where bytes were lost in that, this would have kept them.
    Text(Vec<u8>, &'static str),
    TooLarge,
    /// Why it cannot be read.
    Unreadable(&'static str),
}

impl Body {
    /// The bytes, where there are any to be had.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) | Self::Text(bytes, _) => Some(bytes),
            Self::TooLarge | Self::Unreadable(_) => None,
        }
    }
}

/// A request, as an adapter hands it over.
///
/// An adapter passes on every header it has, without merging lines. Of a `POST` at least those of [`Request::HEADERS`];
/// a `GET` may be for the identity, which reads any.
#[derive(Clone)]
pub struct Request {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: Headers,
    pub(crate) body: Body,
    #[cfg(feature = "connect")]
    pub(crate) url: Option<String>,
}

impl Request {
    /// The headers of a `POST` that the endpoint reads: an adapter for which each one costs may leave out the others.
    pub const HEADERS: [&'static str; 2] = [SIGNATURE_HEADER, "content-encoding"];

    /// A request without headers or body. What follows a `?` in the path is not looked at.
    pub fn new(method: Method, path: impl Into<String>) -> Self {
        Self {
            method,
            path: path.into(),
            headers: Headers::default(),
            body: Body::Bytes(Vec::new()),
            #[cfg(feature = "connect")]
            url: None,
        }
    }

    /// Says where the request was sent to, as a whole URL; its query is not looked at. An adapter takes it from the
    /// connection and the `Host` header, never from a forwarded one. An endpoint that is connected without
    /// `MEDIAN_PUBLIC_URL` is known to the platform by it.
    #[cfg(feature = "connect")]
    #[cfg_attr(docsrs, doc(cfg(feature = "connect")))]
    #[must_use]
    pub fn url(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// Adds a header line.
    #[must_use]
    pub fn header(mut self, name: impl Into<Cow<'static, str>>, value: impl Into<Vec<u8>>) -> Self {
        self.headers.append(name, value);
        self
    }

    /// Sets the body: the bytes exactly as they came, neither decoded nor decompressed.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Body::Bytes(body.into());
        self
    }

    /// Sets a body that the platform hands over as text. Bytes that are no UTF-8 do not come through that, and no signature
    /// over them holds: then the answer says so, followed by `advice`, a sentence on what keeps them.
    #[must_use]
    pub fn text_body(mut self, body: impl Into<String>, advice: &'static str) -> Self {
        self.body = Body::Text(body.into().into_bytes(), advice);
        self
    }

    /// Says that there is a body that the adapter cannot read, and why, in a sentence: a call is answered with
    /// `invalid_body`.
    #[must_use]
    pub fn body_unreadable(mut self, why: &'static str) -> Self {
        self.body = Body::Unreadable(why);
        self
    }

    /// Says that the body is larger than [`Endpoint::body_limit`](crate::Endpoint::body_limit), so that an adapter
    /// can stop reading there.
    #[must_use]
    pub fn body_too_large(mut self) -> Self {
        self.body = Body::TooLarge;
        self
    }
}

/// Says nothing of the body or of header values.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("path", &self.path)
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}

/// An answer: a status, the protocol's headers, and JSON.
///
/// Only this crate makes one, so that no answer is without its headers.
#[derive(Clone)]
pub struct Response {
    status: u16,
    headers: HeaderSet,
    body: Payload,
}

type HeaderSet = &'static [(&'static str, &'static str)];

#[derive(Clone)]
enum Payload {
    Owned(Vec<u8>),
    /// A manifest, whose bytes are made once.
    Shared(Arc<[u8]>),
}

const CONTENT: (&str, &str) = ("content-type", "application/json");
const CACHE: (&str, &str) = ("cache-control", "private, no-store");
/// `Allow` comes last, so that the other answers are the same list without it.
const HEADERS: [(&str, &str); 3] = [CONTENT, CACHE, ("allow", "GET, POST")];
const GET_HEADERS: [(&str, &str); 3] = [CONTENT, CACHE, ("allow", "GET")];

/// The same for what a browser asks for by itself: it is not to take it for anything but JSON.
const IDENTITY_HEADERS: [(&str, &str); 4] =
    [CONTENT, CACHE, ("x-content-type-options", "nosniff"), ("allow", "GET")];

impl Response {
    fn new(status: u16, body: Payload) -> Self {
        Self { status, headers: known(&HEADERS, status), body }
    }

    pub(crate) fn ok(body: Vec<u8>) -> Self {
        Self::new(200, Payload::Owned(body))
    }

    pub(crate) fn shared(body: Arc<[u8]>) -> Self {
        Self::new(200, Payload::Shared(body))
    }

    /// The same answer, of the identity route.
    pub(crate) fn of_identity(mut self) -> Self {
        self.headers = known(&IDENTITY_HEADERS, self.status);
        self
    }

    /// The same answer, of a route that is there for `GET` alone.
    pub(crate) fn of_get_alone(mut self) -> Self {
        self.headers = known(&GET_HEADERS, self.status);
        self
    }

    /// The answer to a health check.
    pub(crate) fn health() -> Self {
        Self::ok(br#"{"ok":true}"#.to_vec())
    }

    /// The status: one that an answer with a body may have.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The headers, names in lower case, each once.
    pub fn headers(&self) -> &'static [(&'static str, &'static str)] {
        self.headers
    }

    /// The body: JSON in UTF-8, without a byte order mark.
    pub fn body(&self) -> &[u8] {
        match &self.body {
            Payload::Owned(bytes) => bytes,
            Payload::Shared(bytes) => bytes,
        }
    }

    /// The body, copied only when it is a manifest's.
    pub fn into_body(self) -> Vec<u8> {
        match self.body {
            Payload::Owned(bytes) => bytes,
            Payload::Shared(bytes) => bytes.to_vec(),
        }
    }
}

/// Only a 405 has the last of the headers, which says what is allowed.
fn known(all: HeaderSet, status: u16) -> HeaderSet {
    match all {
        [others @ .., _] if status != crate::Code::MethodNotAllowed.status() => others,
        all => all,
    }
}

/// `{"error":{"code":…,"message":…}}`, with the code's own status.
impl From<&Fault> for Response {
    fn from(fault: &Fault) -> Self {
        #[derive(serde::Serialize)]
        struct Body<'a> {
            error: Error<'a>,
        }
        #[derive(serde::Serialize)]
        struct Error<'a> {
            code: &'a str,
            message: &'a str,
        }
        let error = Error { code: fault.code().as_str(), message: fault.message() };
        // Two strings always serialize; the empty body keeps this free of a panic all the same.
        let body = serde_json::to_vec(&Body { error }).unwrap_or_default();
        Self::new(fault.code().status(), Payload::Owned(body))
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status)
            .field("bytes", &self.body().len())
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "http")]
mod convert {
    use super::{Method, Request, Response};
    use alloc::borrow::ToOwned;
    use alloc::vec::Vec;

    /// The method, path and headers of a request of the `http` crate. The body comes after, with
    /// [`Request::body`] or [`Request::body_too_large`].
    impl From<&http::request::Parts> for Request {
        fn from(parts: &http::request::Parts) -> Self {
            let mut request = Self::new(Method::parse(parts.method.as_str()), parts.uri.path());
            if request.method == Method::Get {
                for (name, value) in &parts.headers {
                    request.headers.append(name.as_str().to_owned(), value.as_bytes());
                }
                return request;
            }
            for name in Self::HEADERS {
                for value in parts.headers.get_all(name) {
                    request.headers.append(name, value.as_bytes());
                }
            }
            request
        }
    }

    impl From<Response> for http::Response<Vec<u8>> {
        fn from(response: Response) -> Self {
            let mut converted = Self::new(Vec::new());
            *converted.status_mut() = http::StatusCode::from_u16(response.status())
                .unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR);
            for (name, value) in response.headers() {
                converted
                    .headers_mut()
                    .insert(http::HeaderName::from_static(name), http::HeaderValue::from_static(value));
            }
            *converted.body_mut() = response.into_body();
            converted
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Header, Headers, Method, Response};
    use crate::error::{Code, Fault};

    #[test]
    fn header_names_have_no_case_and_repeats_are_seen() {
        let mut headers = Headers::default();
        headers.append("Median-Signature", *b"a");
        assert_eq!(headers.get("median-signature"), Header::Once(b"a"));
        headers.append("median-signature", *b"a");
        assert_eq!(headers.get("median-signature"), Header::Repeated);
        assert_eq!(headers.get("cookie"), Header::Absent);
    }

    #[test]
    fn methods_are_case_sensitive() {
        assert_eq!(Method::parse("GET"), Method::Get);
        assert_eq!(Method::parse("get"), Method::Other);
        assert_eq!(Method::parse("HEAD"), Method::Other);
    }

    #[test]
    fn only_405_says_what_is_allowed() {
        let of = |code| Response::from(&Fault::new(code, "x"));
        assert_eq!(of(Code::MethodNotAllowed).headers().last(), Some(&("allow", "GET, POST")));
        assert_eq!(of(Code::InvalidBody).headers().len(), 2);
        assert_eq!(of(Code::InvalidBody).body(), br#"{"error":{"code":"invalid_body","message":"x"}}"#);
    }
}
