//! Exact bytes in, exact bytes out: what every check stands on.

use std::fmt;
use std::time::Duration;

/// A request, byte for byte.
#[derive(Clone, PartialEq, Eq)]
pub struct Ask {
    /// The method, as it stands on the wire.
    pub method: String,
    /// What is put behind the endpoint's address: a trailing slash, a query; empty for the address itself.
    pub suffix: String,
    /// A path from the root of the site, in the place of the endpoint's own.
    pub path: Option<&'static str>,
    /// The header lines, in order, names as they are sent. The transport adds only what it needs by itself.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body.
    pub body: Vec<u8>,
    /// How the body is sent.
    pub framing: Framing,
}

/// Says nothing of the body or of header values.
impl fmt::Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        let bytes = self.body.len();
        write!(f, "{} {names:?}, {bytes} bytes, {:?}", self.method, self.framing)
    }
}

/// How a body is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// In one go, with its length.
    #[default]
    Whole,
    /// In a few pieces, with pauses between them.
    Slow,
    /// In chunks, without a length.
    Chunked,
    /// Half of what was announced; then the sender goes away.
    CutOff,
    /// All of it, with a length that announces so many bytes only.
    Announced(usize),
}

/// An answer, byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The header lines, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How long it took.
    pub took: Duration,
}

impl Answer {
    /// The first header of a name, given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The answer on one line, cut short.
    pub fn shown(&self) -> String {
        let mut text: String = String::from_utf8_lossy(&self.body).chars().take(300).collect();
        if text.len() < self.body.len() {
            text.push('…');
        }
        let status = match self.header("location") {
            Some(location) => format!("{}, a redirect to {location},", self.status),
            None => self.status.to_string(),
        };
        match text.trim() {
            "" => format!("{status} without a body"),
            text => format!("{status} {text}"),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The host's name has no address.
    UnknownHost(String),
    /// Nothing listens there.
    Refused(String),
    /// There is no secure connection; why not.
    NotSecure(String),
    /// There is no connection for another reason.
    Unreachable(String),
    /// Nothing came in time.
    TimedOut(Duration),
    /// The connection was closed before an answer.
    Closed,
    /// What came is no HTTP; why not.
    NotHttp(String),
    /// The transport cannot send such a request.
    Unable(&'static str),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownHost(host) => write!(f, "there is no connection: {host} has no address"),
            Self::Refused(place) => write!(f, "there is no connection: nothing listens at {place}"),
            Self::NotSecure(why) => write!(f, "there is no secure connection: {why}"),
            Self::Unreachable(why) => write!(f, "there is no connection: {why}"),
            Self::TimedOut(limit) => write!(f, "no answer within {limit:?}"),
            Self::Closed => f.write_str("the connection was closed without an answer"),
            Self::NotHttp(why) => write!(f, "what came is not an HTTP answer: {why}"),
            Self::Unable(why) => write!(f, "it can't be sent: {why}"),
        }
    }
}

impl std::error::Error for Trouble {}

/// What not every transport can do. A check that needs one which is missing is reported as skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Feature {
    /// Any byte in a header's value.
    HeaderBytes,
    /// A header of several lines, and one that is blank.
    HeaderLines,
    /// A `GET` with a body.
    GetBody,
    /// Other paths than the endpoint's own address.
    Paths,
    /// Bytes on a connection: slow, cut-off and chunked bodies, wrong lengths, several requests at once, and the end
    /// of an answer to `HEAD`.
    Wire,
}

/// Sends requests to one endpoint. HTTP and in-process are here; a gateway's events are one more implementation.
pub trait Transport {
    /// What is checked, for the report.
    fn target(&self) -> String;

    /// Why the transport is not able to do something, or nothing when it is.
    fn cannot(&self, feature: Feature) -> Option<&'static str> {
        let _ = feature;
        None
    }

    /// Sends one request.
    ///
    /// # Errors
    ///
    /// When there is no answer.
    fn send(&self, ask: &Ask) -> Result<Answer, Trouble>;

    /// Sends requests at once, on one connection, and reads what is answered until all are or the connection closes.
    ///
    /// # Errors
    ///
    /// When there is no answer at all.
    fn send_at_once(&self, asks: &[Ask]) -> Result<Vec<Answer>, Trouble> {
        let _ = asks;
        Err(Trouble::Unable("there is no connection"))
    }

    /// Unix time in milliseconds, by the clock that the requests are signed for.
    fn now_ms(&self) -> u64 {
        let since = std::time::SystemTime::now().duration_since(std::time::SystemTime::UNIX_EPOCH);
        u64::try_from(since.unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
    }
}
