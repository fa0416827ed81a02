//! Hostile bodies, slow and cut-off ones, odd framing: an endpoint refuses them and goes on.

use median_edge::Code;

use super::body::{OP, OTHER_MEMBERS};
use crate::check::{Check, GET, POST, Skip, must, should};
use crate::plan::Plan;
use crate::probe::{Expected, Probe, UNKNOWN_OP, beside};
use crate::requirement::Area::Robustness;
use crate::wire::{Feature, Framing};

pub(crate) const CHECKS: &[Check] = &[
    must(
        Robustness,
        "robust-deep-body",
        "BODY-1",
        "A body that is nested 50,000 deep is 400 invalid_body, and the endpoint goes on.",
    )
    .why("A parser that calls itself for each level runs out of stack, and takes the process along.")
    .mend("Use a parser with a limit of depth, and answer invalid_body.")
    .needs(&[GET, POST])
    .send(deep_body),
    should(
        Robustness,
        "robust-deep-member",
        "BODY-4",
        "A member that is ignored may be nested to any depth.",
    )
    .why("What is not read must not be able to fail a call.")
    .mend("Pass over members without building them.")
    .needs(&[OTHER_MEMBERS])
    .send(deep_member),
    should(Robustness, "robust-numbers", "BODY-4", "A member that is ignored may hold numbers of any size.")
        .why("What is not read must not be able to fail a call.")
        .mend("Pass over members without converting them.")
        .needs(&[OTHER_MEMBERS])
        .send(numbers),
    should(Robustness, "robust-long-text", "HTTP-9", "A text of 200,000 characters is taken like any other.")
        .why("Transcripts and notes get long, and the platform sends them.")
        .mend("Raise the limit of the body parser to 1 MiB.")
        .needs(&[OTHER_MEMBERS])
        .send(long_text),
    must(Robustness, "robust-slow-body", "HTTP-1", "A body that arrives in pieces is read to its end.")
        .why("Networks cut bodies anywhere.")
        .mend("Read until the announced length, and do not take the first read for the whole body.")
        .needs(&[OP])
        .ask(slow),
    should(Robustness, "robust-chunked", "HTTP-9", "A body that is sent in chunks is read like any other.")
        .why("Fronts pass bodies on in chunks.")
        .mend("Count the bytes that arrive; do not ask for a Content-Length.")
        .needs(&[OP])
        .ask(chunked),
    must(
        Robustness,
        "robust-cut-off",
        "HTTP-1",
        "After a body that was cut off, the endpoint goes on serving.",
    )
    .why("A client that goes away must not take the endpoint along.")
    .mend("Catch the error of the read, and give the connection a time limit.")
    .needs(&[GET])
    .ask(cut_off),
    must(
        Robustness,
        "robust-length",
        "SIG-1",
        "Of a body with a length that announces less, no more than that is read.",
    )
    .why("What is behind the announced length is another request: reading on mixes the two.")
    .mend("Leave the framing to the HTTP server.")
    .needs(&[POST])
    .ask(short_length),
    must(
        Robustness,
        "robust-pipelined",
        "HTTP-1",
        "Requests that are sent at once are answered in their order.",
    )
    .why("Answers that change places hand one call's result to another.")
    .mend("Leave the framing to the HTTP server.")
    .needs(&[GET, "signature-missing", "method-others"])
    .ask(pipelined),
    should(Robustness, "robust-head-empty", "HTTP-3", "The answer to HEAD has no body on the wire.")
        .why("On a connection that is kept, the body would be taken for the next answer.")
        .mend("Leave the framing to the HTTP server.")
        .needs(&["method-head-options"])
        .ask(head),
];

/// The endpoint answers as before.
fn goes_on(probe: &mut Probe<'_>, after: &str) {
    probe.expect(&format!("a signed GET after {after}"), Plan::get(), Expected::Manifest);
}

fn deep_body(probe: &mut Probe<'_>) {
    probe.code("arrays", Plan::post("[".repeat(50_000)), Code::InvalidBody);
    goes_on(probe, "it");
    let whole = format!("{}{}", "{\"op\":".repeat(50_000), "1") + &"}".repeat(50_000);
    probe.code("objects, closed again", Plan::post(whole), Code::InvalidBody);
    goes_on(probe, "it");
}

fn deep_member(probe: &mut Probe<'_>) {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    probe.code("10,000 arrays", Plan::post(beside(&deep)), Code::UnknownOp);
}

fn numbers(probe: &mut Probe<'_>) {
    let digits = "9".repeat(5_000);
    for (case, json) in [("1e999", "1e999"), ("5,000 digits", digits.as_str()), ("a tiny one", "-1e-999999")]
    {
        probe.code(case, Plan::post(beside(json)), Code::UnknownOp);
    }
}

fn long_text(probe: &mut Probe<'_>) {
    let text = format!("\"{}\"", "x".repeat(200_000));
    probe.code("a member", Plan::post(beside(&text)), Code::UnknownOp);
}

fn slow(probe: &mut Probe<'_>) -> Result<(), Skip> {
    probe.able(Feature::Wire)?;
    probe.code("in pieces", Plan::post(UNKNOWN_OP).framing(Framing::Slow), Code::UnknownOp);
    Ok(())
}

fn chunked(probe: &mut Probe<'_>) -> Result<(), Skip> {
    probe.able(Feature::Wire)?;
    probe.code("in chunks", Plan::post(UNKNOWN_OP).framing(Framing::Chunked), Code::UnknownOp);
    Ok(())
}

fn cut_off(probe: &mut Probe<'_>) -> Result<(), Skip> {
    probe.able(Feature::Wire)?;
    for _ in 0..2 {
        let exchange = probe.send(Plan::post(UNKNOWN_OP).framing(Framing::CutOff));
        // Whatever is said of half a body, it is not that its signature holds.
        if matches!(exchange.error(), Some(("unknown_op", _))) {
            probe.wrong("half of a body", &exchange, "no answer, or an error");
        }
        goes_on(probe, "half of a body");
    }
    Ok(())
}

fn short_length(probe: &mut Probe<'_>) -> Result<(), Skip> {
    probe.able(Feature::Wire)?;
    let announced = Framing::Announced(UNKNOWN_OP.len() - 5);
    let exchange = probe.send(Plan::post(UNKNOWN_OP).framing(announced));
    if exchange.status().is_some() && !matches!(exchange.status(), Some(400..=499)) {
        probe.wrong("five bytes fewer than there are", &exchange, "401 invalid_signature, or another 4xx");
    } else if matches!(exchange.error(), Some(("unknown_op", _))) {
        probe.wrong("five bytes fewer than there are", &exchange, "401 invalid_signature");
    }
    goes_on(probe, "it");
    Ok(())
}

fn pipelined(probe: &mut Probe<'_>) -> Result<(), Skip> {
    probe.able(Feature::Wire)?;
    let plans = [Plan::get(), Plan::get().unsigned(), Plan::method("DELETE")];
    match probe.send_at_once(&plans) {
        Err(trouble) => probe.wrong_with("three at once", "answers", trouble.to_string()),
        Ok(answers) => {
            // A server may close the connection early, and the client asks again.
            let came: Vec<_> = answers.iter().map(|answer| answer.status).collect();
            if !(1..=3).contains(&came.len()) || [200, 401, 405][..came.len()] != came {
                probe.wrong_with(
                    "a signed GET, an unsigned one, a DELETE",
                    "200, 401, 405",
                    format!("{came:?}"),
                );
            }
        }
    }
    Ok(())
}

fn head(probe: &mut Probe<'_>) -> Result<(), Skip> {
    probe.able(Feature::Wire)?;
    let exchange = probe.send(Plan::method("HEAD"));
    if exchange.answer.as_ref().is_ok_and(|answer| !answer.body.is_empty()) {
        probe.wrong("HEAD", &exchange, "no body");
    }
    Ok(())
}
