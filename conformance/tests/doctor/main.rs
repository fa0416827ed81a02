//! The doctor finds what is wrong with each faulty endpoint, proxy and key, and nothing with a healthy one.
// Some addresses that lead to this machine, or nowhere, do so on Unix only.
#![cfg(unix)]

#[path = "../support/documented.rs"]
mod documented;
mod faults;
mod front;
#[path = "../support/mod.rs"]
mod support;

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use median_edge::{Keys, MedianKey};
use median_edge_conformance::doctor::{Credentials, Diagnosis, Finding, Kind, Level, Options, examine};

use self::faults::{Fault, Scene};
use self::front::KEY;

fn options(fault: &str) -> Options {
    let sync_limit = match fault {
        "a manifest that takes too long" => 300,
        "a first answer that takes long" => 2_000,
        _ => 10_000,
    };
    let is_silent = fault.starts_with("a server that never answers") || fault == "a server that falls silent";
    let limit = if is_silent { 1_000 } else { 5_000 };
    let time_limit = if fault == "a server that is slow each time" { 1_000 } else { 60_000 };
    Options {
        limit: Duration::from_millis(limit),
        time_limit: Duration::from_millis(time_limit),
        sync_limit: Duration::from_millis(sync_limit),
        diagnostics: true,
        ..Options::default()
    }
}

fn look(name: &str, scene: &Scene) -> Diagnosis {
    examine(&scene.url, &scene.credentials, &options(name), |_| ()).unwrap()
}

fn shown(diagnosis: &Diagnosis) -> String {
    let mut text = format!("{} requests in {:?}\n", diagnosis.requests, diagnosis.took);
    for Finding { kind, level, seen, advice } in &diagnosis.findings {
        let _ = writeln!(text, "{level} {kind}: {seen} {advice}");
    }
    text
}

/// What is wrong with how the doctor took a fault.
fn missed(fault: &Fault) -> Option<String> {
    let scene = (fault.scene)();
    let diagnosis = look(fault.name, &scene);
    let found = diagnosis.findings.iter().find(|finding| {
        finding.kind == fault.kind
            && finding.level == fault.level
            && format!("{} {}", finding.seen, finding.advice).contains(fault.says)
    });
    let others = diagnosis.findings.iter().filter(|finding| {
        finding.level != Level::Good && finding.kind != fault.kind && !fault.also.contains(&finding.kind)
    });
    let also = fault.also.iter().all(|kind| diagnosis.findings.iter().any(|finding| finding.kind == *kind));
    let text = shown(&diagnosis);
    let leaks = text.contains(&KEY[12..]);
    let unclear = diagnosis.findings.iter().any(|finding| {
        finding.level != Level::Good && (finding.why().is_empty() || !finding.advice.ends_with('.'))
    });
    let is_right =
        found.is_some() && others.count() == 0 && also && !leaks && !unclear && diagnosis.requests < 150;
    (!is_right).then(|| format!("{} ({}):\n{text}", fault.name, fault.kind))
}

#[test]
fn each_fault_is_found_and_nothing_else() {
    // A few at a time: each has servers of its own, and some are mostly waiting.
    let faults = faults::all();
    let next = AtomicUsize::new(0);
    let work = || {
        let mine = std::iter::from_fn(|| faults.get(next.fetch_add(1, Ordering::Relaxed)));
        mine.filter_map(missed).collect::<Vec<_>>()
    };
    let missed: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn every_kind_of_finding_has_something_faulty_that_shows_it() {
    let faults = faults::all();
    for kind in Kind::ALL.iter().filter(|kind| !kind.why().is_empty()) {
        assert!(faults.iter().any(|fault| fault.kind == *kind), "{kind}");
    }
}

#[test]
fn a_healthy_endpoint_has_nothing() {
    let keys = || Keys::new(MedianKey::parse(KEY).unwrap());
    let good = [
        Kind::Key,
        Kind::Reachable,
        Kind::Signature,
        Kind::Clock,
        Kind::Header,
        Kind::Body,
        Kind::Manifest,
        Kind::Answers,
        Kind::Time,
        Kind::Diagnostics,
    ];
    let local = support::Served::start(conformance_app::endpoint(None).unwrap(), (), keys());
    let desk = support::Served::start(support_desk::endpoint().unwrap(), support_desk::Desk::demo(), keys());
    for url in [local.url("/"), desk.url("/api/median"), faults::healthy()] {
        let credentials = Credentials::named("MEDIAN_KEY", KEY);
        let diagnosis = look("", &Scene { url, credentials });
        let kinds: Vec<_> = diagnosis.findings.iter().map(|finding| finding.kind).collect();
        assert!(kinds == good && diagnosis.is_healthy() && diagnosis.complete, "{}", shown(&diagnosis));
        assert!(diagnosis.requests < 80 && diagnosis.took < Duration::from_secs(10), "{}", shown(&diagnosis));
    }
}

#[test]
fn no_key_here_is_no_fault_where_the_endpoint_takes_the_public_one() {
    let local = Keys::new(MedianKey::local());
    let desk = support::Served::start(support_desk::endpoint().unwrap(), support_desk::Desk::demo(), local);
    let scene = Scene { url: desk.url("/api/median"), credentials: Credentials::from_lookup(|_| None) };
    let diagnosis = look("", &scene);
    let text = shown(&diagnosis);
    assert!(diagnosis.count(Level::Warning) == 0 && diagnosis.is_healthy() && diagnosis.complete, "{text}");
    assert_eq!(diagnosis.findings[0].kind, Kind::Key);
    assert!(diagnosis.findings[0].seen.contains("the public key of local development fits"), "{text}");
}

#[test]
fn an_address_that_is_none_is_refused() {
    for url in ["127.0.0.1:1", "ftp://x/", "http://u:p@x/"] {
        assert!(examine(url, &Credentials::named("K", KEY), &Options::default(), |_| ()).is_err(), "{url}");
    }
}

#[test]
fn the_findings_are_in_the_documentation() {
    let mut text = "| finding | what it is | shown in the tests by |\n|---|---|---|\n".to_owned();
    let faults = faults::all();
    for kind in Kind::ALL.iter().filter(|kind| !kind.why().is_empty()) {
        let shows: Vec<_> =
            faults.iter().filter(|fault| fault.kind == *kind).map(|fault| fault.name).collect();
        let _ = writeln!(text, "| `{kind}` | {} | {} |", kind.about(), shows.join("; "));
    }
    documented::assert_section_of("doctor.md", "findings", text.trim_end());
}
