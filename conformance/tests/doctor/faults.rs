//! For each finding something faulty that shows it.

mod signed;

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use hmac::{Hmac, KeyInit as _, Mac as _};
use median_edge::key::LOCAL_KEY;
use median_edge::{Keys, MedianKey};
use median_edge_conformance::doctor::{Credentials, Kind, Level};
use sha2::Sha256;

use crate::front::{Asked, Inner, KEY, Reply, keys, raw, read, serve};

/// Something faulty, and what there is to find.
#[derive(Clone, Copy)]
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) level: Level,
    /// What else follows from it.
    pub(crate) also: &'static [Kind],
    /// A text in what was seen, or in what is to be done.
    pub(crate) says: &'static str,
    pub(crate) scene: fn() -> Scene,
}

/// Where to look, and with what.
pub(crate) struct Scene {
    pub(crate) url: String,
    pub(crate) credentials: Credentials,
}

fn own() -> Credentials {
    Credentials::named("MEDIAN_KEY", KEY)
}

/// With the right key.
fn at(url: String) -> Scene {
    Scene { url, credentials: own() }
}

/// A healthy endpoint, and a key of ours that is not.
fn with_key(text: &str) -> Scene {
    Scene { url: healthy(), credentials: Credentials::named("MEDIAN_KEY", text) }
}

pub(crate) fn healthy() -> String {
    behind(|asked, inner| inner.answer(&asked))
}

/// A front with a healthy endpoint behind it.
fn behind(front: impl Fn(Asked, &Inner) -> Reply + Send + Sync + 'static) -> String {
    serve(Inner::new(keys(), 0), front) + "/api/median"
}

/// An endpoint that has other keys, or another clock.
fn endpoint(keys: Keys, clock_off_ms: i64) -> Scene {
    at(serve(Inner::new(keys, clock_off_ms), |asked, inner| inner.answer(&asked)))
}

/// What always answers the same.
fn always(reply: fn() -> Reply) -> Scene {
    at(behind(move |_, _| reply()))
}

/// What does something to bodies on their way.
fn bodies(change: fn(Vec<u8>) -> Vec<u8>) -> Scene {
    at(behind(move |mut asked, inner| {
        if asked.is_post() {
            asked.body = change(asked.body);
        }
        inner.answer(&asked)
    }))
}

/// An endpoint that makes its secret in a way of its own.
fn verifying(secret: fn() -> Vec<u8>) -> Scene {
    at(behind(move |asked, inner| {
        let right = asked.signature().is_some_and(|(t, v1)| {
            let body: &[u8] = if asked.is_post() { &asked.body } else { b"" };
            mac(&secret(), &[t.as_bytes(), b".", body].concat()) == v1
        });
        if right || asked.signature().is_none() {
            inner.answer(&if right { asked.signed_again() } else { asked })
        } else {
            Reply::error(401, "invalid_signature", "No signature matches.")
        }
    }))
}

fn mac(key: &[u8], message: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(message);
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

/// The keys of an endpoint that derives its secret from a text as it is.
fn derived_from(text: &str) -> Keys {
    let secret = mac(text.as_bytes(), b"median-edge/tool-signing/v1");
    Keys::from_lookup(|name| (name == "MEDIAN_TOOL_SECRET").then(|| secret.clone()))
}

/// The manifest is another one.
fn manifest(change: fn(Reply) -> Reply) -> Scene {
    at(behind(move |asked, inner| {
        let reply = inner.answer(&asked);
        let is_manifest = asked.method == "GET" && reply.status == 200;
        if is_manifest { change(reply) } else { reply }
    }))
}

/// The first answer comes late.
fn late_at_first() -> Scene {
    let count = AtomicUsize::new(0);
    at(behind(move |asked, inner| {
        if count.fetch_add(1, Ordering::Relaxed) == 0 {
            thread::sleep(Duration::from_millis(400));
        }
        inner.answer(&asked)
    }))
}

/// The healthy endpoint at an address that is not loopback, and reaches this machine all the same.
fn elsewhere(url: &str) -> String {
    url.replace("127.0.0.1", "0.0.0.0")
}

fn nobody() -> String {
    // A port that was just free.
    format!("http://{}/", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap())
}

/// White space outside of strings is another: none, or one behind each comma and colon.
fn spaced(body: &[u8], space: bool) -> Vec<u8> {
    let (mut inside, mut escaped) = (false, false);
    let mut out = Vec::new();
    for &byte in body {
        let blank = !inside && byte.is_ascii_whitespace();
        inside ^= byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        if !blank {
            out.push(byte);
        }
        if space && !inside && matches!(byte, b',' | b':') {
            out.push(b' ');
        }
    }
    out
}

fn sorted(body: Vec<u8>) -> Vec<u8> {
    serde_json::from_slice::<serde_json::Value>(&body).map_or(body, |value| value.to_string().into_bytes())
}

fn replaced(body: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(from) {
            out.extend(to);
            rest = after;
        } else {
            out.push(rest[0]);
            rest = &rest[1..];
        }
    }
    out
}

const PROBLEM: Level = Level::Problem;
const WARNING: Level = Level::Warning;

const fn fault(
    name: &'static str,
    kind: Kind,
    level: Level,
    says: &'static str,
    scene: fn() -> Scene,
) -> Fault {
    Fault { name, kind, level, also: &[], says, scene }
}

const fn also(fault: Fault, also: &'static [Kind]) -> Fault {
    Fault { also, ..fault }
}

pub(crate) fn all() -> Vec<Fault> {
    let all = [
        key(),
        reach(),
        in_its_place(),
        of_itself(),
        signed::secrets(),
        signed::headers(),
        signed::body(),
        signed::the_rest(),
    ];
    all.concat()
}

fn key() -> Vec<Fault> {
    vec![
        also(
            fault("no key here", Kind::KeyAbsent, WARNING, "public key of local development", || Scene {
                url: healthy(),
                credentials: Credentials::from_lookup(|_| None),
            }),
            &[Kind::SecretDiffers],
        ),
        fault("an empty key file", Kind::KeyAbsent, PROBLEM, "is empty", || with_key("\n")),
        fault("a key with a line break", Kind::KeyWhiteSpace, WARNING, "a line break behind the key", || {
            with_key(&format!("{KEY}\n"))
        }),
        fault("a key in quotes", Kind::KeyQuotes, PROBLEM, "quotation marks", || {
            with_key(&format!("\"{KEY}\""))
        }),
        fault("the public half", Kind::KeyPublicHalf, PROBLEM, "median_pk_", || {
            with_key("median_pk_0123456789")
        }),
        fault("a key that was cut", Kind::KeyForm, PROBLEM, "characters", || with_key("median_key_short")),
        fault("an env line as the key", Kind::KeyForm, PROBLEM, "a whole line", || {
            with_key(&format!("MEDIAN_KEY={KEY}"))
        }),
        also(
            fault(
                "the example key for another machine",
                Kind::KeyPublic,
                PROBLEM,
                "not this machine's",
                || Scene {
                    url: elsewhere(&serve(Inner::new(Keys::new(MedianKey::local()), 0), |asked, inner| {
                        inner.answer(&asked)
                    })),
                    credentials: Credentials::named("MEDIAN_KEY", LOCAL_KEY),
                },
            ),
            &[Kind::PlainHttp],
        ),
        fault("an endpoint with the example key", Kind::KeyPublic, PROBLEM, "public example key", || {
            endpoint(Keys::new(MedianKey::local()), 0)
        }),
    ]
}

fn reach() -> Vec<Fault> {
    vec![
        fault("a host without an address", Kind::UnknownHost, PROBLEM, "nobody.invalid", || {
            at("https://nobody.invalid/".to_owned())
        }),
        fault("a port where nothing listens", Kind::Refused, PROBLEM, "nothing listens", || at(nobody())),
        fault("https on a port of http", Kind::NotSecure, PROBLEM, "no secure connection", || {
            at(healthy().replace("http:", "https:"))
        }),
        fault("a server that never answers", Kind::NoAnswer, PROBLEM, "No answer within", || {
            at(raw(|_stream| thread::sleep(Duration::from_secs(20))))
        }),
        fault("a server that never answers calls", Kind::NoAnswer, PROBLEM, "a POST is not", || {
            at(behind(|asked, inner| {
                if asked.is_post() {
                    thread::sleep(Duration::from_secs(20));
                }
                inner.answer(&asked)
            }))
        }),
        fault("a server that hangs up", Kind::Closed, PROBLEM, "closed", || {
            at(raw(|mut stream| {
                let _ = read(&mut stream);
            }))
        }),
        fault("a server of another protocol", Kind::NotHttp, PROBLEM, "not an HTTP answer", || {
            at(raw(|mut stream| {
                let _ = stream.write_all(b"SSH-2.0-OpenSSH_9.9\r\n\r\n");
                let _ = stream.read(&mut [0; 4096]);
            }))
        }),
        fault("an address that no packet reaches", Kind::Unreachable, PROBLEM, "no connection", || {
            at("http://255.255.255.255:9/".to_owned())
        }),
        fault("http to another machine", Kind::PlainHttp, WARNING, "http://", || at(elsewhere(&healthy()))),
    ]
}

fn in_its_place() -> Vec<Fault> {
    vec![
        fault("a redirect to a slash", Kind::Redirect, PROBLEM, "keeps the method", || {
            at(behind(|asked, inner| {
                if asked.path.ends_with('/') {
                    inner.answer(&asked)
                } else {
                    Reply::redirect(308, &format!("{}/", asked.path))
                }
            }))
        }),
        also(
            fault("a redirect to https", Kind::Redirect, PROBLEM, "GET without the body", || {
                at(behind(|asked, _| {
                    let host = asked.header("host").unwrap_or_default();
                    Reply::redirect(301, &format!("https://{host}{}", asked.path))
                }))
            }),
            &[Kind::NotSecure],
        ),
        fault("a redirect in a circle", Kind::Redirect, PROBLEM, "in a circle", || {
            at(behind(|asked, _| match asked.path.strip_suffix('/') {
                Some(path) => Reply::redirect(308, path),
                None => Reply::redirect(308, &format!("{}/", asked.path)),
            }))
        }),
        fault("a redirect of calls only", Kind::Redirect, PROBLEM, "/elsewhere", || {
            at(behind(|asked, inner| {
                if asked.is_post() { Reply::redirect(302, "/elsewhere") } else { inner.answer(&asked) }
            }))
        }),
        fault("a redirect to another host", Kind::Redirect, PROBLEM, "www.shop.example", || {
            always(|| Reply::redirect(301, "https://www.shop.example/api/median"))
        }),
        fault("single sign-on", Kind::Login, PROBLEM, "sso.example", || {
            always(|| Reply::redirect(302, "https://sso.example/login?to=x"))
        }),
        fault("basic authentication", Kind::Login, PROBLEM, "401", || {
            always(|| Reply::page(401, "Authorization required"))
        }),
        fault("a page with a login", Kind::Login, PROBLEM, "200", || {
            always(|| Reply::page(200, "<form>Log in to continue</form>"))
        }),
        fault("a firewall", Kind::Blocked, PROBLEM, "403", || always(|| Reply::page(403, "Access denied"))),
        fault("a rate limit", Kind::Blocked, PROBLEM, "429", || always(|| Reply::page(429, "Slow down"))),
        fault("a path of a framework", Kind::NotFound, PROBLEM, "404", || {
            always(|| Reply::page(404, "This page could not be found"))
        }),
        fault("a path beside the mount path", Kind::NotFound, PROBLEM, "not_found", || {
            always(|| Reply::error(404, "not_found", "There is nothing here."))
        }),
        fault("static hosting", Kind::MethodRefused, PROBLEM, "405", || {
            at(behind(
                |asked, inner| {
                    if asked.is_post() { Reply::page(405, "Not Allowed") } else { inner.answer(&asked) }
                },
            ))
        }),
        fault("a front that changes the method", Kind::MethodRefused, PROBLEM, "method_not_allowed", || {
            at(behind(|mut asked, inner| {
                "HEAD".clone_into(&mut asked.method);
                let reply = inner.answer(&asked);
                Reply { body: Reply::error(405, "method_not_allowed", "This is HEAD.").body, ..reply }
            }))
        }),
        fault("a gateway without an application", Kind::Gateway, PROBLEM, "502", || {
            always(|| Reply::page(502, "Bad Gateway"))
        }),
        fault("the page of a single-page application", Kind::NotAnEndpoint, PROBLEM, "200", || {
            always(|| Reply::page(200, "Welcome"))
        }),
        fault("answers that are compressed unasked", Kind::NotAnEndpoint, PROBLEM, "200", || {
            always(|| Reply::new(200, "application/json", [31, 139, 8, 0]).with("content-encoding", "gzip"))
        }),
    ]
}

/// What the endpoint itself says, or lets in.
fn of_itself() -> Vec<Fault> {
    vec![
        fault("an endpoint without a key", Kind::EndpointKey, PROBLEM, "missing_secret", || {
            endpoint(Keys::missing(), 0)
        }),
        fault("an endpoint with the public half", Kind::EndpointKey, PROBLEM, "invalid_median_key", || {
            endpoint(Keys::from_lookup(|name| (name == "MEDIAN_KEY").then(|| "median_pk_1".to_owned())), 0)
        }),
        fault("an endpoint that was not built", Kind::EndpointConfig, PROBLEM, "two tools", || {
            always(|| Reply::error(500, "invalid_config", "There are two tools named a."))
        }),
        fault("a server that is full", Kind::EndpointConfig, PROBLEM, "overloaded", || {
            always(|| Reply::error(503, "overloaded", "Try later."))
        }),
        fault(
            "an endpoint that verifies nothing",
            Kind::Unprotected,
            PROBLEM,
            "wrong signature gets in",
            || at(behind(|asked, inner| inner.answer(&asked.signed_again()))),
        ),
        fault("a cache that keeps the manifest", Kind::Unprotected, PROBLEM, "age: 12", || {
            at(behind(|asked, inner| {
                if asked.is_post() {
                    inner.answer(&asked)
                } else {
                    inner.answer(&asked.signed_again()).with("age", "12")
                }
            }))
        }),
    ]
}

fn diagnosed(reply: fn() -> Reply) -> Scene {
    at(behind(move |asked, inner| if asked.has("\"diagnostics\"") { reply() } else { inner.answer(&asked) }))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits = bytes.iter().map(|byte| format!("{byte:08b}")).collect::<Vec<_>>().concat();
    let sixes = bits.as_bytes().chunks(6).map(|six| {
        let six = format!("{:0<6}", String::from_utf8_lossy(six));
        char::from(DIGITS[usize::from_str_radix(&six, 2).unwrap()])
    });
    let mut text: String = sixes.collect();
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}
