//! Who is signed in: the route that the widget asks before it talks to the agent.
//!
//! The application says who a request comes from, by the request's cookies or headers, and the answer carries the
//! visitor with a signature over their id. The platform checks that signature, so a page cannot pass for somebody else.
//!
//! The answer holds a person's data. It goes to the page that asked and nowhere else: it is `private, no-store`, which
//! leaves a cache nothing to vary by; it says nothing of CORS, so a browser keeps it from pages of other origins; and it is
//! a JSON object that says it is nothing else (`nosniff`), so it cannot be loaded as a script. Asking changes nothing, so
//! there is nothing for a forged request to gain.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::future::Future;

use serde::Serialize;

use crate::answer::Answer;
use crate::error::{Code, Fault};
use crate::event::Ending;
use crate::host::Host;
use crate::http::{Headers, Method, Request, Response};
use crate::key::{KEY_VARIABLE, Keys, MedianKey, TOOL_SECRET_VARIABLE};
use crate::limits::{
    IDENTITY_LIMIT_MS, MAX_VISITOR_EMAIL_CHARACTERS, MAX_VISITOR_ID_CHARACTERS, MAX_VISITOR_NAME_CHARACTERS,
    MAX_VISITOR_URL_CHARACTERS,
};
use crate::outcome::{Stop, ToolError};
use crate::route::{APPLICATION_MANIFEST_PATH, Mount};
use crate::run::{self, Ended};
use crate::sendable::{BoxFuture, MaybeSend, MaybeSync};
use crate::text::{Quoted, fits, is_blank};

/// Somebody who is signed in to the application, as the widget shows them to the agent.
///
/// Only the id is signed. What is blank counts as left out. A user who breaks a limit is `identity_failed`, and the log
/// says which: the widget must not get half of somebody.
///
/// ```
/// # use median_edge::IdentityUser;
/// let user = IdentityUser::new("user_1").name("Ana").email("ana@example.com");
/// # let _ = user.avatar_url("https://example.com/ana.png");
/// ```
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IdentityUser {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    avatar_url: Option<String>,
}

impl IdentityUser {
    /// The application's own id of the user: what a tool gets as the verified visitor's. Not blank, without control
    /// characters, 256 characters at most.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), name: None, email: None, avatar_url: None }
    }

    /// What the user is called. 256 characters at most.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = said(name);
        self
    }

    /// The user's address. 320 characters at most.
    #[must_use]
    pub fn email(mut self, email: impl Into<String>) -> Self {
        self.email = said(email);
        self
    }

    /// Where the user's picture is: an `https://` or `http://` URL of 2,048 characters at most.
    #[must_use]
    pub fn avatar_url(mut self, url: impl Into<String>) -> Self {
        self.avatar_url = said(url);
        self
    }

    /// What is wrong with the user, for the log. It shows nothing of them.
    fn problem(&self) -> Option<String> {
        if is_blank(&self.id) {
            return Some("the user's id is blank".to_string());
        }
        if self.id.chars().any(char::is_control) {
            return Some("the user's id has a control character".to_string());
        }
        let texts = [
            ("id", Some(&self.id), MAX_VISITOR_ID_CHARACTERS),
            ("name", self.name.as_ref(), MAX_VISITOR_NAME_CHARACTERS),
            ("email", self.email.as_ref(), MAX_VISITOR_EMAIL_CHARACTERS),
            ("avatar URL", self.avatar_url.as_ref(), MAX_VISITOR_URL_CHARACTERS),
        ];
        for (what, text, limit) in texts {
            if text.is_some_and(|text| !fits(text, limit)) {
                return Some(format!("the user's {what} has more than {limit} characters"));
            }
        }
        // The widget shows it as a picture: what else an address can begin with has no place there.
        let is_url = |url: &String| {
            let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
            rest.is_some_and(|rest| !rest.is_empty())
                && !url.contains(|c: char| c.is_whitespace() || c.is_control())
        };
        match &self.avatar_url {
            Some(url) if !is_url(url) => {
                Some("the user's avatar URL is no https:// or http:// URL".to_string())
            }
            _ => None,
        }
    }
}

fn said(text: impl Into<String>) -> Option<String> {
    Some(text.into()).filter(|text| !is_blank(text))
}

/// Says nothing of the user: this is a person's data.
impl fmt::Debug for IdentityUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdentityUser(…)")
    }
}

/// A request for the identity, as far as a resolver may look at it.
pub struct IdentityRequest<'c, S> {
    headers: &'c Headers,
    state: &'c S,
    now_ms: u64,
}

impl<'c, S> IdentityRequest<'c, S> {
    /// The value of a header, by its name in any case. Nothing when there is none, when it came more than once, and when
    /// its value is not UTF-8. White space around it is dropped.
    pub fn header(&self, name: &str) -> Option<&'c str> {
        let mut lines = self.lines(name);
        let line = lines.next().filter(|_| lines.next().is_none())?;
        Some(core::str::from_utf8(line).ok()?.trim_ascii())
    }

    /// The value of a cookie, by its name to the letter: as it came, without the quotation marks that may stand around it,
    /// and not decoded in any other way.
    ///
    /// Nothing when there is none, or when there are several that differ: whoever can set cookies for a neighbouring name
    /// could put theirs beside the user's own. [`IdentityRequest::cookies`] has them all.
    pub fn cookie(&self, name: &str) -> Option<&'c str> {
        let mut values = self.cookies(name);
        let value = values.next()?;
        values.all(|other| other == value).then_some(value)
    }

    /// The values of all cookies of a name, in the order in which they came: browsers send the one with the longest path
    /// first.
    pub fn cookies<'n>(&self, name: &'n str) -> impl Iterator<Item = &'c str> + use<'c, 'n, S> {
        let lines = self.lines("cookie").filter_map(|line| core::str::from_utf8(line).ok());
        // HTTP/2 may send each cookie on a line of its own.
        lines.flat_map(|line| line.split(';')).filter_map(move |pair| {
            let (its_name, value) = pair.split_once('=')?;
            (its_name.trim_ascii() == name).then(|| unquoted(value.trim_ascii()))
        })
    }

    /// The application's state.
    pub fn state(&self) -> &'c S {
        self.state
    }

    /// Unix time in milliseconds, on the host's clock: a session may have ended.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    fn lines<'n>(&self, name: &'n str) -> impl Iterator<Item = &'c [u8]> + use<'c, 'n, S> {
        self.headers
            .lines()
            .filter(move |(its_name, _)| its_name.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

impl<S> Clone for IdentityRequest<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for IdentityRequest<'_, S> {}

/// Names of headers only: values may hold sessions.
impl<S> fmt::Debug for IdentityRequest<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdentityRequest").field("headers", &self.headers).finish_non_exhaustive()
    }
}

fn unquoted(value: &str) -> &str {
    value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value)
}

/// An `async` function that says who is signed in, as [`EndpointBuilder::identity`](crate::EndpointBuilder::identity)
/// takes it.
#[diagnostic::on_unimplemented(
    message = "this is not an async function or closure of `{A}` whose future is `Send`",
    note = "it must return `ToolResult<Option<IdentityUser>>`, and a closure must capture nothing: what it works with is in `request.state()`"
)]
pub trait Resolver<A> {
    /// Why it failed.
    type Error: Into<ToolError>;
    /// The function's future.
    type Future: Future<Output = Result<Option<IdentityUser>, Self::Error>> + MaybeSend;

    /// Calls it.
    fn resolve(&self, request: A) -> Self::Future;
}

#[diagnostic::do_not_recommend]
impl<A, F, Fut, E> Resolver<A> for F
where
    F: Fn(A) -> Fut,
    Fut: Future<Output = Result<Option<IdentityUser>, E>> + MaybeSend,
    E: Into<ToolError>,
{
    type Error = E;
    type Future = Fut;

    fn resolve(&self, request: A) -> Fut {
        self(request)
    }
}

/// Where the identity is asked for, and who answers.
pub(crate) struct Identity<S> {
    pub(crate) path: Mount,
    pub(crate) resolver: Box<dyn AnswerIdentity<S>>,
}

/// What answering takes.
pub(crate) struct Asking<'r, S> {
    pub(crate) request: &'r Request,
    pub(crate) host: &'r dyn Host,
    pub(crate) keys: &'r Keys,
    pub(crate) state: &'r S,
    /// The endpoint's own limit.
    pub(crate) limit_ms: u64,
}

/// The whole of answering is behind this, so that a program without a resolver has none of it.
pub(crate) trait AnswerIdentity<S>: MaybeSend + MaybeSync {
    /// Says in whole what is wrong with a path, or gives it in its one form.
    fn check_path(&self, path: &str, mount: &Mount) -> Result<Mount, String>;

    fn answer<'r>(&'r self, asking: Asking<'r, S>) -> BoxFuture<'r, Answer>;
}

pub(crate) struct ByResolver<F>(pub(crate) F);

impl<S, F> AnswerIdentity<S> for ByResolver<F>
where
    S: MaybeSync + 'static,
    F: for<'c> Resolver<IdentityRequest<'c, S>> + MaybeSend + MaybeSync + 'static,
{
    fn check_path(&self, path: &str, mount: &Mount) -> Result<Mount, String> {
        check_path(path, mount)
            .map_err(|why| format!("the identity path {} can't be used: {why}", Quoted(path)))
    }

    fn answer<'r>(&'r self, asking: Asking<'r, S>) -> BoxFuture<'r, Answer> {
        Box::pin(async move {
            let key = match admit(asking.request, asking.keys) {
                Ok(key) => key,
                Err(fault) => return refuse(fault),
            };
            let limits = [Some(asking.limit_ms), Some(IDENTITY_LIMIT_MS), asking.host.remaining_ms()];
            let limit_ms = limits.into_iter().flatten().min().unwrap_or_default();
            let request = IdentityRequest {
                headers: &asking.request.headers,
                state: asking.state,
                now_ms: asking.host.now_ms(),
            };
            let mut start = || -> Result<BoxFuture<'r, Result<Option<IdentityUser>, ToolError>>, Stop> {
                Ok(Box::pin(async move { self.0.resolve(request).await.map_err(Into::into) }))
            };
            match run::run(asking.host, limit_ms, &mut start).await {
                Ended::Done(Ok(user)) => respond(key, user.as_ref()),
                Ended::Done(Err(error)) => failed(error.into_detail()),
                Ended::Panicked(panicked) => failed(format!("panicked: {}", panicked.0)),
                Ended::TimedOut => failed(format!("cut off after {limit_ms} ms")),
                Ended::Stopped(_) => failed(String::from("it was not started")),
            }
        })
    }
}

/// The method, then the key.
fn admit<'r>(request: &Request, keys: &'r Keys) -> Result<&'r MedianKey, Fault> {
    if request.method != Method::Get {
        return Err(Fault::new(Code::MethodNotAllowed, "Only GET, for who is signed in, is answered here."));
    }
    keys.check().map_err(|error| Fault::from(&error))?;
    keys.key().ok_or_else(|| {
        let message = format!(
            "{KEY_VARIABLE} is not set, and {TOOL_SECRET_VARIABLE} alone signs no identity. Set {KEY_VARIABLE} to your \
             endpoint's key."
        );
        Fault::new(Code::MissingSecret, message)
    })
}

fn respond(key: &MedianKey, user: Option<&IdentityUser>) -> Answer {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Body<'a> {
        visitor: Option<&'a IdentityUser>,
        #[serde(skip_serializing_if = "Option::is_none")]
        public_key: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    }
    if let Some(problem) = user.and_then(IdentityUser::problem) {
        return failed(problem);
    }
    let body = Body {
        visitor: user,
        public_key: user.map(|_| key.public_half()),
        signature: user.map(|user| key.identity_secret().sign(&user.id)),
    };
    // Strings always serialize.
    let body = serde_json::to_vec(&body).unwrap_or_default();
    Answer::new(Ending::Result, Response::ok(body).of_identity())
}

/// Nothing of why it failed is for the page: it may hold what nobody outside should read.
fn failed(detail: String) -> Answer {
    let message = "Who is signed in could not be found out. The reason is in the application's log.";
    let mut answer = refuse(Fault::new(Code::IdentityFailed, message));
    answer.detail = Some(detail);
    answer
}

fn refuse(fault: Fault) -> Answer {
    let mut answer = Answer::from(fault);
    answer.response = answer.response.of_identity();
    answer
}

/// Checks where the identity is to be answered; the error says what is wrong.
fn check_path(path: &str, mount: &Mount) -> Result<Mount, &'static str> {
    let parsed = Mount::parse(path)?;
    match parsed.as_str() {
        "/" => Err("it must not be the root"),
        APPLICATION_MANIFEST_PATH => Err("that is where the application manifest is"),
        taken if taken == mount.as_str() => Err("the endpoint itself is there"),
        _ => Ok(parsed),
    }
}

#[cfg(test)]
mod tests {
    use super::{IdentityRequest, IdentityUser};
    use crate::http::Headers;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    fn headers(lines: &[(&'static str, &str)]) -> Headers {
        let mut headers = Headers::default();
        for (name, value) in lines {
            headers.append(*name, value.as_bytes());
        }
        headers
    }

    fn asked(headers: &Headers) -> IdentityRequest<'_, ()> {
        IdentityRequest { headers, state: &(), now_ms: 0 }
    }

    #[test]
    fn cookies_are_read_as_browsers_send_them() {
        let headers =
            headers(&[("cookie", "a=1; session=s%3D1;b=x=y ; quoted=\"q\"; lone; =nameless; empty=")]);
        let request = asked(&headers);
        let read = ["a", "session", "b", "quoted", "empty"].map(|name| request.cookie(name));
        assert_eq!(read, [Some("1"), Some("s%3D1"), Some("x=y"), Some("q"), Some("")]);
        for absent in ["A", "ession", "lone", "s", "a=1", "session=s%3D1"] {
            assert_eq!(request.cookie(absent), None, "{absent}");
        }
    }

    #[test]
    fn a_quotation_mark_by_itself_stays() {
        let headers = headers(&[("cookie", "a=\"; b=\"x")]);
        assert_eq!((asked(&headers).cookie("a"), asked(&headers).cookie("b")), (Some("\""), Some("\"x")));
    }

    #[test]
    fn cookies_on_several_lines_are_one_list() {
        let headers = headers(&[("cookie", "a=1"), ("cookie", "b=2")]);
        assert_eq!((asked(&headers).cookie("a"), asked(&headers).cookie("b")), (Some("1"), Some("2")));
    }

    #[test]
    fn two_cookies_of_one_name_that_differ_are_none() {
        let headers = headers(&[("cookie", "s=mine; s=theirs; t=1; t=1")]);
        let request = asked(&headers);
        assert_eq!((request.cookie("s"), request.cookie("t")), (None, Some("1")));
        assert_eq!(request.cookies("s").collect::<Vec<_>>(), ["mine", "theirs"]);
    }

    #[test]
    fn a_header_is_found_in_any_case_and_once_only() {
        let headers = headers(&[("x-user", " ana "), ("x-twice", "1"), ("x-twice", "1")]);
        let request = asked(&headers);
        assert_eq!(
            (request.header("X-User"), request.header("x-twice"), request.header("x")),
            (Some("ana"), None, None)
        );
    }

    #[test]
    fn a_header_that_is_no_text_is_none() {
        let mut headers = Headers::default();
        headers.append("x-user", [0xff]);
        headers.append("cookie", [b'a', b'=', 0xff]);
        let request = asked(&headers);
        assert_eq!((request.header("x-user"), request.cookie("a")), (None, None));
    }

    #[test]
    fn what_is_wrong_with_a_user_is_said_without_showing_them() {
        let long = "x".repeat(3_000);
        let problem = |user: IdentityUser| user.problem();
        assert_eq!(
            problem(IdentityUser::new("user_1").name(" ").email("a@b.c").avatar_url("https://x/y")),
            None
        );
        assert_eq!(problem(IdentityUser::new("\u{200b} ")).unwrap(), "the user's id is blank");
        assert_eq!(problem(IdentityUser::new("a\nb")).unwrap(), "the user's id has a control character");
        assert_eq!(
            problem(IdentityUser::new(long.clone())).unwrap(),
            "the user's id has more than 256 characters"
        );
        assert!(problem(IdentityUser::new("u").name(long.clone())).unwrap().contains("name"));
        assert!(problem(IdentityUser::new("u").email(long.clone())).unwrap().contains("email"));
        assert!(
            problem(IdentityUser::new("u").avatar_url("https://".to_string() + &long))
                .unwrap()
                .contains("2048")
        );
        for bad in ["javascript:alert(1)", "//x/y", "https://", "https://x/ y", "HTTPS"] {
            assert!(problem(IdentityUser::new("u").avatar_url(bad)).is_some(), "{bad}");
        }
    }
}
