//! Which hosts are this machine itself. What is sent to one passes no network; a request that names one was meant for it.
//!
//! One reading for all: the servers that answer only their own machine, and the clients that send a key over plain HTTP to no
//! other. A name is this machine's only when nobody else can give it an address: `localhost`, an address of 127.0.0.0/8, or
//! `::1`.

use core::net::{Ipv4Addr, Ipv6Addr};

#[cfg(feature = "http")]
use http::header::{HOST, HeaderMap, HeaderValue, ORIGIN};

/// Whether a host is this machine: a name or an address, an address of IPv6 with its brackets or without.
///
/// ```
/// use median_edge::loopback::is_host;
///
/// assert!(is_host("localhost") && is_host("127.0.0.1") && is_host("[::1]"));
/// assert!(!is_host("localhost.example") && !is_host("0.0.0.0"));
/// ```
pub fn is_host(host: &str) -> bool {
    let address = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<Ipv4Addr>().is_ok_and(|ip| ip.is_loopback())
        || address.parse::<Ipv6Addr>().is_ok_and(|ip| ip.to_canonical().is_loopback())
}

/// Whether what stands in a `Host` header is this machine, with any port or none. An address of IPv6 has its brackets there.
pub fn is_authority(authority: &str) -> bool {
    let end =
        if authority.starts_with('[') { authority.find(']').map(|at| at + 1) } else { authority.find(':') };
    let (host, port) = authority.split_at(end.unwrap_or(authority.len()));
    let is_port = port.is_empty()
        || port.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    is_port && is_host(host)
}

/// Whether what stands in an `Origin` header is a page of this machine.
pub fn is_origin(origin: &str) -> bool {
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    authority.is_some_and(is_authority)
}

/// Whether every `Host` and `Origin` of a request names this machine. Those that are not there say nothing against it: a
/// browser always sends its `Host`.
///
/// A server that listens on loopback alone still has the pages in this machine's browser before its door: the owner of one
/// lets its own name stand for 127.0.0.1 once it is loaded, and the browser takes the server for the page's own (DNS
/// rebinding). But it still sends that name.
#[cfg(feature = "http")]
pub fn is_named_by(headers: &HeaderMap) -> bool {
    let all = |name, is: fn(&str) -> bool| {
        headers.get_all(name).iter().map(HeaderValue::to_str).all(|value| value.is_ok_and(is))
    };
    all(HOST, is_authority) && all(ORIGIN, is_origin)
}

#[cfg(test)]
mod tests {
    use super::{is_authority, is_host, is_origin};

    #[test]
    fn this_machine_is_known_by_its_own_names_and_addresses_only() {
        for ours in [
            "localhost",
            "LOCALHOST",
            "127.0.0.1",
            "127.9.9.9",
            "::1",
            "[::1]",
            "0:0:0:0:0:0:0:1",
            "[::ffff:127.0.0.1]",
        ] {
            assert!(is_host(ours), "{ours}");
        }
        for other in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "127.1",
            "2130706433",
            "0.0.0.0",
            "10.0.0.1",
            "::",
            "[]",
            "[::1",
            "::1]",
            "[[::1]]",
            "[localhost]",
            "[127.0.0.1]",
            "::2",
            "::1%lo",
            " localhost",
        ] {
            assert!(!is_host(other), "{other}");
        }
    }

    #[test]
    fn an_authority_is_a_host_with_a_port_or_without() {
        for ours in ["localhost", "LOCALHOST:80", "127.0.0.1:7421", "127.0.0.1:", "[::1]", "[::1]:80"] {
            assert!(is_authority(ours), "{ours}");
        }
        for other in [
            "",
            ":80",
            "::1",
            "[::1]80",
            "[::1]evil",
            "[::1",
            "[::1]:x",
            "localhost:x",
            "localhost:80:80",
            "me@localhost",
            "localhost@evil.example",
            "localhost:80@evil.example",
            "localhost/",
            "localhost,evil.example",
        ] {
            assert!(!is_authority(other), "{other}");
        }
    }

    #[test]
    fn an_origin_is_a_page_of_this_machine() {
        assert!(is_origin("http://localhost:7421") && is_origin("https://[::1]"));
        for other in
            ["null", "localhost", "http://evil.example", "file://localhost", "http://localhost.evil.example"]
        {
            assert!(!is_origin(other), "{other}");
        }
    }

    #[cfg(feature = "http")]
    #[test]
    fn every_host_and_origin_has_to_name_this_machine() {
        use super::is_named_by;
        use http::header::{HOST, HeaderMap, HeaderValue, ORIGIN};

        let mut headers = HeaderMap::new();
        assert!(is_named_by(&headers), "what is not there says nothing against it");
        headers.insert(HOST, HeaderValue::from_static("127.0.0.1:1"));
        headers.insert(ORIGIN, HeaderValue::from_static("http://localhost:1"));
        assert!(is_named_by(&headers));
        headers.append(HOST, HeaderValue::from_static("evil.example"));
        assert!(!is_named_by(&headers), "the second one counts too");
        headers.insert(HOST, HeaderValue::from_bytes(b"localh\xf6st").unwrap());
        assert!(!is_named_by(&headers), "what is no text names nothing");
    }
}
