//! The checks have teeth: endpoints with one fault each, and the checks that it fails.
//!
//! For every check there is an endpoint here that fails it; a check that nothing fails does not ship.

mod application;
#[path = "../support/documented.rs"]
mod documented;
mod faults;
mod json;
mod server;
mod tools;
mod wire;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use faults::{FAULTS, Fault, Over};
use median_edge::MedianKey;
use median_edge_conformance::baseline::Baseline;
use median_edge_conformance::http::Http;
use median_edge_conformance::wire::{Answer, Ask, Feature, Transport, Trouble};
use median_edge_conformance::{
    Allowed, Area, Ended, Options, Report, Severity, Verdict, junit, requirements, run,
};
use server::{Request, Server};

const KEY: &str = "median_key_conformance_tests_0123456789";

pub(crate) fn now_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::SystemTime::UNIX_EPOCH);
    u64::try_from(since.unwrap().as_millis()).unwrap()
}

/// A server in this process.
struct Direct(Server);

impl Transport for Direct {
    fn target(&self) -> String {
        self.0.fault.to_owned()
    }

    fn cannot(&self, feature: Feature) -> Option<&'static str> {
        (feature == Feature::Wire).then_some("there is no connection")
    }

    fn send(&self, ask: &Ask) -> Result<Answer, Trouble> {
        let started = Instant::now();
        let request = Request {
            method: ask.method.clone(),
            suffix: format!("{}{}", ask.path.unwrap_or_default(), ask.suffix),
            headers: ask.headers.clone(),
            body: ask.body.clone(),
        };
        let response = self.0.answer(&request, now_ms());
        let headers = response.headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Ok(Answer { status: response.status, headers, body: response.body, took: started.elapsed() })
    }
}

fn options(fault: &Fault) -> Options {
    let call = vec![Allowed {
        tool: "refundOrder".to_owned(),
        input: Some(r#"{"orderNumber":"A","amount":1}"#.to_owned()),
    }];
    Options {
        call,
        call_low: true,
        timing: fault.name == "stops-at-the-first-difference",
        ..Options::default()
    }
}

fn check(fault: &Fault) -> Report {
    let server = Server::new(fault.name, KEY);
    let secret = MedianKey::parse(KEY).unwrap().tool_secret();
    let options = options(fault);
    match fault.over {
        Over::Calls => run(&Direct(server), &secret, &options, |_| ()),
        Over::Http => {
            let http = Http::new(&wire::serve(server), Duration::from_secs(2)).unwrap();
            run(&http, &secret, &options, |_| ())
        }
    }
}

/// Deep nesting needs a deep stack where it is parsed in this process.
fn on_a_deep_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(512 << 20).spawn(work).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn shown(report: &Report) -> String {
    let failed = report.outcomes.iter().filter(|outcome| outcome.failed());
    let line = |outcome: &median_edge_conformance::Outcome| {
        let Verdict::Failed(findings) = &outcome.verdict else { return String::new() };
        let first = &findings[0];
        format!(
            "    {}: {}: expected {}, came {}",
            outcome.requirement.id, first.case, first.expected, first.came
        )
    };
    failed.map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_server_without_a_fault_passes() {
    on_a_deep_stack(|| {
        for over in [Over::Calls, Over::Http] {
            let report = check(&Fault { name: "none", about: "", over, fails: &[] });
            assert!(report.failing().is_empty(), "{over:?}\n{}", shown(&report));
            let skipped = |id: &str| {
                report
                    .outcomes
                    .iter()
                    .any(|o| o.requirement.id == id && matches!(o.verdict, Verdict::Skipped(_)))
            };
            let ids: Vec<_> = requirements().iter().map(|r| r.id).filter(|id| skipped(id)).collect();
            let wire = ids.iter().filter(|id| id.starts_with("robust-")).count();
            assert_eq!(wire, if over == Over::Calls { 6 } else { 0 });
            assert_eq!(ids.len() - wire, 1, "{ids:?}");
        }
    });
}

#[test]
fn each_fault_fails_what_the_table_says_and_nothing_else() {
    let (one, two) = FAULTS.split_at(FAULTS.len() / 2);
    let threads = [one, two]
        .map(|faults| std::thread::Builder::new().stack_size(512 << 20).spawn(|| table(faults)).unwrap());
    let wrong: Vec<_> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), FAULTS.len(), wrong.join("\n"));
}

/// The faults that fail something else than the table says.
fn table(faults: &[Fault]) -> Vec<String> {
    let wrong = |fault: &Fault| {
        let report = check(fault);
        let failing = report.failing();
        assert!(report.ended.is_none(), "{} ended: {:?}", fault.name, report.ended);
        let told = || format!("{}: {:?}\n  fails {failing:?}\n{}", fault.name, fault.fails, shown(&report));
        (failing != fault.fails).then(told)
    };
    faults.iter().filter_map(wrong).collect()
}

#[test]
fn no_check_ships_that_nothing_fails() {
    let caught: BTreeSet<_> = FAULTS.iter().flat_map(|fault| fault.fails).copied().collect();
    let all = requirements();
    let missing: Vec<_> = all.iter().map(|r| r.id).filter(|id| !caught.contains(id)).collect();
    assert!(missing.is_empty(), "no broken server fails {missing:?}");
    let unknown: Vec<_> = caught.iter().filter(|id| !all.iter().any(|r| r.id == **id)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let names: BTreeSet<_> = FAULTS.iter().map(|fault| fault.name).collect();
    assert_eq!(names.len(), FAULTS.len(), "two faults have one name");
}

#[test]
fn an_endpoint_that_never_answers_ends_with_a_clear_report() {
    let started = Instant::now();
    let server = Server::new("never-answers", KEY);
    let http = Http::new(&wire::serve(server), Duration::from_millis(300)).unwrap();
    let secret = MedianKey::parse(KEY).unwrap().tool_secret();
    let report = run(&http, &secret, &Options::default(), |_| ());
    let Some(Ended::NoAnswer(why)) = &report.ended else { panic!("{:?}", report.ended) };
    assert_eq!(why, "no answer within 300ms");
    assert_eq!(report.counts(), (0, 0, requirements().len()));
    assert!(report.requests == 1 && started.elapsed() < Duration::from_secs(3));
}

#[test]
fn an_address_of_something_else_is_told_at_once() {
    struct Website;
    impl Transport for Website {
        fn target(&self) -> String {
            "a website".to_owned()
        }
        fn send(&self, _: &Ask) -> Result<Answer, Trouble> {
            Ok(Answer {
                status: 404,
                headers: Vec::new(),
                body: b"<h1>Not here</h1>".to_vec(),
                took: Duration::ZERO,
            })
        }
    }
    let report = run(&Website, &MedianKey::local().tool_secret(), &Options::default(), |_| ());
    let ended = report.ended.as_ref().map(ToString::to_string).unwrap_or_default();
    assert_eq!(ended, "no endpoint answers at this address: what came is 404 <h1>Not here</h1>");
    assert_eq!(report.requests, 2);
}

#[test]
fn a_path_that_an_endpoint_does_not_have_is_told_at_once() {
    struct Elsewhere;
    impl Transport for Elsewhere {
        fn target(&self) -> String {
            "an endpoint without its path".to_owned()
        }
        fn send(&self, _: &Ask) -> Result<Answer, Trouble> {
            let body =
                br#"{"error":{"code":"not_found","message":"The tool endpoint is at /here."}}"#.to_vec();
            Ok(Answer { status: 404, headers: Vec::new(), body, took: Duration::ZERO })
        }
    }
    for only in [vec![], vec![Area::Manifest]] {
        let options = Options { only, ..Options::default() };
        let report = run(&Elsewhere, &MedianKey::local().tool_secret(), &options, |_| ());
        let ended = report.ended.as_ref().map(ToString::to_string).unwrap_or_default();
        assert_eq!(
            ended,
            "no endpoint answers at this address: what came is 404 not_found: The tool endpoint is at /here."
        );
        assert_eq!(report.requests, 2);
    }
}

#[test]
fn what_stands_on_a_check_that_was_skipped_says_so() {
    on_a_deep_stack(|| {
        let secret = MedianKey::parse(KEY).unwrap().tool_secret();
        // No tool may run.
        let report = run(&Direct(Server::new("none", KEY)), &secret, &Options::default(), |_| ());
        let skipped = |why: &str| {
            let is_it = |outcome: &&median_edge_conformance::Outcome| {
                outcome.verdict == Verdict::Skipped(why.to_owned())
            };
            report.outcomes.iter().filter(is_it).count()
        };
        assert!(skipped("result-form was skipped") > 0);
        assert_eq!(skipped("result-form has to pass first"), 0);
    });
}

#[test]
fn an_area_alone_brings_what_it_stands_on() {
    on_a_deep_stack(|| {
        let secret = MedianKey::parse(KEY).unwrap().tool_secret();
        let only = |area, fault| {
            let options = Options { only: vec![area], ..Options::default() };
            let report = run(&Direct(Server::new(fault, KEY)), &secret, &options, |_| ());
            let of = |o: &&median_edge_conformance::Outcome| o.requirement.area == area;
            assert!(report.outcomes.iter().any(|o| of(&o)));
            (report.failing(), report.outcomes.iter().filter(|o| !of(o)).count(), report.requests)
        };
        let (failing, others, requests) = only(Area::Diagnostics, "none");
        assert!(failing.is_empty() && others == 0 && requests < 8, "{failing:?} {others} {requests}");
        assert_eq!(only(Area::Diagnostics, "get-not-found").0, ["get-manifest"]);
        let (failing, others, requests) = only(Area::Headers, "errors-without-no-store");
        assert!(failing == ["header-cache-control"] && others == 0 && requests > 100, "{failing:?} {others}");
    });
}

#[test]
fn a_baseline_and_junit_say_what_counts() {
    on_a_deep_stack(baseline_and_junit);
}

fn baseline_and_junit() {
    let fault = FAULTS.iter().find(|fault| fault.name == "no-allow").unwrap();
    let report = check(fault);
    let baseline = Baseline::parse("method-allow\nmethod-others").unwrap();
    let compared = baseline.compare(&report);
    assert_eq!(
        (compared.expected, compared.stale),
        (vec!["method-allow".into()], vec!["method-others".into()])
    );
    let mild = junit::write(&report, &Baseline::default(), false);
    assert!(mild.contains("failures=\"0\"") && mild.contains("it fails, and is a should"), "{mild}");
    let strict = junit::write(&report, &Baseline::default(), true);
    assert!(
        strict.contains("failures=\"1\"") && strict.contains("name=\"method-allow\"><failure "),
        "{strict}"
    );
    let stale = junit::write(&report, &baseline, true);
    assert!(stale.contains("failures=\"1\"") && stale.contains("take it out"), "{stale}");
}

/// Where each fault is described for people: `docs/conformance.md` has this table.
#[test]
fn the_table_of_faults_is_in_the_documentation() {
    let severity = |id: &str| requirements().iter().find(|r| r.id == id).map(|r| r.severity);
    let mut table = String::from("| the endpoint … | fails |\n|---|---|\n");
    for fault in FAULTS {
        let ids = fault.fails.iter().map(|id| match severity(id) {
            Some(Severity::Must) => format!("**`{id}`**"),
            _ => format!("`{id}`"),
        });
        let ids = ids.collect::<Vec<_>>().join(", ");
        let _ = writeln!(table, "| {} | {ids} |", fault.about);
    }
    documented::assert_section("broken endpoints", &table);
}
