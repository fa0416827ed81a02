//! One signed request, and the answer as it came. What an endpoint answers is not trusted: it is read up to a limit and
//! within a time, and no redirect is followed.

use std::io;
use std::time::{Duration, Instant};

use median_edge::http::SIGNATURE_HEADER;
use median_edge::loopback;
use ureq::config::ConfigBuilder;
use ureq::http::Uri;
use ureq::http::uri::PathAndQuery;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::typestate::AgentScope;
use ureq::{Agent, Error};

use crate::failure::Failure;
use crate::text::clean;

/// The most bytes of an answer that are read. A manifest has 500,000 at most.
const LARGEST_ANSWER: u64 = 5 * 1024 * 1024;

/// The endpoint's address.
#[derive(Clone, Debug)]
pub(crate) struct Address(Uri);

impl Address {
    /// Reads an address: `http` or `https`, and a host.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        const EXAMPLE: &str = "Write it like http://127.0.0.1:7420/api/median.";
        let shown = clean(text);
        let fail = |why: &str| Failure::usage(format!("{shown} is not the address of an endpoint: {why}."));
        if !text.contains("://") {
            return Err(fail("http:// or https:// is missing").hint(EXAMPLE));
        }
        let uri: Uri = text.parse().map_err(|_| fail("it is not a URL").hint(EXAMPLE))?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) {
            return Err(fail("only http and https can be called").hint(EXAMPLE));
        }
        if uri.host().is_none_or(str::is_empty) {
            return Err(fail("it has no host").hint(EXAMPLE));
        }
        if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err(Failure::usage("The address holds a name or a password.")
                .hint("Leave out what stands before the @: requests are signed, and that is all an endpoint asks for."));
        }
        Ok(Self(uri))
    }

    /// The host and the port, for a sentence.
    fn host(&self) -> &str {
        self.0.authority().map_or("", |authority| authority.as_str())
    }

    /// Another path of the same site.
    pub(crate) fn at(&self, path: &'static str) -> Self {
        let mut parts = self.0.clone().into_parts();
        parts.path_and_query = Some(PathAndQuery::from_static(path));
        // The scheme and the host are there already.
        Self(Uri::from_parts(parts).unwrap_or_else(|_| self.0.clone()))
    }

    /// Whether it is this machine.
    fn is_loopback(&self) -> bool {
        self.0.host().is_some_and(loopback::is_host)
    }
}

/// An answer, whatever its status.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Where a redirect leads.
    pub(crate) location: Option<String>,
    pub(crate) body: Vec<u8>,
    pub(crate) took: Duration,
}

/// Sends requests to one endpoint.
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
        let request = self.agent.get(&self.address.0).header(SIGNATURE_HEADER, signature);
        self.read(request.call(), started)
    }

    /// Sends a body.
    pub(crate) fn post(&self, signature: &str, body: &[u8]) -> Result<Answer, Failure> {
        let started = Instant::now();
        let request = self.agent.post(&self.address.0).header(SIGNATURE_HEADER, signature);
        self.read(request.content_type("application/json").send(body), started)
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
                Failure::answered(status, "answer_too_large", message).hint(
                    "No manifest and no result is that large: check that the address is the endpoint's.",
                )
            }
            error => self.unreachable(&error),
        })?;
        Ok(Answer { status, location, body, took: started.elapsed() })
    }

    /// There was no answer: why, and what to look at.
    fn unreachable(&self, error: &Error) -> Failure {
        let host = self.address.host();
        let is_https = self.address.0.scheme_str() == Some("https");
        let (why, hint) = match Trouble::of(error, is_https) {
            Trouble::UnknownName => (
                format!("{host} is not known: the name has no address."),
                "Check its spelling, and the network.",
            ),
            Trouble::NothingListens => (
                format!("Nothing listens at {host}."),
                "Start the endpoint, and check the port. `median-edge dev` serves a demo.",
            ),
            Trouble::TooSlow => (
                format!("{host} did not answer within {:?}.", self.limit),
                "Look at what the endpoint is doing, or wait longer with --timeout.",
            ),
            Trouble::NotSecure => (
                format!("There is no secure connection to {host}: {}.", told(error)),
                "Check the certificate, and that the port speaks https; on your own machine http will do.",
            ),
            Trouble::Other => (
                format!("{host} gave no answer that can be read: {}.", told(error)),
                "Check that it is an HTTP server, and that http or https is right.",
            ),
        };
        Failure::not_run("unreachable", why).hint(hint)
    }
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
    use super::{Address, Trouble};
    use std::io;
    use ureq::Error;

    #[test]
    fn an_address_has_a_scheme_and_a_host() {
        for good in ["http://127.0.0.1:7420/api/median", "https://shop.example", "http://[::1]:1/x?y=z"] {
            assert!(Address::parse(good).is_ok(), "{good}");
        }
        for (bad, part) in [
            ("localhost:7420/api/median", "http:// or https:// is missing"),
            ("ftp://shop.example/", "only http and https"),
            ("http://", "not a URL"),
            ("http://a b/", "not a URL"),
            ("http://name:secret@shop.example/", "holds a name or a password"),
        ] {
            let message = Address::parse(bad).unwrap_err().message;
            assert!(message.contains(part) && !message.contains("secret"), "{bad}: {message}");
        }
    }

    #[test]
    fn this_machine_is_known_by_its_addresses() {
        let loopback = |text| Address::parse(text).unwrap().is_loopback();
        assert!(
            loopback("http://localhost:1/") && loopback("http://127.0.0.9/") && loopback("http://[::1]/")
        );
        assert!(!loopback("http://shop.example/") && !loopback("http://192.168.0.1/"));
    }

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
