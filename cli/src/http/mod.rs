//! One request, signed for an endpoint or with the key for the platform's API, and the answer as it came. What is answered
//! is not trusted: it is read up to a limit and within a time, and no redirect is followed.

mod address;

use std::io;
use std::time::{Duration, Instant};

use median_edge::http::SIGNATURE_HEADER;
use ureq::config::ConfigBuilder;
use ureq::http::{HeaderValue, Method, Request, header};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::typestate::AgentScope;
use ureq::{Agent, Error};

pub(crate) use self::address::{Address, as_kept, segment};
use crate::failure::Failure;
use crate::keys::Bearer;

/// The most bytes of an answer that are read. A manifest has 500,000 at most.
const LARGEST_ANSWER: u64 = 5 * 1024 * 1024;

/// An answer, whatever its status.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Where a redirect leads.
    pub(crate) location: Option<String>,
    pub(crate) body: Vec<u8>,
    pub(crate) took: Duration,
}

/// Sends requests to one address.
#[derive(Debug)]
pub(crate) struct Client {
    agent: Agent,
    address: Address,
    limit: Duration,
}

impl Client {
    pub(crate) fn new(address: Address, limit_seconds: u64) -> Self {
        let limit = Duration::from_secs(limit_seconds);
        let agent = settings(&address, limit).build().new_agent();
        Self { agent, address, limit }
    }

    /// Asks for the manifest.
    pub(crate) fn get(&self, signature: &str) -> Result<Answer, Failure> {
        let started = Instant::now();
        let request = self.agent.get(&self.address.uri).header(SIGNATURE_HEADER, signature);
        self.read(request.call(), started)
    }

    /// Sends a body.
    pub(crate) fn post(&self, signature: &str, body: &[u8]) -> Result<Answer, Failure> {
        let started = Instant::now();
        let request = self.agent.post(&self.address.uri).header(SIGNATURE_HEADER, signature);
        self.read(request.content_type("application/json").send(body), started)
    }

    /// Asks as whoever has the key, with a body of JSON where there is one.
    pub(crate) fn ask(&self, method: Method, key: &Bearer, body: Option<&str>) -> Result<Answer, Failure> {
        let started = Instant::now();
        let unwritten =
            |error: ureq::http::Error| Failure::usage(format!("The request can't be written: {error}."));
        let request = Request::builder().method(method).uri(&self.address.uri);
        let request = request.header(header::AUTHORIZATION, authorization(key)?);
        let response = match body {
            Some(body) => {
                let request = request.header(header::CONTENT_TYPE, "application/json");
                self.agent.run(request.body(body).map_err(unwritten)?)
            }
            None => self.agent.run(request.body(()).map_err(unwritten)?),
        };
        self.read(response, started)
    }

    fn read(
        &self,
        response: Result<ureq::http::Response<ureq::Body>, Error>,
        started: Instant,
    ) -> Result<Answer, Failure> {
        let mut response = response.map_err(|error| self.unreachable(&error))?;
        let status = response.status().as_u16();
        let location = response.headers().get("location");
        let location = location.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let body = response.body_mut().with_config().limit(LARGEST_ANSWER).read_to_vec();
        let body = body.map_err(|error| match error {
            Error::BodyExceedsLimit(_) => {
                let message = format!("The answer is over {} MB.", LARGEST_ANSWER / 1024 / 1024);
                Failure::answered(status, "answer_too_large", message).hint(self.address.of.largest())
            }
            error => self.unreachable(&error),
        })?;
        Ok(Answer { status, location, body, took: started.elapsed() })
    }

    /// There was no answer: why, and what to look at.
    fn unreachable(&self, error: &Error) -> Failure {
        let (host, of) = (self.address.host(), self.address.of);
        let is_https = self.address.uri.scheme_str() == Some("https");
        let (why, hint) = match Trouble::of(error, is_https) {
            Trouble::UnknownName => (
                format!("{host} is not known: the name has no address."),
                "Check its spelling, and the network.".to_owned(),
            ),
            Trouble::NothingListens => (format!("Nothing listens at {host}."), of.start()),
            Trouble::TooSlow => (format!("{host} did not answer within {:?}.", self.limit), of.wait()),
            Trouble::NotSecure => (
                format!("There is no secure connection to {host}: {}.", told(error)),
                "Check the certificate, and that the port speaks https; on your own machine http will do."
                    .to_owned(),
            ),
            Trouble::Other => (
                format!("{host} gave no answer that can be read: {}.", told(error)),
                "Check that it is an HTTP server, and that http or https is right.".to_owned(),
            ),
        };
        Failure::not_run("unreachable", why).hint(hint)
    }
}

/// The header that carries the key. It is marked, so that nothing shows it.
fn authorization(key: &Bearer) -> Result<HeaderValue, Failure> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose()))
        .map_err(|_| Failure::not_run("bad_key", "The key can't be sent: it holds what no header may."))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Why there was no answer.
enum Trouble {
    UnknownName,
    NothingListens,
    TooSlow,
    NotSecure,
    Other,
}

impl Trouble {
    fn of(error: &Error, is_https: bool) -> Self {
        match error {
            Error::HostNotFound => Self::UnknownName,
            Error::Timeout(_) => Self::TooSlow,
            Error::Rustls(_) | Error::Tls(_) | Error::Pem(_) => Self::NotSecure,
            Error::Io(error) => match error.kind() {
                io::ErrorKind::ConnectionRefused => Self::NothingListens,
                io::ErrorKind::TimedOut => Self::TooSlow,
                // What TLS does not understand, a certificate that is not trusted among it.
                io::ErrorKind::InvalidData if is_https => Self::NotSecure,
                // The standard library has no kind for it.
                _ if error.to_string().contains("lookup address") => Self::UnknownName,
                _ => Self::Other,
            },
            _ => Self::Other,
        }
    }
}

/// The error in its own words, without a full stop.
fn told(error: &Error) -> String {
    let text = match error {
        Error::Io(error) => error.to_string(),
        error => error.to_string(),
    };
    text.trim_end_matches('.').to_owned()
}

fn settings(address: &Address, limit: Duration) -> ConfigBuilder<AgentScope> {
    let settings = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_global(Some(limit))
        // Each request has a connection of its own: a call is sent once, and must not be lost on one that just closes.
        .max_idle_connections(0)
        .user_agent(concat!("median-edge-cli/", env!("CARGO_PKG_VERSION")))
        .accept("application/json")
        .tls_config(TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build());
    // A proxy does not know this machine's own addresses.
    if address.is_loopback() { settings.proxy(None) } else { settings }
}

#[cfg(test)]
mod tests {
    use super::Trouble;
    use std::io;
    use ureq::Error;

    #[test]
    fn reasons_are_told_apart() {
        let io = |kind, text: &str| Error::Io(io::Error::new(kind, text.to_owned()));
        let other = io::ErrorKind::Other;
        let name = io(other, "failed to lookup address information: Name or service not known");
        assert!(matches!(Trouble::of(&name, false), Trouble::UnknownName));
        assert!(matches!(Trouble::of(&Error::HostNotFound, false), Trouble::UnknownName));
        let refused = io(io::ErrorKind::ConnectionRefused, "");
        assert!(matches!(Trouble::of(&refused, true), Trouble::NothingListens));
        let data = io(io::ErrorKind::InvalidData, "invalid peer certificate");
        assert!(matches!(Trouble::of(&data, true), Trouble::NotSecure));
        assert!(matches!(Trouble::of(&data, false), Trouble::Other));
    }
}
