//! What is wrong behind the address: clocks, secrets, headers, bodies, manifests and times.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use median_edge::key::LOCAL_KEY;
use median_edge::{Keys, MedianKey};
use median_edge_conformance::doctor::{Credentials, Kind};

use super::{
    Fault, PROBLEM, Scene, WARNING, at, base64, behind, bodies, derived_from, diagnosed, endpoint, fault,
    healthy, late_at_first, mac, manifest, replaced, sorted, spaced, verifying,
};
use crate::front::{Inner, KEY, Reply, keys, serve};

pub(super) fn secrets() -> Vec<Fault> {
    vec![
        fault("a clock 400 s ahead", Kind::ClockSkew, PROBLEM, "seconds ahead of", || {
            endpoint(keys(), 400_000)
        }),
        fault("a clock 200 s behind", Kind::ClockSkew, WARNING, "seconds behind", || {
            endpoint(keys(), -200_000)
        }),
        fault("a clock in another time zone", Kind::ClockSkew, PROBLEM, "time zone", || {
            endpoint(keys(), 7_200_000)
        }),
        fault("a clock that only the Date header tells", Kind::ClockSkew, PROBLEM, "seconds behind", || {
            at(serve(Inner::new(keys(), -3_600_000), |asked, inner| {
                let reply = inner.answer(&asked);
                if String::from_utf8_lossy(&reply.body).contains("stale_timestamp") {
                    Reply::error(401, "stale_timestamp", "Too old.")
                } else {
                    reply
                }
            }))
        }),
        fault("a time that is read as seconds", Kind::TimeInSeconds, PROBLEM, "in seconds is taken", || {
            at(behind(|asked, inner| {
                let seconds = asked.signature().is_some_and(|(t, _)| t.len() < 13);
                if seconds {
                    inner.answer(&asked.signed_again())
                } else {
                    Reply::error(401, "stale_timestamp", "It is from the year 58000.")
                }
            }))
        }),
        fault("another key", Kind::SecretDiffers, PROBLEM, "invalid_signature", || {
            endpoint(Keys::new(MedianKey::parse("median_key_of_someone_else_entirely").unwrap()), 0)
        }),
        fault("the key before this one", Kind::SecretDiffers, PROBLEM, "MEDIAN_KEY_PREVIOUS", || Scene {
            credentials: Credentials::from_lookup(|name| match name {
                "MEDIAN_KEY" => Some(KEY.to_owned()),
                "MEDIAN_KEY_PREVIOUS" => Some("median_key_of_last_year_0123456789".to_owned()),
                _ => None,
            }),
            ..endpoint(Keys::new(MedianKey::parse("median_key_of_last_year_0123456789").unwrap()), 0)
        }),
        fault(
            "no key here, and one there",
            Kind::SecretDiffers,
            PROBLEM,
            "another key than the public one",
            || Scene { url: healthy(), credentials: Credentials::named("K", LOCAL_KEY) },
        ),
        fault(
            "a line break behind the endpoint's key",
            Kind::EndpointKeyText,
            PROBLEM,
            "a line break behind",
            || endpoint(derived_from(&format!("{KEY}\n")), 0),
        ),
        fault("quotes around the endpoint's key", Kind::EndpointKeyText, PROBLEM, "double quotes", || {
            endpoint(derived_from(&format!("\"{KEY}\"")), 0)
        }),
        fault("an endpoint that derives nothing", Kind::OtherDerivation, PROBLEM, "derives nothing", || {
            verifying(|| KEY.as_bytes().to_vec())
        }),
        fault(
            "a secret used as a text of digits",
            Kind::OtherDerivation,
            PROBLEM,
            "text of hex digits",
            || verifying(|| mac(KEY.as_bytes(), b"median-edge/tool-signing/v1").into_bytes()),
        ),
        fault(
            "a tool signing secret here only",
            Kind::OtherDerivation,
            PROBLEM,
            "here MEDIAN_TOOL_SECRET signs",
            || Scene {
                url: healthy(),
                credentials: Credentials::from_lookup(|name| match name {
                    "MEDIAN_KEY" => Some(KEY.to_owned()),
                    "MEDIAN_TOOL_SECRET" => Some("12".repeat(32)),
                    _ => None,
                }),
            },
        ),
    ]
}

pub(super) fn headers() -> Vec<Fault> {
    vec![
        fault("a proxy that drops the header", Kind::HeaderStripped, PROBLEM, "missing_signature", || {
            at(behind(|asked, inner| inner.answer(&asked.without("median-signature"))))
        }),
        fault(
            "a proxy that drops the header of calls",
            Kind::HeaderStripped,
            PROBLEM,
            "a GET is not",
            || {
                at(behind(|asked, inner| {
                    if asked.is_post() {
                        inner.answer(&asked.without("median-signature"))
                    } else {
                        inner.answer(&asked)
                    }
                }))
            },
        ),
        fault(
            "a proxy that adds the header again",
            Kind::HeaderChanged,
            PROBLEM,
            "malformed_signature",
            || {
                at(behind(|asked, inner| {
                    let value = asked.header("median-signature").unwrap_or_default().to_owned();
                    inner.answer(&asked.with("median-signature", &value))
                }))
            },
        ),
        fault(
            "a framework that cuts the header at its comma",
            Kind::HeaderChanged,
            PROBLEM,
            "malformed",
            || {
                at(behind(|asked, inner| {
                    let value = asked.header("median-signature").unwrap_or_default();
                    let value = value.split(',').next().unwrap_or_default().to_owned();
                    inner.answer(&asked.without("median-signature").with("median-signature", &value))
                }))
            },
        ),
        fault(
            "a handler that knows the lower-case name only",
            Kind::HeaderCase,
            PROBLEM,
            "Median-Signature",
            || {
                at(behind(|mut asked, inner| {
                    asked.headers.retain(|(name, _)| name == "median-signature");
                    inner.answer(&asked)
                }))
            },
        ),
        fault(
            "a handler that knows the capital name only",
            Kind::HeaderCase,
            PROBLEM,
            "Median-Signature",
            || {
                at(behind(|mut asked, inner| {
                    asked.headers.retain(|(name, _)| name == "Median-Signature");
                    inner.answer(&asked)
                }))
            },
        ),
        fault("a limit for the length of a header", Kind::HeaderLong, WARNING, "431", || {
            at(behind(|asked, inner| match asked.header("median-signature").unwrap_or_default().len() {
                0..=256 => inner.answer(&asked),
                _ => Reply::page(431, "Request Header Fields Too Large"),
            }))
        }),
    ]
}

pub(super) fn body() -> Vec<Fault> {
    vec![
        fault("a gateway that hands over base64", Kind::BodyBase64, PROBLEM, "in base64", || {
            at(behind(|asked, inner| {
                // It verifies the text, and decodes afterwards.
                let right = asked.signature().is_some_and(|(t, v1)| {
                    let secret = MedianKey::parse(KEY).unwrap().tool_secret();
                    let text = if asked.is_post() { base64(&asked.body) } else { String::new() };
                    secret.signature_over(t, text.as_bytes()) == v1
                });
                let asked = if right { asked.signed_again() } else { asked };
                if right || !asked.is_post() {
                    inner.answer(&asked)
                } else {
                    Reply::error(401, "invalid_signature", "No signature matches.")
                }
            }))
        }),
        fault("a body parser that used up the stream", Kind::BodyNotRead, PROBLEM, "an empty body", || {
            bodies(|_| Vec::new())
        }),
        fault(
            "JSON parsed and written again, with spaces",
            Kind::BodyReserialized,
            PROBLEM,
            "a space behind each",
            || bodies(|body| spaced(&body, true)),
        ),
        fault(
            "JSON parsed and written again, without spaces",
            Kind::BodyReserialized,
            WARNING,
            "as JavaScript",
            || bodies(|body| spaced(&body, false)),
        ),
        fault("JSON parsed into a sorted map", Kind::BodyReserialized, PROBLEM, "members sorted", || {
            bodies(sorted)
        }),
        fault("a body that is trimmed", Kind::BodyTrimmed, WARNING, "without the white space", || {
            bodies(|body| body.trim_ascii().to_vec())
        }),
        fault("a body with a line break added", Kind::BodyTrimmed, PROBLEM, "a line break behind it", || {
            bodies(|body| [&body[..], b"\n"].concat())
        }),
        fault("a body that is read by lines", Kind::BodyLineEnds, WARNING, "line ends of Unix", || {
            bodies(|body| replaced(&body, b"\r\n", b"\n"))
        }),
        fault("a body that is read as Latin-1", Kind::BodyCharset, PROBLEM, "read as Latin-1", || {
            bodies(|body| body.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes())
        }),
        fault("a gateway that hands over text", Kind::BodyCharset, WARNING, "U+FFFD", || {
            bodies(|body| String::from_utf8_lossy(&body).into_owned().into_bytes())
        }),
        fault("a decoder that drops the byte order mark", Kind::BodyMark, WARNING, "byte order mark", || {
            bodies(|body| body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&body).to_vec())
        }),
        fault("a body that is decoded like a form", Kind::BodyUrl, PROBLEM, "like a form", || {
            bodies(|body| replaced(&replaced(&body, b"+", b" "), b"%25", b"%"))
        }),
        fault("a front that unpacks bodies", Kind::BodyDecompressed, WARNING, "unpacked", || {
            at(behind(|mut asked, inner| {
                if asked.header("content-encoding").is_some() {
                    asked = asked.without("content-encoding");
                    asked.body = br#"{"op":"medianEdgeCheckNobody"}"#.to_vec();
                }
                inner.answer(&asked)
            }))
        }),
        fault("a front that changes bodies somehow", Kind::BodyChanged, PROBLEM, "Every signed body", || {
            bodies(|body| [b"x", &body[..]].concat())
        }),
        fault("a firewall that reads bodies", Kind::BodyBlocked, PROBLEM, "403", || {
            at(behind(|asked, inner| {
                if asked.has("<script>") { Reply::page(403, "Access denied") } else { inner.answer(&asked) }
            }))
        }),
        fault("a handler that fails on what is not UTF-8", Kind::BodyBlocked, WARNING, "500", || {
            at(behind(|asked, inner| {
                if std::str::from_utf8(&asked.body).is_err() && asked.header("content-encoding").is_none() {
                    Reply::page(500, "UnicodeDecodeError")
                } else {
                    inner.answer(&asked)
                }
            }))
        }),
        fault("a limit of 64 KB", Kind::BodyLimit, WARNING, "413", || {
            at(behind(|asked, inner| match asked.body.len() {
                0..=65_536 => inner.answer(&asked),
                _ => Reply::page(413, "Payload Too Large"),
            }))
        }),
        fault("a large body that is cut", Kind::BodyLimit, PROBLEM, "100 KB", || {
            bodies(|mut body| {
                body.truncate(65_536);
                body
            })
        }),
    ]
}

pub(super) fn the_rest() -> Vec<Fault> {
    vec![
        fault("a manifest with a risk that is none", Kind::ManifestRefused, PROBLEM, "risky", || {
            manifest(|reply| reply.replaced("\"low\"", "\"risky\""))
        }),
        fault("a manifest of another version", Kind::ManifestRefused, PROBLEM, "version", || {
            manifest(|reply| reply.replaced("\"version\":1", "\"version\":2"))
        }),
        fault("a tool without a description", Kind::ManifestDoubtful, WARNING, "description", || {
            manifest(|reply| reply.replaced("Look up the status of an order.", " "))
        }),
        fault("18 tools", Kind::ManifestLimit, WARNING, "18 of 20 tools", || {
            manifest(|mut reply| {
                let tools: Vec<_> = (0..18)
                    .map(|n| format!(r#"{{"name":"t{n}","description":"d","risk":"low","inputSchema":{{"type":"object","properties":{{}},"additionalProperties":false}}}}"#))
                    .collect();
                reply.body = format!(r#"{{"version":1,"tools":[{}]}}"#, tools.join(",")).into_bytes();
                reply
            })
        }),
        fault(
            "a front that lets caches keep answers",
            Kind::AnswerHeaders,
            WARNING,
            "public, max-age=60",
            || at(behind(|asked, inner| inner.answer(&asked).with("cache-control", "public, max-age=60"))),
        ),
        fault("a first answer that takes long", Kind::ColdStart, WARNING, "started for this", late_at_first),
        fault("a server that is slow each time", Kind::Slow, PROBLEM, "not everything was looked at", || {
            at(behind(|asked, inner| {
                thread::sleep(Duration::from_millis(60));
                inner.answer(&asked)
            }))
        }),
        fault("a server that falls silent", Kind::NoAnswer, PROBLEM, "answered at first", || {
            let count = AtomicUsize::new(0);
            at(behind(move |asked, inner| {
                if count.fetch_add(1, Ordering::Relaxed) > 4 {
                    thread::sleep(Duration::from_secs(20));
                }
                inner.answer(&asked)
            }))
        }),
        fault("a manifest that takes too long", Kind::Slow, PROBLEM, "the platform waits", late_at_first),
        fault(
            "diagnostics that are too long",
            Kind::DiagnosticsTrouble,
            WARNING,
            "2000 that are kept",
            || {
                diagnosed(|| {
                    Reply::new(200, "application/json", format!(r#"{{"result":"{}"}}"#, "x".repeat(3_000)))
                })
            },
        ),
        fault("diagnostics that fail", Kind::DiagnosticsTrouble, PROBLEM, "execution_failed", || {
            diagnosed(|| Reply::error(200, "execution_failed", "The database is gone."))
        }),
    ]
}
