//! What a `POST` may carry.

use median_edge::Code;
use median_edge::limits::DEFAULT_BODY_LIMIT;

use crate::check::{Check, POST, RAW, must, should};
use crate::plan::Plan;
use crate::probe::{Expected, NOBODY, Probe, UNKNOWN_OP, beside};
use crate::requirement::Area::Body;

/// An operation that is not known is answered as one: what is refused before it can be told apart by that.
pub(super) const OP: &str = "body-unknown-op";
/// Members that nobody reads are passed over.
pub(super) const OTHER_MEMBERS: &str = "body-other-members";

pub(crate) const CHECKS: &[Check] = &[
    must(Body, "body-not-json", "BODY-1", "A body that is not JSON is 400 invalid_body.")
        .why("Another answer, a 500 above all, sends the operator after a fault that is not there.")
        .mend("Catch the parser's error and answer 400 invalid_body.")
        .needs(&[POST])
        .send(not_json),
    must(Body, "body-not-object", "BODY-1", "JSON that is no object is 400 invalid_body.")
        .why("`null` and arrays reach code that expects members, and it fails in other ways.")
        .mend("Look at the type before the members.")
        .needs(&[POST])
        .send(not_object),
    must(Body, "body-neither", "BODY-1", "An object with neither `tool` nor `op` is 400 invalid_body.")
        .why("It is no request of the platform.")
        .mend("Answer invalid_body when both are missing.")
        .needs(&[POST])
        .send(neither),
    must(Body, "body-empty", "NOT-1", "A signed POST with an empty body is 400 invalid_body.")
        .why("The signature of a GET is good for it: it must not run anything.")
        .mend("Treat an empty body as one that is not JSON.")
        .needs(&[POST])
        .send(empty),
    must(Body, OP, "BODY-6", "An `op` that is not known is 400 unknown_op.")
        .why("The platform can tell an older endpoint from a broken one.")
        .mend("Answer unknown_op for every op but diagnostics.")
        .needs(&[POST])
        .send(unknown_op),
    should(Body, "body-op-type", "BODY-5", "An `op` that is no string is 400 invalid_body.")
        .why("It is not an operation by any name.")
        .mend("Look at the type of op; `null` counts as one too.")
        .needs(&[POST])
        .send(op_type),
    should(Body, "body-op-and-tool", "BODY-5", "`op` beside `tool` is 400 invalid_body.")
        .why("Layers that look at one of them first would run different things.")
        .mend("Refuse a body that has both.")
        .needs(&[POST])
        .send(op_and_tool),
    should(Body, "body-one-value", "BODY-2", "What follows the JSON value makes it 400 invalid_body.")
        .why("Two readers would stop at different places.")
        .mend("Use a parser that reads to the end.")
        .needs(&[POST, RAW])
        .send(one_value),
    should(Body, "body-bom", "BODY-2", "A byte order mark makes it 400 invalid_body.")
        .why("JSON has none; some readers drop it and some do not.")
        .mend("Parse the bytes as they are.")
        .needs(&[POST, RAW])
        .send(bom),
    should(Body, "body-utf8", "BODY-2", "Bytes that are not UTF-8 make it 400 invalid_body.")
        .why("Replaced by U+FFFD, they would be a text that nobody wrote.")
        .mend("Decode strictly, after the signature holds.")
        .needs(&[POST, RAW])
        .send(utf8),
    should(Body, "body-duplicates", "BODY-3", "An `op` that is given twice is 400 invalid_body.")
        .why("Of two values, one layer checks the first and the next one runs the last.")
        .mend("Use a reader that reports duplicates.")
        .needs(&[POST, RAW])
        .send(duplicates),
    should(Body, OTHER_MEMBERS, "BODY-4", "Members that the protocol does not name are ignored.")
        .why("The platform can add one without breaking every endpoint.")
        .mend("Read the members you know, and pass over the others.")
        .needs(&[OP, RAW])
        .send(other_members),
    should(Body, "body-content-type", "HTTP-7", "The request's Content-Type changes nothing.")
        .why("Fronts rewrite it; the signature says who wrote the body.")
        .mend("Read the raw body whatever the Content-Type is.")
        .needs(&[OP])
        .send(content_type),
    should(
        Body,
        "body-content-encoding",
        "HTTP-8",
        "A Content-Encoding other than identity is 400 invalid_body, named in the message.",
    )
    .why("A body that one front decompresses and another does not verifies in one place only.")
    .mend("Look at Content-Encoding once the signature holds.")
    .needs(&[OP])
    .send(content_encoding),
    should(Body, "body-cap", "HTTP-9", "A body of more than 1 MiB is 400 invalid_body, signed or not.")
        .why("A stranger's flood must not be hashed or kept.")
        .mend("Count the bytes as they arrive, and stop at the cap.")
        .needs(&[OP, RAW])
        .send(cap),
];

fn not_json(probe: &mut Probe<'_>) {
    for body in ["hello", "{", "{'op':'x'}", "{\"op\":\"x\",}", "tool=x&op=y", "{\"op\":\"a\nb\"}"] {
        probe.code(body, Plan::post(body), Code::InvalidBody);
    }
}

fn not_object(probe: &mut Probe<'_>) {
    for body in ["[]", "null", "true", "7", "\"diagnostics\"", "[{\"op\":\"diagnostics\"}]"] {
        probe.code(body, Plan::post(body), Code::InvalidBody);
    }
}

fn neither(probe: &mut Probe<'_>) {
    for body in ["{}", "{\"input\":{}}", "{\"Op\":\"diagnostics\"}"] {
        probe.code(body, Plan::post(body), Code::InvalidBody);
    }
}

fn empty(probe: &mut Probe<'_>) {
    probe.code("no body", Plan::post(""), Code::InvalidBody);
}

fn unknown_op(probe: &mut Probe<'_>) {
    for op in [NOBODY, "Diagnostics", " diagnostics", ""] {
        probe.code(&format!("op {op:?}"), Plan::post(format!("{{\"op\":\"{op}\"}}")), Code::UnknownOp);
    }
}

fn op_type(probe: &mut Probe<'_>) {
    for op in ["7", "null", "true", "[\"diagnostics\"]", "{}"] {
        probe.code(&format!("op {op}"), Plan::post(format!("{{\"op\":{op}}}")), Code::InvalidBody);
    }
}

fn op_and_tool(probe: &mut Probe<'_>) {
    let call = probe.call_to_nobody();
    let both = call.set("op", &format!("\"{NOBODY}\"")).json();
    probe.code("a whole call, and op", Plan::post(both), Code::InvalidBody);
    let both = format!("{{\"op\":\"{NOBODY}\",\"tool\":null}}");
    probe.code("op, and tool null", Plan::post(both), Code::InvalidBody);
}

fn one_value(probe: &mut Probe<'_>) {
    for (case, rest) in [("a letter", " x"), ("a second object", "{}"), ("a NUL", "\u{0}"), ("a comma", ",")]
    {
        probe.code(case, Plan::post(format!("{UNKNOWN_OP}{rest}")), Code::InvalidBody);
    }
}

fn bom(probe: &mut Probe<'_>) {
    probe.code("a byte order mark", Plan::post(format!("\u{feff}{UNKNOWN_OP}")), Code::InvalidBody);
}

fn utf8(probe: &mut Probe<'_>) {
    for (case, bytes) in [
        ("a lone byte", b"\xe9".as_slice()),
        ("a surrogate", b"\xed\xa0\x80"),
        ("an overlong /", b"\xc0\xaf"),
    ] {
        let body = [b"{\"n\":\"", bytes, b"\",", &UNKNOWN_OP.as_bytes()[1..]].concat();
        probe.code(case, Plan::post(body), Code::InvalidBody);
    }
}

fn duplicates(probe: &mut Probe<'_>) {
    let op = format!("{{\"op\":\"{NOBODY}\",\"op\":\"{NOBODY}\"}}");
    probe.code("op", Plan::post(op), Code::InvalidBody);
    let op = format!("{{\"op\":\"{NOBODY}\",\"o\\u0070\":\"{NOBODY}\"}}");
    probe.code("op, once with an escape", Plan::post(op), Code::InvalidBody);
}

fn other_members(probe: &mut Probe<'_>) {
    for (case, json) in [
        ("an object", "{\"a\":[1,{\"b\":null}]}"),
        ("duplicates inside", "{\"a\":1,\"a\":2}"),
        ("half of a surrogate pair", "\"\\ud83d\""),
    ] {
        probe.code(case, Plan::post(beside(json)), Code::UnknownOp);
    }
}

fn content_type(probe: &mut Probe<'_>) {
    let bare = || Plan::post(UNKNOWN_OP).without_headers();
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin1",
        "multipart/form-data",
        "!",
    ] {
        probe.code(kind, bare().header("content-type", kind), Code::UnknownOp);
    }
    probe.code("none", bare(), Code::UnknownOp);
}

fn content_encoding(probe: &mut Probe<'_>) {
    for coding in ["gzip", "br"] {
        let plan = || Plan::post(UNKNOWN_OP).header("content-encoding", coding);
        probe.code(coding, plan(), Code::InvalidBody);
        probe.mentions(coding, plan(), Code::InvalidBody, &[coding]);
    }
    probe.code("identity", Plan::post(UNKNOWN_OP).header("content-encoding", "identity"), Code::UnknownOp);
}

fn cap(probe: &mut Probe<'_>) {
    let spaces = |count: usize| format!("{}{UNKNOWN_OP}", " ".repeat(count - UNKNOWN_OP.len()));
    probe.expect("1,000,000 bytes", Plan::post(spaces(1_000_000)), Expected::Code(Code::UnknownOp));
    let large = || Plan::post(spaces(DEFAULT_BODY_LIMIT + 1));
    probe.code("1,048,577 bytes", large(), Code::InvalidBody);
    probe.code("1,048,577 bytes, unsigned", large().unsigned(), Code::InvalidBody);
}
