//! Whether a request was meant for this machine.
//!
//! Anyone can sign with the public example key, so a server that has it listens on loopback only. That does not keep a
//! page in this machine's browser out: its owner lets the page's own name stand for 127.0.0.1 once the page is loaded, and
//! the browser takes the server for the page's own (DNS rebinding). But it still sends the page's name, as `Host`.

use std::net::{Ipv4Addr, Ipv6Addr};

use http::header::{HOST, ORIGIN};
use http::{HeaderMap, HeaderValue};

/// Whether every `Host` and `Origin` of a request names this machine. Those that are not there say nothing against it: a
/// browser always sends its `Host`.
pub(crate) fn is_meant(headers: &HeaderMap) -> bool {
    let all = |name, is: fn(&str) -> bool| {
        headers.get_all(name).iter().map(HeaderValue::to_str).all(|value| value.is_ok_and(is))
    };
    all(HOST, is_loopback) && all(ORIGIN, is_origin)
}

fn is_origin(origin: &str) -> bool {
    let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    host.is_some_and(is_loopback)
}

/// `localhost`, an address of 127.0.0.0/8, or `[::1]`; with any port.
fn is_loopback(host: &str) -> bool {
    if let Some(rest) = host.strip_prefix('[') {
        let Some((address, port)) = rest.split_once(']') else { return false };
        let port = port.strip_prefix(':').unwrap_or(port);
        return is_port(port) && address.parse::<Ipv6Addr>().is_ok_and(|ip| ip.to_canonical().is_loopback());
    }
    let (name, port) = host.split_once(':').unwrap_or((host, ""));
    let is_ours =
        name.eq_ignore_ascii_case("localhost") || name.parse::<Ipv4Addr>().is_ok_and(|ip| ip.is_loopback());
    is_port(port) && is_ours
}

fn is_port(port: &str) -> bool {
    port.bytes().all(|byte| byte.is_ascii_digit())
}
