//! Whether bodies arrive byte for byte: signed bodies whose bytes change under what typical proxies and frameworks do.
//!
//! None of them runs a tool: each calls one, or asks for an operation, that nobody has.

use super::finding::{Finding, Kind};
use super::guess::{GUESSES, Guess, PACKED};
use super::patient::{Patient, Said, call, call_with, lets_in};
use super::reach;
use crate::plan::Plan;
use crate::probe::{Exchange, beside};

/// So many changed bodies are looked into without an explanation; then it is enough.
const PATIENCE: usize = 4;

/// The size that a call may have at least.
const LARGE: usize = 100_000;

struct Case {
    /// What is in the body.
    what: &'static str,
    plan: Plan,
    /// Whether the platform's calls may be like this: it writes JSON as JavaScript does.
    usual: bool,
    /// What it most likely means when it is changed and nothing explains how.
    likely: Kind,
}

fn cases() -> Vec<Case> {
    let usual = |what, plan, likely| Case { what, plan, usual: true, likely };
    let other = |what, body: Vec<u8>, likely| Case { what, plan: Plan::post(body), usual: false, likely };
    let json = |json: &str| beside(json).into_bytes();
    let typed = |kind| {
        let plan = call("check").without_headers();
        plan.header("content-type", kind)
    };
    vec![
        usual("plain text", call("check"), Kind::BodyChanged),
        usual("accents, emoji and other scripts", call("Zoë 漢字 😀"), Kind::BodyCharset),
        usual("letters with combining marks", call("Zoe\u{308}"), Kind::BodyCharset),
        usual("the characters < > & ' / and \"", call("<b>'a' & \"b\"</b>"), Kind::BodyReserialized),
        usual("U+2028", call("a\u{2028}b"), Kind::BodyReserialized),
        usual("line breaks and control characters", call("a\n\u{1}b"), Kind::BodyReserialized),
        usual("+, % and =", call("100%25 a+b&c=d"), Kind::BodyUrl),
        usual("half an emoji", call_with(r#"{"text":"\ud83d"}"#), Kind::BodyReserialized),
        usual("numbers", call_with(r#"{"a":0.1,"b":1e+21,"c":-5}"#), Kind::BodyReserialized),
        usual("members in no order", call_with(r#"{"b":"1","a":"2"}"#), Kind::BodyReserialized),
        usual(
            "text that looks like an attack",
            call("<script>alert(1)</script> ' OR 1=1; -- ../../etc/passwd"),
            Kind::BodyChanged,
        ),
        usual("100 KB", call(&"x".repeat(LARGE)), Kind::BodyLimit),
        Case {
            usual: false,
            ..usual("a charset in its type", typed("application/json; charset=utf-8"), Kind::BodyBase64)
        },
        other(
            "spaces between tokens",
            b"{ \"op\" : \"medianEdgeCheckNobody\" }".to_vec(),
            Kind::BodyReserialized,
        ),
        other("a line break at its end", [UNKNOWN, b"\n"].concat(), Kind::BodyTrimmed),
        other("a space at its start", [b" ", UNKNOWN].concat(), Kind::BodyTrimmed),
        other("line ends of Windows", [b"{\r\n", &UNKNOWN[1..]].concat(), Kind::BodyLineEnds),
        other("numbers like 1.0 and 1e2", json("[1.0,1e2]"), Kind::BodyReserialized),
        other("escaped letters", json(r#""\u00e9\/""#), Kind::BodyReserialized),
        other("a member that is there twice", json(r#"1,"medianEdgeCheck":2"#), Kind::BodyReserialized),
        other("a byte order mark", ["\u{feff}".as_bytes(), UNKNOWN].concat(), Kind::BodyMark),
        other("bytes that are not UTF-8", [UNKNOWN, b"\xff\xfe"].concat(), Kind::BodyCharset),
        Case {
            plan: Plan::post(PACKED).header("content-encoding", "gzip"),
            ..other("gzip", Vec::new(), Kind::BodyDecompressed)
        },
    ]
}

const UNKNOWN: &[u8] = crate::probe::UNKNOWN_OP.as_bytes();

/// What came of one body.
enum Fate {
    Intact,
    /// It was changed: into what, when that is known.
    Changed(Option<&'static Guess>),
    /// Something else than the endpoint turned it away.
    Blocked(Box<Exchange>),
}

/// Tells whether an ordinary `POST` gets in.
pub(super) fn look(patient: &mut Patient, findings: &mut Vec<Finding>) -> bool {
    let cases = cases();
    let mut fates: Vec<(&Case, Fate)> = Vec::new();
    let mut known: Vec<&'static Guess> = Vec::new();
    let mut unexplained = 0;
    for case in &cases {
        let exchange = patient.send(case.plan.clone());
        let fate = match exchange.said() {
            Said::Code("invalid_signature", _) => {
                let guess = (unexplained < PATIENCE).then(|| explain(patient, case, &known)).flatten();
                match guess {
                    Some(guess) => known.insert(0, guess),
                    None => unexplained += 1,
                }
                Fate::Changed(guess)
            }
            Said::Code(code, _) if lets_in(code) => Fate::Intact,
            Said::Code(code, message) if fates.is_empty() => {
                findings.push(match code {
                    "missing_signature" => super::header::missing_on_post(),
                    "malformed_signature" => super::header::malformed(message),
                    _ => reach::ill(code, message, "POST"),
                });
                return false;
            }
            _ if fates.is_empty() => {
                findings.extend(reach::not_the_endpoint(patient, &exchange));
                return false;
            }
            _ => Fate::Blocked(Box::new(exchange)),
        };
        fates.push((case, fate));
    }
    report(&fates, findings);
    matches!(fates.first(), Some((_, Fate::Intact)))
}

/// Finds what the endpoint verifies in the place of a body.
fn explain(patient: &mut Patient, case: &Case, known: &[&'static Guess]) -> Option<&'static Guess> {
    let mut guesses: Vec<&'static Guess> = known.to_vec();
    guesses.extend(GUESSES);
    guesses.into_iter().find(|guess| {
        let changed = (guess.make)(&case.plan.body).filter(|changed| *changed != case.plan.body);
        changed.is_some_and(|changed| patient.send(case.plan.clone().over(changed)).is_let_in())
    })
}

fn report(fates: &[(&Case, Fate)], findings: &mut Vec<Finding>) {
    let before = findings.len();
    // Where plain text is changed, and nobody knows how, the others say nothing of their own; and what JSON writers do to
    // odd bodies has no end.
    let is_unknown = matches!(fates.first(), Some((_, Fate::Changed(None))));
    let is_rewritten = fates
        .iter()
        .any(|(_, fate)| matches!(fate, Fate::Changed(Some(guess)) if guess.kind == Kind::BodyReserialized));
    let mut kinds: Vec<(Kind, Vec<&Case>, Vec<&'static str>)> = Vec::new();
    for (case, fate) in fates {
        if let Fate::Changed(guess) = fate {
            let likely = if is_unknown {
                Kind::BodyChanged
            } else if is_rewritten {
                Kind::BodyReserialized
            } else {
                case.likely
            };
            let kind = guess.map_or(likely, |guess| guess.kind);
            let at = kinds.iter().position(|(other, ..)| *other == kind).unwrap_or_else(|| {
                kinds.push((kind, Vec::new(), Vec::new()));
                kinds.len() - 1
            });
            kinds[at].1.push(case);
            kinds[at].2.extend(guess.map(|guess| guess.what));
        }
    }
    for (kind, cases, ways) in &kinds {
        // Several ways may explain one body; the one that explains most is the one.
        let what = ways.iter().max_by_key(|way| ways.iter().filter(|other| other == way).count());
        findings.push(changed(*kind, what.copied(), cases, fates.len()));
    }
    for (case, fate) in fates {
        if let Fate::Blocked(exchange) = fate {
            findings.push(blocked(case, exchange));
        }
    }
    if findings.len() == before {
        findings.push(Finding::good(
            Kind::Body,
            format!("{} bodies that change under typical proxies arrive byte for byte.", fates.len()),
        ));
    }
}

fn changed(kind: Kind, what: Option<&str>, cases: &[&Case], all: usize) -> Finding {
    let mut seen = match cases.len() {
        count if count == all => {
            "Every signed body is refused as invalid_signature, and a GET is not.".to_owned()
        }
        count => {
            let which: Vec<_> = cases.iter().map(|case| case.what).collect();
            format!("Of {all} bodies, {count} refused as invalid_signature: {}.", which.join("; "))
        }
    };
    if let Some(what) = what {
        seen = format!("{seen} The endpoint takes a signature over {what}.");
    }
    if cases.iter().any(|case| case.usual) {
        return Finding::problem(kind, seen, advice(kind));
    }
    seen += " The platform is not known to send such bodies.";
    Finding::warning(kind, seen, advice(kind))
}

fn advice(kind: Kind) -> &'static str {
    match kind {
        Kind::BodyBase64 => {
            "Decode the body before it is verified when the event says isBase64Encoded. On API Gateway v1, see \
             binaryMediaTypes."
        }
        Kind::BodyNotRead => {
            "Read the raw body before anything else does: a body parser, or a logger, has used up the stream, or the \
             gateway does not pass it on."
        }
        Kind::BodyReserialized => {
            "Verify the bytes as they came, and read the JSON afterwards: take the raw body (express.raw, request.text(), \
             request.get_data()), not what a parser made of it; and take out mappings of the gateway."
        }
        Kind::BodyTrimmed | Kind::BodyLineEnds => {
            "Verify the bytes as they came: look for trim(), for reading by lines, or for a file that the body goes through."
        }
        Kind::BodyCharset | Kind::BodyMark => {
            "Verify bytes, not text: take the body as a buffer, without a charset, and decode it afterwards. Where a gateway \
             hands it over as text, have it passed as binary."
        }
        Kind::BodyUrl => {
            "Do not read the body as a form: take the raw body, and turn off form decoding for this path."
        }
        Kind::BodyDecompressed => {
            "Turn off decompression of requests for this path, or refuse a Content-Encoding: the platform signs what it sends."
        }
        Kind::BodyLimit => {
            "Raise the limit for bodies on the way, and see that a large body is not cut there."
        }
        _ => {
            "Log the length and the SHA-256 of the body where it is verified, and compare both with what is sent. Look at \
             parsers in front of the endpoint, mappings of the gateway, and workers that touch the body."
        }
    }
}

fn blocked(case: &Case, exchange: &Exchange) -> Finding {
    let seen = format!("A body with {} is answered {}", case.what, exchange.shown());
    let is_limit = exchange.status() == Some(413) || case.likely == Kind::BodyLimit;
    let (kind, advice) = match exchange.status() {
        Some(429) => (
            Kind::Blocked,
            "Take the endpoint's path out of the rate limit: the platform's calls come in bursts too.",
        ),
        _ if is_limit => (Kind::BodyLimit, advice(Kind::BodyLimit)),
        Some(500..) => (
            Kind::BodyBlocked,
            "Look at the application's log: it fails on such a body before the endpoint has seen it.",
        ),
        _ => (
            Kind::BodyBlocked,
            "Take the endpoint's path out of the firewall's rules for bodies: the signature says who wrote them.",
        ),
    };
    if case.usual && !is_limit {
        Finding::problem(kind, seen, advice)
    } else {
        Finding::warning(kind, seen, advice)
    }
}
