//! Where a request goes, and whose address that is.

use std::fmt::Write as _;

use median_edge::loopback;
use ureq::http::Uri;
use ureq::http::uri::PathAndQuery;

use crate::curl;
use crate::failure::Failure;
use crate::text::clean;

/// An address that requests go to.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    pub(super) uri: Uri,
    pub(super) of: Of,
}

/// Whose address it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// An endpoint.
    Endpoint,
    /// The platform's API, which on this machine is the stand-in's.
    Api,
}

impl Of {
    fn name(self) -> &'static str {
        match self {
            Self::Endpoint => "an endpoint",
            Self::Api => "the platform's API",
        }
    }

    fn example(self) -> &'static str {
        match self {
            Self::Endpoint => "Write it like http://127.0.0.1:7420/api/median.",
            Self::Api => "Write it like http://127.0.0.1:7421.",
        }
    }

    /// What is asked for besides a signature or a key: nothing.
    fn asks_for(self) -> &'static str {
        match self {
            Self::Endpoint => "requests are signed, and that is all an endpoint asks for.",
            Self::Api => "the key is all that the API asks for.",
        }
    }

    /// What to do when nobody is there.
    pub(super) fn start(self) -> String {
        let program = curl::program();
        match self {
            Self::Endpoint => {
                format!("Start the endpoint, and check the port. `{program} dev` serves a demo.")
            }
            Self::Api => format!(
                "Start the stand-in with `{program} dev`, or say where it is with --api or MEDIAN_API_URL."
            ),
        }
    }

    /// What to do when the answer does not come.
    pub(super) fn wait(self) -> String {
        match self {
            Self::Endpoint => "Look at what the endpoint is doing, or wait longer with --timeout.".to_owned(),
            Self::Api => format!(
                "Whatever an endpoint does, the stand-in answers sooner: start `{} dev` again.",
                curl::program()
            ),
        }
    }

    /// What no answer is as large as.
    pub(super) fn largest(self) -> &'static str {
        match self {
            Self::Endpoint => {
                "No manifest and no result is that large: check that the address is the endpoint's."
            }
            Self::Api => "Ask for less with --limit, and check that the address is the stand-in's.",
        }
    }
}

impl Address {
    /// Reads an endpoint's address: `http` or `https`, and a host.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        Self::read(text, Of::Endpoint)
    }

    /// Reads the address of the platform's API. The key goes there: by `https`, or by `http` to this machine.
    pub(crate) fn of_api(text: &str) -> Result<Self, Failure> {
        let address = Self::read(text, Of::Api)?;
        if address.uri.scheme_str() == Some("http") && !address.is_loopback() {
            let message = format!(
                "The key does not go to {}: it is http, which anyone on the way can read.",
                clean(text)
            );
            return Err(Failure::usage(message).hint("Use https, or http to this machine."));
        }
        Ok(address)
    }

    fn read(text: &str, of: Of) -> Result<Self, Failure> {
        // What cannot be read as a URL may hold a password all the same.
        let shown = if text.contains('@') { "What was given".to_owned() } else { clean(text) };
        let fail = |why: &str| {
            Failure::usage(format!("{shown} is not the address of {}: {why}.", of.name())).hint(of.example())
        };
        if !text.contains("://") {
            return Err(fail("http:// or https:// is missing"));
        }
        let uri: Uri = text.parse().map_err(|_| fail("it is not a URL"))?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) {
            return Err(fail("only http and https can be called"));
        }
        if uri.host().is_none_or(str::is_empty) {
            return Err(fail("it has no host"));
        }
        if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err(Failure::usage("The address holds a name or a password.")
                .hint(format!("Leave out what stands before the @: {}", of.asks_for())));
        }
        if uri.authority().is_some_and(|authority| {
            authority.port_u16().is_none() && authority.as_str().len() > authority.host().len()
        }) {
            return Err(fail("its port is no number"));
        }
        Ok(Self { uri, of })
    }

    /// The host and the port, for a sentence.
    pub(super) fn host(&self) -> &str {
        self.uri.authority().map_or("", |authority| authority.as_str())
    }

    /// Another path of the same site.
    pub(crate) fn at(&self, path: &str) -> Self {
        let mut parts = self.uri.clone().into_parts();
        // The scheme and the host are there already, and what is named in a path is written with `segment`.
        parts.path_and_query = PathAndQuery::try_from(path).ok();
        let uri = Uri::from_parts(parts).unwrap_or_else(|_| self.uri.clone());
        Self { uri, of: self.of }
    }

    /// A path below this one.
    pub(crate) fn under(&self, path: &str) -> Self {
        self.at(&format!("{}{path}", self.uri.path().trim_end_matches('/')))
    }

    /// Whether it is this machine.
    pub(super) fn is_loopback(&self) -> bool {
        self.uri.host().is_some_and(loopback::is_host)
    }
}

/// The address in the form that the stand-in keeps it in.
pub(crate) fn as_kept(url: &str) -> Option<String> {
    url.trim().parse::<Uri>().ok().filter(|uri| uri.scheme().is_some()).map(|uri| uri.to_string())
}

/// Text as a part of a path or a query: whatever could end it is written as `%` and two digits.
pub(crate) fn segment(text: &str) -> String {
    let mut segment = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'~' => segment.push(char::from(byte)),
            // A dot too: two of them are the folder above.
            byte => {
                // Writing to a string cannot fail.
                let _ = write!(segment, "%{byte:02X}");
            }
        }
    }
    segment
}

#[cfg(test)]
mod tests {
    use super::{Address, as_kept, segment};

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
            ("http://name:sec ret@shop.example/", "not a URL"),
            ("http://name:se/cret@shop.example/", "its port is no number"),
            ("http://shop.example:99999/", "its port is no number"),
            ("name:secret@shop.example", "http:// or https:// is missing"),
        ] {
            let message = Address::parse(bad).unwrap_err().message;
            assert!(message.contains(part) && !message.contains("sec"), "{bad}: {message}");
        }
    }

    #[test]
    fn the_key_goes_over_tls_or_to_this_machine() {
        for good in
            ["http://127.0.0.1:7421", "http://localhost:7421/", "http://[::1]:1", "https://api.example"]
        {
            assert!(Address::of_api(good).is_ok(), "{good}");
        }
        for bad in ["http://shop.example", "http://192.168.0.1:7421", "http://127.0.0.1.shop.example"] {
            assert!(Address::of_api(bad).unwrap_err().message.contains("anyone on the way"), "{bad}");
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
    fn a_path_goes_below_what_the_address_has() {
        let under = |base, path| Address::of_api(base).unwrap().under(path).uri.to_string();
        assert_eq!(under("http://127.0.0.1:1", "/v1/tools"), "http://127.0.0.1:1/v1/tools");
        assert_eq!(
            under("https://x.example/api/", "/v1/logs?limit=2"),
            "https://x.example/api/v1/logs?limit=2"
        );
    }

    #[test]
    fn what_is_named_stays_one_part_of_a_path() {
        assert_eq!(segment("../a b/ü?&"), "%2E%2E%2Fa%20b%2F%C3%BC%3F%26");
        assert_eq!(segment("apr_0123"), "apr_0123");
    }

    #[test]
    fn an_endpoint_is_found_by_the_address_that_was_typed() {
        assert_eq!(as_kept(" https://shop.example ").as_deref(), Some("https://shop.example/"));
        assert_eq!(as_kept("endpoint_1"), None);
    }
}
