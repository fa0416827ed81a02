//! What is signed, with which key, and when.

use median_edge::{Code, MedianKey};

use crate::check::{Check, GET, POST, RAW, Skip, must, should};
use crate::plan::Plan;
use crate::probe::{Expected, Probe, UNKNOWN_OP};
use crate::requirement::Area::Signature;

/// As far inside and outside of the window as clocks may differ.
const MARGIN_MS: i64 = 5_000;
const WINDOW_MS: i64 = 300_000;

pub(crate) const CHECKS: &[Check] = &[
    must(Signature, "signature-missing", "SIG-12", "A request without the header is 401 missing_signature.")
        .why("Whoever finds the address could list the tools and run them.")
        .mend("Refuse every GET and POST without a median-signature header.")
        .send(missing),
    must(Signature, "signature-header-case", "SIG-12", "The header is found whatever the case of its name.")
        .why("HTTP/2 sends names in lower case, some gateways in others.")
        .mend("Look the header up without regard to case.")
        .needs(&[GET])
        .send(header_case),
    must(Signature, "signature-malformed", "ERR-4", "A header that is no signature at all is 401 malformed_signature.")
        .why("The code tells the operator that something rewrites the header, and not that the key is wrong.")
        .mend("Answer malformed_signature when the header has no t or no v1.")
        .send(malformed),
    must(Signature, "signature-wrong", "SIG-17", "A signature that is not right is 401 invalid_signature.")
        .why("This is the lock: all that stands behind it trusts it.")
        .mend("Compare the whole HMAC, and answer 401 invalid_signature when no v1 matches.")
        .send(wrong),
    must(Signature, "signature-other-key", "SIG-17", "A signature made with another key is 401 invalid_signature.")
        .why("A key that anyone can have is no key.")
        .mend("Verify with the endpoint's own secret only; take an example key out of what is deployed.")
        .send(other_key),
    must(Signature, "signature-over-time", "SIG-1", "The time is signed: with another t the signature is wrong.")
        .why("A captured request could be sent for ever by moving its time.")
        .mend("Compute the HMAC over t, a full stop and the body.")
        .send(over_time),
    must(Signature, "signature-over-body", "SIG-1", "The body is signed: with another body the signature is wrong.")
        .why("One signature would open the endpoint for any call.")
        .mend("Compute the HMAC over t, a full stop and the body.")
        .send(over_body),
    must(Signature, RAW, "SIG-1", "The body is verified as it came, and not parsed and written again.")
        .why("White space, escapes and the order of members are lost when JSON is written again: such calls fail now and then.")
        .mend("Read the raw bytes before any JSON middleware, and verify those.")
        .needs(&[POST])
        .send(raw_body),
    must(Signature, "signature-get-empty", "SIG-3", "A GET is not let in with the signature of a body.")
        .why("The empty body is all that a GET signs.")
        .mend("Verify a GET over the empty string.")
        .send(get_empty),
    must(Signature, "time-past", "SIG-13", "A time more than five minutes ago is 401 stale_timestamp.")
        .why("The window is what bounds how long a captured request can be sent again.")
        .mend("Compare t, in milliseconds, with the clock.")
        .send(past),
    must(Signature, "time-future", "SIG-13", "A time more than five minutes ahead is 401 stale_timestamp.")
        .why("A request signed for later would be good for longer than the window.")
        .mend("Take the absolute difference to the clock.")
        .send(future),
    must(Signature, "time-window", "SIG-13", "A time within five minutes is accepted, before and after.")
        .why("Clocks differ, and a call takes its time on the way.")
        .mend("Allow 300,000 milliseconds in both directions; set the clock by the network.")
        .needs(&[GET])
        .send(window),
    must(Signature, "time-seconds", "SIG-1", "A time in seconds is stale: t counts milliseconds.")
        .why("An endpoint that guesses the unit accepts times that were never meant.")
        .mend("Read t as milliseconds, always.")
        .send(seconds),
    should(Signature, "time-extremes", "SIG-14", "The smallest and the largest t are stale_timestamp, and break nothing.")
        .why("A difference that overflows can turn out small.")
        .mend("Subtract without overflow.")
        .send(extremes),
    should(Signature, "time-distance", "SIG-14", "The message of stale_timestamp gives the distance in seconds.")
        .why("It tells a clock that is off from a time in the wrong unit, at a glance.")
        .mend("Put the difference, in seconds, into the message.")
        .ask(distance),
    should(Signature, "signature-before-body", "ORDER-2", "Nothing of a body is read before its signature holds.")
        .why("A parser is the largest thing that a stranger can reach.")
        .mend("Verify first, then parse.")
        .send(before_body),
    should(Signature, "signature-any-bytes", "SIG-2", "A body that is no text is verified as the bytes that it is.")
        .why("Decoding a body as text changes bytes that are not UTF-8, and the signature no longer fits.")
        .mend("Compute the HMAC over bytes, and look at the encoding after that.")
        .needs(&[POST, RAW])
        .send(any_bytes),
    should(Signature, "time-before-signature", "ORDER-1", "Of a stale and wrong signature, the time is told.")
        .why("A saved request that is sent again should say that it is old.")
        .mend("Look at the time before the signature is compared.")
        .send(time_first),
];

fn missing(probe: &mut Probe<'_>) {
    probe.code("GET", Plan::get().unsigned(), Code::MissingSignature);
    probe.code("POST", Plan::post(UNKNOWN_OP).unsigned(), Code::MissingSignature);
}

fn header_case(probe: &mut Probe<'_>) {
    for name in ["Median-Signature", "MEDIAN-SIGNATURE"] {
        let mut plan = Plan::get();
        plan.header = name;
        probe.expect(name, plan, Expected::Manifest);
    }
}

fn malformed(probe: &mut Probe<'_>) {
    probe.code("GET", Plan::get().signature("hello"), Code::MalformedSignature);
    probe.code("POST", Plan::post(UNKNOWN_OP).signature("hello"), Code::MalformedSignature);
}

fn wrong(probe: &mut Probe<'_>) {
    let zeros = format!("t={{t}},v1={}", "0".repeat(64));
    for (case, signature) in [
        ("the last digit differs", "t={t},v1={last}"),
        ("the first digit differs", "t={t},v1={first}"),
        ("all zeros", zeros.as_str()),
    ] {
        probe.code(&format!("GET, {case}"), Plan::get().signature(signature), Code::InvalidSignature);
        let post = Plan::post(UNKNOWN_OP).signature(signature);
        probe.code(&format!("POST, {case}"), post, Code::InvalidSignature);
    }
}

fn other_key(probe: &mut Probe<'_>) {
    let others = ["median_key_check_1111111111111111111111111111", median_edge::key::LOCAL_KEY];
    for text in others {
        let Ok(key) = MedianKey::parse(text) else {
            continue;
        };
        let secret = key.tool_secret();
        let mut plan = Plan::post(UNKNOWN_OP);
        if probe.signs_like(&secret) {
            continue;
        }
        // Signed here: the plan's placeholders are for the endpoint's own key.
        let header = secret.sign(probe.now_ms(), plan.body.as_slice());
        plan.signature = vec![header];
        probe.code("a key that everyone can have", plan, Code::InvalidSignature);
    }
}

fn over_time(probe: &mut Probe<'_>) {
    let now = probe.now_ms();
    for (case, moved) in [("a second later", now + 1_000), ("a millisecond earlier", now - 1)] {
        let plan = Plan::get().t(&now.to_string()).signature(format!("t={moved},v1={{v1}}"));
        probe.code(case, plan, Code::InvalidSignature);
    }
}

fn over_body(probe: &mut Probe<'_>) {
    for (case, body) in [
        ("a space behind it", format!("{UNKNOWN_OP} ")),
        ("a letter in another case", UNKNOWN_OP.replace("Nobody", "nobody")),
        ("nothing in its place", String::new()),
    ] {
        probe.code(case, Plan::post(body).over(UNKNOWN_OP), Code::InvalidSignature);
    }
}

fn raw_body(probe: &mut Probe<'_>) {
    for (case, body) in [
        ("white space", "{ \"op\" :\t\"medianEdgeCheckNobody\" }\r\n"),
        ("escapes", r#"{"op":"medianEdgeCheck\u004eobody"}"#),
        ("numbers in another form", r#"{"n":[1.0,1e2,-0],"op":"medianEdgeCheckNobody"}"#),
        ("characters beyond ASCII", r#"{"n":"é \ud83d\ude00 😀","op":"medianEdgeCheckNobody"}"#),
    ] {
        probe.expect(case, Plan::post(body), Expected::Accepted);
    }
}

fn get_empty(probe: &mut Probe<'_>) {
    probe.code("a GET signed for a body", Plan::get().over(UNKNOWN_OP), Code::InvalidSignature);
}

fn past(probe: &mut Probe<'_>) {
    for ms in [WINDOW_MS + MARGIN_MS, 3_600_000, 86_400_000] {
        let case = format!("{} seconds ago", ms / 1000);
        probe.code(&case, Plan::get().offset(-ms), Code::StaleTimestamp);
    }
}

fn future(probe: &mut Probe<'_>) {
    for ms in [WINDOW_MS + MARGIN_MS, 86_400_000] {
        let case = format!("{} seconds ahead", ms / 1000);
        probe.code(&case, Plan::get().offset(ms), Code::StaleTimestamp);
    }
}

fn window(probe: &mut Probe<'_>) {
    for (case, ms) in
        [("295 seconds ago", MARGIN_MS - WINDOW_MS), ("295 seconds ahead", WINDOW_MS - MARGIN_MS)]
    {
        probe.expect(case, Plan::get().offset(ms), Expected::Manifest);
    }
}

fn seconds(probe: &mut Probe<'_>) {
    probe.code("t in seconds", Plan::get().t("{s}"), Code::StaleTimestamp);
}

fn extremes(probe: &mut Probe<'_>) {
    for t in ["0", "1", "9999999999999999"] {
        probe.code(&format!("t={t}"), Plan::get().t(t), Code::StaleTimestamp);
    }
}

fn distance(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let exchange = probe.send(Plan::get().offset(-1_000_000));
    let Some(("stale_timestamp", message)) = exchange.error() else {
        return Skip::because("a stale request is not answered stale_timestamp");
    };
    let digits = message.replace([',', '_'], "");
    let numbers = digits.split(|c: char| !c.is_ascii_digit()).filter_map(|text| text.parse::<u32>().ok());
    if !numbers.into_iter().any(|seconds| (990..=1_010).contains(&seconds)) {
        probe.wrong("1,000 seconds ago", &exchange, "a message with the number of seconds");
    }
    Ok(())
}

fn before_body(probe: &mut Probe<'_>) {
    let wrong = "t={t},v1={last}";
    probe.code("no JSON", Plan::post("{").signature(wrong), Code::InvalidSignature);
    probe.code("no text", Plan::post(b"\xff\xfe".as_slice()).signature(wrong), Code::InvalidSignature);
    let gzip = Plan::post(UNKNOWN_OP).signature(wrong).header("content-encoding", "gzip");
    probe.code("a content coding", gzip, Code::InvalidSignature);
}

fn any_bytes(probe: &mut Probe<'_>) {
    for (case, body) in
        [("bytes that are not UTF-8", b"\xff\xfe\x00".as_slice()), ("a lone byte", b"{\"a\":\"\xe9\"}")]
    {
        probe.expect(case, Plan::post(body), Expected::Accepted);
    }
}

fn time_first(probe: &mut Probe<'_>) {
    let plan = Plan::get().offset(-3_600_000).signature("t={t},v1={last}");
    probe.code("an hour ago, and wrong", plan, Code::StaleTimestamp);
}
