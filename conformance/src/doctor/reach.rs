//! Whether an endpoint is there, and what stands in its place when it is not.

use super::finding::{Finding, Kind};
use super::patient::{Patient, Said};
use crate::plan::Plan;
use crate::probe::Exchange;
use crate::wire::{Answer, Trouble};

/// How many redirects are followed.
const MOST_REDIRECTS: usize = 5;

/// Asks for the manifest, through redirects on the same host.
pub(super) fn knock(patient: &mut Patient, findings: &mut Vec<Finding>) -> Exchange {
    let mut visited = vec![patient.url()];
    let mut exchange = patient.send(Plan::get());
    for _ in 0..MOST_REDIRECTS {
        let from = patient.url();
        let Some(to) = exchange.answer.as_ref().ok().and_then(|answer| redirect(&from, answer)) else {
            return exchange;
        };
        if visited.contains(&to) {
            findings.push(Finding::problem(
                Kind::Redirect,
                format!("{from} leads to {to}, and so in a circle."),
                "Look at which rule adds what another takes away: a slash, www, or https. A CDN that asks the application \
                 over http makes one that insists on https go in circles.",
            ));
            return exchange;
        }
        let finding = led_away(&from, &to, exchange.status().unwrap_or_default());
        let goes_on =
            finding.kind == Kind::Redirect && host(&from) == host(&to) && !is_less_secure(&from, &to);
        findings.push(finding);
        if !goes_on || patient.move_to(&to).is_err() {
            return exchange;
        }
        visited.push(to);
        exchange = patient.send(Plan::get());
    }
    exchange
}

fn is_less_secure(from: &str, to: &str) -> bool {
    from.starts_with("https:") && to.starts_with("http:")
}

/// Where an answer leads, as a whole address.
pub(super) fn redirect(from: &str, answer: &Answer) -> Option<String> {
    let location =
        answer.header("location").filter(|_| matches!(answer.status, 301 | 302 | 303 | 307 | 308))?;
    Some(join(from, location))
}

/// What a redirect means.
pub(super) fn led_away(from: &str, to: &str, status: u16) -> Finding {
    let lower = to.to_ascii_lowercase();
    let seen = format!("{from} answers {status} and leads to {to}.");
    if host(from) != host(to)
        && ["login", "signin", "sign-in", "sso", "auth"].iter().any(|word| lower.contains(word))
    {
        return Finding::problem(Kind::Login, seen, LOGIN);
    }
    let lost = match status {
        307 | 308 => {
            "A client that follows it keeps the method and the body, and may drop the signature header."
        }
        _ => "A client that follows it sends a GET without the body.",
    };
    let advice = if is_less_secure(from, to) {
        "Let the application know that the front speaks https (X-Forwarded-Proto, or a setting for its own address): it \
         takes the request for http and makes the address itself."
            .to_owned()
    } else if without_scheme(from) == without_scheme(to) {
        format!("Connect {to}: the address has to begin with https already.")
    } else if without_scheme(from).trim_end_matches('/') == without_scheme(to).trim_end_matches('/') {
        format!("Connect {to}: the slash at the end counts. Or turn the redirect off for this path.")
    } else {
        format!(
            "Connect the address at the end, {to}, if that is the endpoint; or turn the redirect off for this path."
        )
    };
    Finding::problem(Kind::Redirect, format!("{seen} {lost}"), advice)
}

const LOGIN: &str = "Let the endpoint's path through without a login: deployment protection, an identity-aware proxy or \
    basic authentication stands in front. The endpoint checks every signature itself.";

/// Why there is no answer, as a finding.
pub(super) fn no_answer(trouble: &Trouble, is_secure: bool, method: &str) -> Finding {
    let mut seen = format!("{}.", sentence(&trouble.to_string()));
    if method == "POST" {
        seen = format!("A GET is answered, and a POST is not. {seen}");
    }
    let (kind, advice) = match trouble {
        Trouble::UnknownHost(_) => (
            Kind::UnknownHost,
            "Check the spelling of the host, its DNS record, and the network of this machine.",
        ),
        Trouble::Refused(_) => (
            Kind::Refused,
            "Start the endpoint, and compare the port and the address that it binds to: 127.0.0.1 is reached from its \
             own machine, or container, only.",
        ),
        Trouble::NotSecure(_) => (
            Kind::NotSecure,
            "Look at the certificate: its date, its names, the chain that is served with it, and whether this port \
             speaks https at all. On your own machine http will do.",
        ),
        Trouble::TimedOut(_) => (
            Kind::NoAnswer,
            "The connection is taken, so something is there: look at the application's log for what it waits for (a \
             database, a lock, a cold start), and whether the gateway reaches it.",
        ),
        Trouble::Closed if is_secure => (
            Kind::Closed,
            "Look at the application's log: it may have crashed; and whether this port speaks https at all.",
        ),
        Trouble::Closed => (
            Kind::Closed,
            "Look at the application's log: it may have crashed. A port of https closes like this on http too.",
        ),
        Trouble::NotHttp(_) if is_secure => {
            (Kind::NotHttp, "Check the port: what listens there is no web server, or it speaks HTTP/2 only.")
        }
        Trouble::NotHttp(_) => (
            Kind::NotHttp,
            "Check the port, and try https:// in front of the address: a port of https answers like this on http.",
        ),
        Trouble::Unreachable(_) | Trouble::Unable(_) => (
            Kind::Unreachable,
            "Look at the firewall and the routes to the host: packets that are dropped look like this.",
        ),
    };
    Finding::problem(kind, seen, advice)
}

/// What answers in the endpoint's place, as a finding.
pub(super) fn foreign(patient: &Patient, method: &str, answer: &Answer) -> Finding {
    let from = patient.url();
    if let Some(to) = redirect(&from, answer) {
        return led_away(&from, &to, answer.status);
    }
    let body = String::from_utf8_lossy(&answer.body).to_ascii_lowercase();
    let is_page = body.contains("<html") || body.contains("<!doctype");
    let asks_in = body.contains("log in") || body.contains("login") || body.contains("sign in");
    let seen = format!("{method} is answered {}", answer.shown());
    let (kind, advice) = match answer.status {
        401 | 407 => (Kind::Login, LOGIN),
        200 | 403 if is_page && asks_in => (Kind::Login, LOGIN),
        403 => (
            Kind::Blocked,
            "Let the endpoint's path through: look at the firewall and the bot protection of the CDN, and, for a \
             function URL of Lambda, at its resource policy (InvokeFunctionUrl and InvokeFunction for everyone).",
        ),
        406 | 429 => (
            Kind::Blocked,
            "Take the endpoint's path out of the firewall's rules and the rate limit; wait a moment before trying again.",
        ),
        404 | 410 => (
            Kind::NotFound,
            "Compare the path with the route in the application: /api/median is the usual one. A framework's own page \
             says that the deployment does not have the route.",
        ),
        405 | 501 => (
            Kind::MethodRefused,
            "Route both GET and POST to the endpoint. Static hosting takes no POST: the route has to be a function.",
        ),
        411 | 413 | 431 => (
            Kind::BodyLimit,
            "Raise the limit of what stands in front of the endpoint: it refuses a request of ordinary size.",
        ),
        500..=599 => (
            Kind::Gateway,
            "Look at the application's log, and whether it is up: this answer is not in the form of an endpoint, so it \
             comes from a gateway, or from a crash before the endpoint.",
        ),
        _ if answer.header("content-encoding").is_some_and(|coding| coding != "identity") => (
            Kind::NotAnEndpoint,
            "Turn compression off for this path: the answer is compressed although nobody asked for that.",
        ),
        _ => (
            Kind::NotAnEndpoint,
            "Check that the address is the endpoint's own, and not that of a page or another API. Single-page hosting \
             answers its page for every path that it does not know.",
        ),
    };
    Finding::problem(kind, seen, advice)
}

/// An error of the endpoint that is not about the request.
pub(super) fn ill(code: &str, message: &str, method: &str) -> Finding {
    let seen = format!("{method} is answered {code}: {message}");
    match code {
        "missing_secret" | "invalid_median_key" => Finding::problem(
            Kind::EndpointKey,
            seen,
            "Set MEDIAN_KEY where the endpoint runs, as a secret of this very deployment, whole and without quotes; then \
             deploy again. A key in a local file does not travel with the code.",
        ),
        "method_not_allowed" => Finding::problem(
            Kind::MethodRefused,
            seen,
            "Look for what changes the method on the way: a redirect or a rewrite makes a GET of a POST.",
        ),
        "not_found" => Finding::problem(
            Kind::NotFound,
            seen,
            "Compare the path of the address with the mount path of the endpoint; /api/median is the usual one.",
        ),
        "overloaded" => Finding::problem(
            Kind::EndpointConfig,
            seen,
            "Give the server more room, or make slow tools faster; then try again.",
        ),
        _ => Finding::problem(
            Kind::EndpointConfig,
            seen,
            "Do what the message says, and look at the endpoint's own log, which has the details.",
        ),
    }
}

/// Whatever keeps an answer from being the endpoint's, or nothing when it is one.
pub(super) fn not_the_endpoint(patient: &Patient, exchange: &Exchange) -> Option<Finding> {
    match exchange.said() {
        Said::Nothing(trouble) => Some(no_answer(trouble, patient.is_secure(), &exchange.ask.method)),
        Said::Foreign(answer) => Some(foreign(patient, &exchange.ask.method, answer)),
        Said::Code(..) | Said::Manifest => None,
    }
}

/// A text with a capital at its start.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

fn without_scheme(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

/// The host of an address, without its port.
fn host(url: &str) -> &str {
    let authority = without_scheme(url).split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit_once(':').filter(|(_, port)| !port.contains(']')).map_or(authority, |(host, _)| host)
}

/// A `Location`, seen from an address.
fn join(from: &str, location: &str) -> String {
    let (scheme, rest) = from.split_once("://").unwrap_or(("http", from));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let path = rest[authority.len()..].split(['?', '#']).next().unwrap_or_default();
    match location {
        whole if whole.contains("://") => whole.to_owned(),
        other if other.starts_with("//") => format!("{scheme}:{other}"),
        path if path.starts_with('/') => format!("{scheme}://{authority}{path}"),
        query if query.starts_with('?') => format!("{scheme}://{authority}{path}{query}"),
        beside => {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            format!("{scheme}://{authority}{folder}/{beside}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, host, join, led_away};

    #[test]
    fn a_location_is_seen_from_the_address() {
        let from = "http://h:1/a/b?c";
        for (location, to) in [
            ("/a/b/", "http://h:1/a/b/"),
            ("https://o/x", "https://o/x"),
            ("//o/x", "http://o/x"),
            ("?d", "http://h:1/a/b?d"),
            ("z", "http://h:1/a/z"),
        ] {
            assert_eq!(join(from, location), to);
        }
        assert_eq!((host(from), host("https://[::1]:2/"), host("https://x")), ("h", "[::1]", "x"));
    }

    #[test]
    fn a_redirect_says_which_address_to_connect() {
        let advice = |to: &str, status| led_away("http://h/a", to, status);
        assert!(led_away("https://h/a", "http://h/a", 301).advice.contains("X-Forwarded-Proto"));
        assert!(advice("https://h/a", 301).advice.contains("begin with https"));
        assert!(advice("http://h/a/", 308).advice.contains("slash"));
        assert!(advice("http://h/a/", 308).seen.contains("keeps the method"));
        assert!(advice("https://h/a", 302).seen.contains("GET without the body"));
        assert_eq!(advice("https://sso.other/login?x", 302).kind, Kind::Login);
    }
}
