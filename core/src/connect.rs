//! Connecting: the owner of the key asks the endpoint, with one request, to make itself known to the platform.
//!
//! The request is a `GET` with the key as its bearer, so that a stranger never causes a request to go out. What goes out
//! carries the key too: only to the address that the endpoint's environment gives, only over `https` (or to this machine
//! itself), and to no address that an answer names.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::net::Ipv6Addr;

use serde::Serialize;
use zeroize::Zeroizing;

use crate::answer::Answer;
use crate::error::{Code, Fault};
use crate::event::Ending;
use crate::fetch::{FetchError, FetchRequest, FetchResponse};
use crate::host::Host;
use crate::http::{Header, Headers, Request, Response, SIGNATURE_HEADER};
use crate::key::{KEY_VARIABLE, Keys, MedianKey, TOOL_SECRET_VARIABLE};
use crate::limits::{CONNECT_ANSWER_BYTES, CONNECT_LIMIT_MS, MAX_CONNECT_URL_BYTES};
use crate::loopback;
use crate::outcome::Stop;
use crate::run::{self, Ended};
use crate::text::OneLine;

const AUTHORIZATION: &str = "authorization";
/// Where the platform takes endpoints, under its address.
const TAKES_ENDPOINTS: &str = "/v1/tool-endpoints";

/// What connecting needs to know of the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectSettings {
    api_url: Option<String>,
    public_url: Option<String>,
}

impl ConnectSettings {
    /// The environment variable that holds the address of the platform's API, like `https://api.example.com`.
    pub const API_URL_VARIABLE: &'static str = "MEDIAN_API_URL";
    /// The environment variable that holds the endpoint's whole URL, where the one that a request comes to is another: behind
    /// a proxy, say.
    pub const PUBLIC_URL_VARIABLE: &'static str = "MEDIAN_PUBLIC_URL";

    /// No settings: there is no platform to connect to.
    pub fn new() -> Self {
        Self::default()
    }

    /// The address of the platform's API, in the place of `MEDIAN_API_URL`.
    #[must_use]
    pub fn api_url(mut self, url: impl Into<String>) -> Self {
        self.api_url = Some(url.into());
        self
    }

    /// The endpoint's whole URL, in the place of `MEDIAN_PUBLIC_URL`.
    #[must_use]
    pub fn public_url(mut self, url: impl Into<String>) -> Self {
        self.public_url = Some(url.into());
        self
    }

    /// Reads `MEDIAN_API_URL` and `MEDIAN_PUBLIC_URL` through a look-up by name. Blank is absent; white space around them is
    /// dropped. Whether they are good is said when the endpoint is connected.
    pub fn from_lookup(mut lookup: impl FnMut(&str) -> Option<String>) -> Self {
        let mut read = |name| {
            let text = lookup(name)?;
            Some(text.trim_ascii().to_owned()).filter(|text| !text.is_empty())
        };
        Self { api_url: read(Self::API_URL_VARIABLE), public_url: read(Self::PUBLIC_URL_VARIABLE) }
    }
}

/// Whether a `GET` connects: it has no signature, and the key as its bearer. Without either it is someone who looks.
///
/// The order is that of every request: there is a key, or the endpoint says that there is none.
pub(crate) fn admit(headers: &Headers, keys: &Keys) -> Result<bool, Fault> {
    if headers.get(SIGNATURE_HEADER) != Header::Absent {
        return Ok(false);
    }
    let offered = match headers.get(AUTHORIZATION) {
        Header::Absent => None,
        // Two of them are no key.
        Header::Repeated => Some(&[][..]),
        Header::Once(value) => bearer(value),
    };
    let offered = offered.ok_or_else(|| Fault::new(Code::MissingSignature, HOW))?;
    match keys.key() {
        None => Err(Fault::new(
            Code::MissingSecret,
            format!(
                "{KEY_VARIABLE} is not set, and {TOOL_SECRET_VARIABLE} alone connects nothing. Set {KEY_VARIABLE} to your \
                 endpoint's key."
            ),
        )),
        Some(key) if key.is(offered) => Ok(true),
        Some(_) => Err(Fault::new(Code::InvalidSignature, WRONG)),
    }
}

const HOW: &str = "This is a tool endpoint for an AI support agent: it answers requests that Median signed, and this one has no \
    median-signature header. To connect it, send it a GET with its key: curl -H \"Authorization: Bearer $MEDIAN_KEY\" and \
    this URL. Or add this URL in Median under Agent, Tools.";

const WRONG: &str = "The bearer is not this endpoint's key. To connect it, send the MEDIAN_KEY that it runs with: the current \
    one, not a previous one.";

/// What comes after `Bearer`, in any case; nothing for another scheme.
fn bearer(value: &[u8]) -> Option<&[u8]> {
    const SCHEME: &[u8] = b"bearer";
    let value = value.trim_ascii();
    let (scheme, rest) = value.split_at_checked(SCHEME.len())?;
    let ends = rest.first().is_none_or(|byte| matches!(byte, b' ' | b'\t'));
    (ends && scheme.eq_ignore_ascii_case(SCHEME)).then(|| rest.trim_ascii())
}

/// What connecting takes.
pub(crate) struct Connecting<'r> {
    pub(crate) host: &'r dyn Host,
    pub(crate) settings: &'r ConnectSettings,
    pub(crate) key: &'r MedianKey,
    pub(crate) request: &'r Request,
    pub(crate) tools: usize,
}

/// Makes the endpoint known to the platform, or says why it is not.
pub(crate) async fn connect(connecting: Connecting<'_>) -> Answer {
    match try_to(&connecting).await {
        Ok(url) => {
            #[derive(Serialize)]
            struct Body<'a> {
                connected: bool,
                url: &'a str,
                tools: usize,
            }
            let body = Body { connected: true, url: &url, tools: connecting.tools };
            // A string, a number and a boolean always serialize.
            Answer::new(Ending::Result, Response::ok(serde_json::to_vec(&body).unwrap_or_default()))
        }
        Err(why) => Fault::new(Code::ConnectFailed, why).into(),
    }
}

async fn try_to(connecting: &Connecting<'_>) -> Result<String, String> {
    #[derive(Serialize)]
    struct Body<'a> {
        url: &'a str,
    }
    let Connecting { host, settings, key, request, .. } = connecting;
    let own = own_url(settings, request)?;
    let api = api_url(settings)?;
    let limits = [Some(CONNECT_LIMIT_MS), host.remaining_ms()];
    let limit_ms = limits.into_iter().flatten().min().unwrap_or_default();
    // A string always serializes.
    let body = serde_json::to_vec(&Body { url: &own }).unwrap_or_default();
    let url = format!("{}{TAKES_ENDPOINTS}", api.trim_end_matches('/'));
    let asking = FetchRequest::post_json(url, body, limit_ms, CONNECT_ANSWER_BYTES)
        .header(AUTHORIZATION, Zeroizing::new(format!("Bearer {}", key.expose())));

    let mut asking = Some(asking);
    // It is asked once; the key goes with it.
    let mut fetch =
        || asking.take().map(|asking| host.fetch(asking)).ok_or(Stop::InvalidInput(String::new()));
    let answered = match run::run(*host, limit_ms, &mut fetch).await {
        Ended::Done(answered) => answered,
        Ended::TimedOut => Err(FetchError::TimedOut),
        Ended::Panicked(_) | Ended::Stopped(_) => {
            Err(FetchError::Failed("the runtime's HTTP client does not work".to_string()))
        }
    };
    match answered {
        Ok(response) if (200..300).contains(&response.status()) => Ok(own),
        Ok(response) => Err(refused(&response, key)),
        Err(error) => Err(unanswered(&error, api, limit_ms, key)),
    }
}

/// Where the endpoint is, as the platform reaches it.
fn own_url(settings: &ConnectSettings, request: &Request) -> Result<String, String> {
    let variable = ConnectSettings::PUBLIC_URL_VARIABLE;
    if let Some(url) = &settings.public_url {
        Url::parse(url).map_err(|why| {
            format!("{variable} is no URL that an endpoint can have: {why}. Set it to the whole URL of this endpoint, like https://shop.example/api/median.")
        })?;
        return Ok(url.clone());
    }
    let own = request.url.as_ref().and_then(|url| url.split(['?', '#']).next());
    own.filter(|own| Url::parse(own).is_ok()).map(ToOwned::to_owned).ok_or_else(|| {
        format!("The request does not say at which URL this endpoint is. Set {variable} to that URL, like https://shop.example/api/median.")
    })
}

/// The platform's address, when the key may go there.
fn api_url(settings: &ConnectSettings) -> Result<&str, String> {
    let variable = ConnectSettings::API_URL_VARIABLE;
    let Some(text) = &settings.api_url else {
        return Err(format!(
            "{variable} is not set, so there is no platform to connect to. Set it to the address of its API, like https://api.example.com, or add this endpoint's URL in Median under Agent, Tools."
        ));
    };
    let refused = |why: &str| {
        format!(
            "{variable} is no address that the key may go to: {why}. Set it to the address of the platform's API, like https://api.example.com."
        )
    };
    let url = Url::parse(text).map_err(refused)?;
    if !url.is_https && !url.is_loopback() {
        return Err(refused("it is http, which anyone on the way can read; use https"));
    }
    Ok(text)
}

fn refused(response: &FetchResponse, key: &MedianKey) -> String {
    let status = response.status();
    if (300..400).contains(&status) {
        return format!(
            "The platform's API answered with a redirect (status {status}), which is not followed: the key is for the address that it was given. Set {} to the address that the API has now.",
            ConnectSettings::API_URL_VARIABLE
        );
    }
    let what_to_do = match status {
        401 | 403 => "Check that MEDIAN_KEY is the key of this endpoint on that platform.",
        404 => "Check that MEDIAN_API_URL is the address of the platform's API.",
        429 => "Wait a moment, and connect again.",
        500.. => "The fault is the platform's: connect again later.",
        _ => "See to what it says, and connect again.",
    };
    match message_of(response.body(), key) {
        Some(said) => format!(
            "The platform did not take the endpoint (status {status}). It says: {}. {what_to_do}",
            Cut::at(&said, SAID_CHARACTERS)
        ),
        None => format!("The platform did not take the endpoint (status {status}). {what_to_do}"),
    }
}

fn unanswered(error: &FetchError, api: &str, limit_ms: u64, key: &MedianKey) -> String {
    let variable = ConnectSettings::API_URL_VARIABLE;
    let cut = |why: &str| Cut::at(&without(why, key), SAID_CHARACTERS).to_string();
    match error {
        FetchError::Unsupported => "This endpoint has no HTTP client to connect with: it was built without the feature `connect` of its adapter. Build it with that, or add this endpoint's URL in Median under Agent, Tools.".to_string(),
        FetchError::TimedOut => format!(
            "The platform at {api} did not answer within {} seconds. See whether it took the endpoint, and connect again if not.",
            limit_ms.div_ceil(1000)
        ),
        FetchError::Unreachable(why) => format!(
            "The platform at {api} cannot be reached: {}. Check {variable}, and that this endpoint may open connections to it.",
            cut(why)
        ),
        FetchError::Untrusted(why) => format!(
            "Whoever answers at {api} cannot be trusted with the key: {}. Check {variable}, and its certificate.",
            cut(why)
        ),
        FetchError::Failed(why) => format!(
            "The platform at {api} was asked, and its answer could not be read: {}. Check {variable}, see whether it took the endpoint, and connect again if not.",
            cut(why)
        ),
    }
}

/// How much is shown of what somebody else says.
const SAID_CHARACTERS: usize = 300;

/// The message of the platform's error, in its own form.
fn message_of(body: &[u8], key: &MedianKey) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Body {
        error: Error,
    }
    #[derive(serde::Deserialize)]
    struct Error {
        message: String,
    }
    let body: Body = serde_json::from_slice(body).ok()?;
    Some(without(&body.error.message, key)).filter(|message| !crate::text::is_blank(message))
}

/// Whoever was given the key may give it back.
fn without(text: &str, key: &MedianKey) -> String {
    text.replace(key.expose(), "(the key)")
}

/// Text from outside, on one line, cut after so many characters.
struct Cut<'a> {
    shown: &'a str,
    is_cut: bool,
}

impl<'a> Cut<'a> {
    fn at(text: &'a str, limit: usize) -> Self {
        let text = text.trim();
        let end = text.char_indices().nth(limit).map_or(text.len(), |(at, _)| at);
        let shown = &text[..end];
        Self { shown: shown.trim_end_matches('.'), is_cut: end < text.len() }
    }
}

impl fmt::Display for Cut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", OneLine(self.shown))?;
        f.write_str(if self.is_cut { "…" } else { "" })
    }
}

/// What has to be known of a URL. It is read more strictly than any client reads it, so that both see the same host.
struct Url<'a> {
    is_https: bool,
    host: &'a str,
}

impl<'a> Url<'a> {
    /// An absolute `http` or `https` URL in ASCII, without a user, a query or a fragment.
    fn parse(text: &'a str) -> Result<Self, &'static str> {
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"\\\"<>^`{|}".contains(&byte);
        if text.len() > MAX_CONNECT_URL_BYTES {
            return Err("it is too long");
        }
        if !text.bytes().all(is_plain) {
            return Err("it has a character that no URL has");
        }
        let (is_https, rest) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => return Err("it does not begin with https://"),
        };
        if rest.contains(['?', '#']) {
            return Err("it has a query or a fragment");
        }
        let authority = rest.split('/').next().unwrap_or_default();
        if authority.contains('@') {
            return Err("it has a user");
        }
        let (host, port) = match authority.strip_prefix('[').map(|rest| rest.split_once(']')) {
            Some(Some((host, port))) if host.parse::<Ipv6Addr>().is_ok() => (host, port),
            Some(_) => return Err("its host is no address"),
            None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
        };
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:".contains(&byte);
        if host.is_empty() || !host.bytes().all(is_name) {
            return Err("it has no host, or one with a character that no host has");
        }
        let digits = port.strip_prefix(':');
        if !port.is_empty()
            && !digits.is_some_and(|digits| {
                digits.bytes().all(|b| b.is_ascii_digit()) && digits.parse::<u16>().is_ok()
            })
        {
            return Err("its port is no number of a port");
        }
        Ok(Self { is_https, host })
    }

    /// Whether it is this machine itself: what goes there passes no network.
    fn is_loopback(&self) -> bool {
        loopback::is_host(self.host)
    }
}

#[cfg(test)]
mod tests {
    use super::{ConnectSettings, Cut, Url, api_url, bearer, message_of};
    use crate::key::{LOCAL_KEY, MedianKey};
    use alloc::format;
    use alloc::string::{String, ToString};

    #[test]
    fn a_bearer_is_read_in_any_case_and_other_schemes_are_none() {
        let reads = [
            ("Bearer k", Some("k")),
            ("bearer  k ", Some("k")),
            ("BEARER\tk", Some("k")),
            ("Bearer", Some("")),
            ("Bearerk", None),
            ("Basic k", None),
            ("", None),
        ];
        for (value, expected) in reads {
            assert_eq!(bearer(value.as_bytes()), expected.map(str::as_bytes), "{value:?}");
        }
    }

    fn api(text: &str) -> Result<String, String> {
        let settings = ConnectSettings::from_lookup(|name| {
            (name == ConnectSettings::API_URL_VARIABLE).then(|| text.to_string())
        });
        api_url(&settings).map(ToString::to_string)
    }

    #[test]
    fn the_key_goes_over_https_or_to_this_machine() {
        for good in [
            "https://api.example.com",
            " https://api.example.com:8443/base/\n",
            "http://127.0.0.1:4000",
            "http://localhost",
            "http://LOCALHOST:1",
            "http://[::1]:4000",
            "https://[2001:db8::1]",
        ] {
            assert_eq!(api(good), Ok(good.trim().to_string()), "{good:?}");
        }
        for bad in [
            "http://api.example.com",
            "http://127.0.0.1.example.com",
            "http://localhost.example.com",
            "http://127.0.0.1@example.com",
            "http://127.0.0.1\\@example.com",
            "http://127.0.0.1\\.example.com",
            "http://[::1].example.com",
            "http://[::1]@example.com",
            "http://0.0.0.0",
            "http://2130706433",
            "https://user:word@example.com",
            "https://",
            "https:///v1",
            "https://:443",
            "https://example.com:",
            "https://example.com:x",
            "https://example.com:+1",
            "https://example.com:99999",
            "https://example.com?x",
            "https://example.com#x",
            "https://exa mple.com",
            "https://exämple.com",
            "HTTPS://example.com",
            "ftp://example.com",
            "example.com",
            "//example.com",
        ] {
            assert!(api(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn blank_settings_are_absent() {
        let settings = ConnectSettings::from_lookup(|_| Some(" \n".to_string()));
        assert_eq!(settings, ConnectSettings::default());
        assert!(api_url(&settings).unwrap_err().contains("MEDIAN_API_URL is not set"));
    }

    #[test]
    fn what_the_platform_says_is_shown_on_one_line_without_the_key_and_cut() {
        let said = |message: &str| {
            let body = serde_json::json!({"error": {"code": "x", "message": message}}).to_string();
            message_of(body.as_bytes(), &MedianKey::local()).map(|said| Cut::at(&said, 20).to_string())
        };
        assert_eq!(said("No such key.").unwrap(), "No such key");
        assert_eq!(said("a\n\u{1b}[1mb").unwrap(), "a\\u{a}\\u{1b}[1mb");
        assert_eq!(said(&format!("is {LOCAL_KEY}?")).unwrap(), "is (the key)?");
        assert_eq!(said(&"x".repeat(50)).unwrap(), format!("{}…", "x".repeat(20)));
        assert_eq!(said(" "), None);
        assert_eq!(message_of(b"<html>", &MedianKey::local()), None);
    }

    #[test]
    fn a_url_that_is_too_long_is_refused() {
        assert!(Url::parse(&format!("https://example.com/{}", "x".repeat(3_000))).is_err());
    }
}
