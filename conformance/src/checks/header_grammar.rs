//! The grammar of the signature header. All of it is a choice: the public pages show the form and no more.

use median_edge::Code;

use crate::check::{Check, GET, Skip, should};
use crate::plan::{GOOD, Plan};
use crate::probe::{Expected, Probe};
use crate::requirement::Area::Signature;
use crate::wire::Feature;

pub(crate) const CHECKS: &[Check] = &[
    should(Signature, "grammar-order", "SIG-4", "Elements come in any order, with blanks around them.")
        .why("A reader that counts positions breaks when the sender adds an element.")
        .mend("Split at commas, drop the blanks around each element, and look at the names.")
        .needs(&[GET])
        .send(order),
    should(Signature, "grammar-unknown", "SIG-4", "Elements of other names are ignored.")
        .why("A newer scheme can then stand beside v1.")
        .mend("Pass over names other than t and v1.")
        .needs(&[GET])
        .send(unknown),
    should(
        Signature,
        "grammar-schemes",
        "SIG-4",
        "A right signature under another name than v1 does not count.",
    )
    .why("Which scheme was used would be the caller's choice.")
    .mend("Compare v1 exactly, its case too, and nothing else.")
    .send(schemes),
    should(
        Signature,
        "grammar-elements",
        "SIG-5",
        "An element without `=`, and an empty one, are malformed.",
    )
    .why("A header that was cut or joined on the way shows itself.")
    .mend("Refuse elements that are not name=value.")
    .send(elements),
    should(
        Signature,
        "grammar-time",
        "SIG-6",
        "t has 1 to 16 digits, without sign, leading zero or fraction.",
    )
    .why("Numbers that are read leniently are read differently by each layer.")
    .mend("Match t against digits before it is made a number.")
    .send(time),
    should(Signature, "grammar-one-time", "SIG-6", "A second t is malformed, even an equal one.")
        .why("Which of two was signed would be a guess.")
        .mend("Count the elements named t.")
        .send(one_time),
    should(Signature, "grammar-hex-case", "SIG-7", "Hex digits count in either case.")
        .why("It is the same signature.")
        .mend("Decode the hex before comparing.")
        .needs(&[GET])
        .send(hex_case),
    should(
        Signature,
        "grammar-bad-beside-good",
        "SIG-7",
        "A v1 that is not 64 hex digits is passed over beside a good one.",
    )
    .why("A sender that changes its scheme sends both for a time.")
    .mend("Skip what cannot be read, and fail only when nothing is left.")
    .needs(&[GET])
    .send(bad_beside_good),
    should(Signature, "grammar-no-good", "SIG-7", "A header without a v1 of 64 hex digits is malformed.")
        .why("It says that the header was damaged, where invalid_signature would send people after the key.")
        .mend("Look at the form of v1 before it is compared.")
        .send(no_good),
    should(Signature, "signature-several", "SIG-15", "Any of several v1 may match.")
        .why("During a rotation the sender signs with the old and the new key.")
        .mend("Compare every v1.")
        .needs(&[GET])
        .send(several),
    should(Signature, "signature-eight", "SIG-8", "Eight v1 are taken and nine are malformed.")
        .why("It bounds the work that a stranger can ask for.")
        .mend("Count the v1 elements, those that are skipped too.")
        .needs(&[GET])
        .send(eight),
    should(Signature, "grammar-length", "SIG-9", "A header of more than 4,096 bytes is malformed.")
        .why("It bounds the work that a stranger can ask for.")
        .mend("Look at the length first.")
        .send(length),
    should(Signature, "grammar-bytes", "SIG-9", "A byte beyond visible ASCII makes the header malformed.")
        .why("Layers disagree on what such a byte is.")
        .mend("Refuse such bytes, in elements that are ignored too.")
        .ask(bytes),
    should(Signature, "grammar-lines", "SIG-10", "The header twice is malformed, even when both are equal.")
        .why("One layer reads the first line and the next one the last.")
        .mend("Refuse a repeated header, or one that was joined with a comma.")
        .ask(lines),
    should(
        Signature,
        "grammar-blank",
        "SIG-11",
        "A header that is empty or blank is malformed, not missing.",
    )
    .why("It tells a header that was emptied on the way from one that was never sent.")
    .mend("Tell the two apart.")
    .ask(blank),
];

fn order(probe: &mut Probe<'_>) {
    for (case, signature) in [
        ("v1 before t", "v1={v1},t={t}"),
        ("blanks", "t={t} , \tv1={v1}"),
        ("blanks, turned", "v1={v1}\t,  t={t}"),
    ] {
        probe.expect(case, Plan::get().signature(signature), Expected::Manifest);
    }
}

fn unknown(probe: &mut Probe<'_>) {
    for (case, signature) in [
        ("v0 and v2", "v0=abc,t={t},v1={v1},v2=!"),
        ("an empty value", "x=,t={t},v1={v1}"),
        ("T and V1", "t={t},v1={v1},T=1,V1=2"),
        ("= in a value", "t={t},v1={v1},x=a=b=="),
    ] {
        probe.expect(case, Plan::get().signature(signature), Expected::Manifest);
    }
}

fn schemes(probe: &mut Probe<'_>) {
    let zeros = "0".repeat(64);
    for name in ["v0", "v2", "V1"] {
        let signature = format!("t={{t}},v1={zeros},{name}={{v1}}");
        probe.code(name, Plan::get().signature(signature), Code::InvalidSignature);
    }
    probe.code("v0 alone", Plan::get().signature("t={t},v0={v1}"), Code::MalformedSignature);
}

/// Each of these is malformed, though a lenient reader finds a right signature in it.
fn malformed(probe: &mut Probe<'_>, signatures: &[(&str, &str)]) {
    for (case, signature) in signatures {
        probe.code(case, Plan::get().signature(*signature), Code::MalformedSignature);
    }
}

fn elements(probe: &mut Probe<'_>) {
    malformed(
        probe,
        &[
            ("an element without =", "t={t},v1={v1},x"),
            ("a comma at the end", "t={t},v1={v1},"),
            ("two commas", "t={t},,v1={v1}"),
            ("a comma at the start", ",t={t},v1={v1}"),
        ],
    );
}

fn time(probe: &mut Probe<'_>) {
    for t in ["0{ms}", "+{ms}", "{ms}.0", "{ms}a", "00000{ms}", "{ms}e0"] {
        probe.code(&format!("t={t}"), Plan::get().t(t), Code::MalformedSignature);
    }
    for (case, t) in
        [("no digits", ""), ("a sign", "-1"), ("hex", "0x10"), ("17 digits", "99999999999999999")]
    {
        probe.code(case, Plan::get().t(t), Code::MalformedSignature);
    }
}

fn one_time(probe: &mut Probe<'_>) {
    malformed(
        probe,
        &[
            ("equal", "t={t},v1={v1},t={t}"),
            ("the other one first", "t=1,t={t},v1={v1}"),
            ("the other one last", "t={t},t=1,v1={v1}"),
            ("none", "v1={v1}"),
        ],
    );
}

fn hex_case(probe: &mut Probe<'_>) {
    probe.expect("upper case", Plan::get().signature("t={t},v1={V1}"), Expected::Manifest);
}

fn bad_beside_good(probe: &mut Probe<'_>) {
    for (case, signature) in [
        ("bad first", "t={t},v1=potato,v1={v1}"),
        ("bad last", "t={t},v1={v1},v1="),
        ("one digit too many", "t={t},v1={v1}0,v1={v1}"),
    ] {
        probe.expect(case, Plan::get().signature(signature), Expected::Manifest);
    }
}

fn no_good(probe: &mut Probe<'_>) {
    malformed(
        probe,
        &[
            ("no v1", "t={t}"),
            ("an empty v1", "t={t},v1="),
            ("65 digits", "t={t},v1={v1}0"),
            ("not hex", "t={t},v1=zz{v1}"),
            ("in quotation marks", "t={t},v1=\"{v1}\""),
        ],
    );
}

fn several(probe: &mut Probe<'_>) {
    for (case, signature) in [
        ("right, then wrong", "t={t},v1={v1},v1={first}"),
        ("wrong, then right", "t={t},v1={first},v1={v1}"),
        ("right between wrong ones", "t={t},v1={first},v1={v1},v1={last}"),
    ] {
        probe.expect(case, Plan::get().signature(signature), Expected::Manifest);
    }
}

fn eight(probe: &mut Probe<'_>) {
    let wrong = |count: usize| "v1={last},".repeat(count);
    let eight = format!("t={{t}},{}v1={{v1}}", wrong(7));
    probe.expect("eight, the last one right", Plan::get().signature(eight), Expected::Manifest);
    let nine = format!("t={{t}},v1={{v1}},{}v1={{last}}", wrong(7));
    probe.code("nine, the first one right", Plan::get().signature(nine), Code::MalformedSignature);
}

fn length(probe: &mut Probe<'_>) {
    // Good up to 4,096 bytes: `x=` and a value fill it up. The time has 13 digits for three centuries.
    let bare = "t=".len() + 13 + ",v1=".len() + 64;
    let long = format!("{GOOD},x={}", "y".repeat(4_097 - bare - ",x=".len()));
    probe.code("4,097 bytes", Plan::get().signature(long), Code::MalformedSignature);
}

fn bytes(probe: &mut Probe<'_>) -> Result<(), Skip> {
    probe.able(Feature::HeaderBytes)?;
    probe.code("a byte of 0xE9", Plan::get().signature("t={t},v1={v1},x=\u{e9}"), Code::MalformedSignature);
    Ok(())
}

fn lines(probe: &mut Probe<'_>) -> Result<(), Skip> {
    probe.able(Feature::HeaderLines)?;
    probe.code("equal", Plan::get().lines(&[GOOD, GOOD]), Code::MalformedSignature);
    probe.code("right, then wrong", Plan::get().lines(&[GOOD, "t=1,v1={last}"]), Code::MalformedSignature);
    probe.code("wrong, then right", Plan::get().lines(&["t=1,v1={last}", GOOD]), Code::MalformedSignature);
    Ok(())
}

fn blank(probe: &mut Probe<'_>) -> Result<(), Skip> {
    probe.able(Feature::HeaderLines)?;
    probe.code("empty", Plan::get().signature(""), Code::MalformedSignature);
    probe.code("blank", Plan::get().signature("  "), Code::MalformedSignature);
    Ok(())
}
