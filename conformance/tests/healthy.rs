//! Endpoints that do it right pass, in-process and over a local server, within bounds.

mod support;

use std::cell::Cell;
use std::time::Duration;

use median_edge::{Endpoint, Keys, MaybeSend, MaybeSync, MedianKey};
use median_edge_conformance::http::Http;
use median_edge_conformance::wire::{Answer, Ask, Feature, Transport, Trouble};
use median_edge_conformance::{
    Allowed, Area, InProcess, Options, Report, Severity, Verdict, requirements, run,
};
use support::{OWN_KEY, Served, summary};

fn check(transport: &dyn Transport, options: &Options) -> Report {
    run(transport, &MedianKey::parse(OWN_KEY).unwrap().tool_secret(), options, |_| ())
}

fn keys() -> Keys {
    Keys::new(MedianKey::parse(OWN_KEY).unwrap())
}

fn in_process<S: MaybeSend + MaybeSync + 'static>(
    endpoint: Endpoint<S>,
    state: S,
    options: &Options,
) -> Report {
    check(&InProcess::new(endpoint, keys(), state), options)
}

/// Everything passes, and what was skipped was skipped for a reason that is known.
fn assert_healthy(report: &Report, skipped: &[&str]) {
    let is_skipped = |verdict: &Verdict| matches!(verdict, Verdict::Skipped(_));
    let ids: Vec<_> =
        report.outcomes.iter().filter(|o| is_skipped(&o.verdict)).map(|o| o.requirement.id).collect();
    assert!(report.failing().is_empty() && ids == skipped, "{}\nskipped: {ids:?}", summary(report));
    assert_eq!(report.outcomes.len(), requirements().len());
    assert!(report.ended.is_none());
}

const RUNS_A_TOOL: [&str; 6] = [
    "input-unknown-field",
    "input-half-pair",
    "input-null-optional",
    "result-form",
    "result-unverified",
    "result-approval",
];
/// The conformance application describes itself nowhere.
const DESCRIBED: [&str; 11] = [
    "application-shape",
    "application-names",
    "application-version",
    "application-storage",
    "application-tools",
    "application-jobs",
    "application-endpoints",
    "application-every-member",
    "application-jobs-declared",
    "application-same-tools",
    "application-methods",
];
const IDENTITY: [&str; 5] =
    ["identity-form", "identity-slash", "identity-methods", "identity-origins", "identity-sniffing"];
const ON_THE_WIRE: [&str; 6] = [
    "robust-slow-body",
    "robust-chunked",
    "robust-cut-off",
    "robust-length",
    "robust-pipelined",
    "robust-head-empty",
];

fn all(parts: &[&[&'static str]]) -> Vec<&'static str> {
    parts.concat()
}

#[test]
fn the_conformance_application_in_process() {
    let endpoint = || conformance_app::endpoint(None).unwrap();
    let report = in_process(endpoint(), (), &Options::default());
    assert_healthy(&report, &all(&[&RUNS_A_TOOL, &DESCRIBED, &IDENTITY, &ON_THE_WIRE, &["timing-compare"]]));
    let options = Options { call_low: true, ..Options::default() };
    let report = in_process(endpoint(), (), &options);
    assert_healthy(
        &report,
        &all(&[&["result-approval"], &DESCRIBED, &IDENTITY, &ON_THE_WIRE, &["timing-compare"]]),
    );
}

#[test]
fn the_conformance_application_over_the_local_server() {
    let served = Served::start(conformance_app::endpoint(None).unwrap(), (), keys());
    let http = Http::new(&served.url("/"), Duration::from_secs(10)).unwrap();
    let options = Options { call_low: true, timing: true, ..Options::default() };
    let report = check(&http, &options);
    assert_healthy(&report, &all(&[&["result-approval"], &DESCRIBED, &IDENTITY]));
    assert!(
        report.took < Duration::from_secs(20) && report.requests < 1_000,
        "{:?} {}",
        report.took,
        report.requests
    );
}

#[test]
fn the_support_desk_in_process_and_over_the_local_server() {
    let given = |tool: &str, input: &str| Allowed { tool: tool.to_owned(), input: Some(input.to_owned()) };
    let options = Options {
        call: vec![given("refundOrder", r#"{"orderNumber":"ORD-1042","cents":1}"#)],
        call_low: true,
        ..Options::default()
    };
    let endpoint = || support_desk::endpoint().unwrap();
    let report = in_process(endpoint(), support_desk::Desk::demo(), &options);
    assert_healthy(&report, &all(&[&ON_THE_WIRE, &["timing-compare"]]));

    let served = Served::start(endpoint(), support_desk::Desk::demo(), keys());
    let http = Http::new(&served.url("/api/median"), Duration::from_secs(10)).unwrap();
    let report = check(&http, &Options::default());
    assert!(report.failing().is_empty(), "{}", summary(&report));
    assert!(report.took < Duration::from_secs(20) && report.failed(Severity::Must).count() == 0);
    let described = report.outcomes.iter().filter(|o| o.requirement.area == Area::Application);
    assert!(described.clone().count() == 11 && described.clone().all(|o| o.verdict == Verdict::Passed));
}

/// An endpoint behind a gateway that joins and drops what it does not like, and a count of the tools that ran.
struct Gateway<T> {
    inner: T,
    ran: Cell<usize>,
    narrow: bool,
}

impl<T: Transport> Transport for Gateway<T> {
    fn target(&self) -> String {
        self.inner.target()
    }

    fn cannot(&self, feature: Feature) -> Option<&'static str> {
        let narrow = matches!(
            feature,
            Feature::HeaderBytes | Feature::HeaderLines | Feature::GetBody | Feature::Paths
        );
        self.inner.cannot(feature).or((self.narrow && narrow).then_some("the gateway does not pass it on"))
    }

    fn send(&self, ask: &Ask) -> Result<Answer, Trouble> {
        let answer = self.inner.send(ask)?;
        let has = |bytes: &[u8], text: &str| String::from_utf8_lossy(bytes).contains(text);
        if has(&ask.body, "\"tool\"") && has(&answer.body, "\"result\"") {
            self.ran.set(self.ran.get() + 1);
        }
        Ok(answer)
    }
}

#[test]
fn no_tool_runs_that_was_not_allowed_to() {
    let desk = || InProcess::new(support_desk::endpoint().unwrap(), keys(), support_desk::Desk::demo());
    let gateway = Gateway { inner: desk(), ran: Cell::new(0), narrow: false };
    let report = check(&gateway, &Options::default());
    assert!(report.failing().is_empty() && report.requests > 200 && gateway.ran.get() == 0);
    let report = check(&gateway, &Options { call_low: true, ..Options::default() });
    assert!(report.failing().is_empty() && gateway.ran.get() > 0);
}

#[test]
fn what_a_transport_cannot_carry_is_skipped_with_its_reason() {
    let inner = InProcess::new(conformance_app::endpoint(None).unwrap(), keys(), ());
    let gateway = Gateway { inner, ran: Cell::new(0), narrow: true };
    let report = check(&gateway, &Options::default());
    let why = "not with this transport: the gateway does not pass it on";
    let of = |verdict: &Verdict| matches!(verdict, Verdict::Skipped(reason) if reason == why);
    let skipped: Vec<_> =
        report.outcomes.iter().filter(|o| of(&o.verdict)).map(|o| o.requirement.id).collect();
    let expected = [
        "get-body-ignored",
        "path-trailing-slash",
        "path-query",
        "grammar-bytes",
        "grammar-lines",
        "grammar-blank",
        "application-shape",
        "identity-form",
    ];
    assert_eq!(skipped, expected);
}

/// An endpoint that answers so many requests, and then no more.
struct Tired<T>(T, Cell<usize>);

impl<T: Transport> Transport for Tired<T> {
    fn target(&self) -> String {
        self.0.target()
    }

    fn cannot(&self, feature: Feature) -> Option<&'static str> {
        self.0.cannot(feature)
    }

    fn send(&self, ask: &Ask) -> Result<Answer, Trouble> {
        let left = self.1.get().checked_sub(1).ok_or(Trouble::TimedOut(Duration::from_secs(1)))?;
        self.1.set(left);
        self.0.send(ask)
    }
}

#[test]
fn a_run_is_bounded() {
    let endpoint = || InProcess::new(conformance_app::endpoint(None).unwrap(), keys(), ());
    let ended = |report: &Report| report.ended.as_ref().map(ToString::to_string).unwrap_or_default();

    let report = check(&Tired(endpoint(), Cell::new(100)), &Options::default());
    assert_eq!(ended(&report), "the endpoint stopped answering: no answer within 1s");
    assert!(report.requests == 103 && report.failing().len() <= 2, "{}", summary(&report));
    assert_eq!(report.outcomes.len(), requirements().len());

    let report = check(&endpoint(), &Options { request_limit: 50, ..Options::default() });
    assert_eq!(ended(&report), "50 requests were sent, the most that a run may send");
    assert!(report.requests == 50 && report.failing().is_empty(), "{}", summary(&report));

    let report = check(&endpoint(), &Options { time_limit: Duration::ZERO, ..Options::default() });
    assert_eq!(ended(&report), "the time of 0ns was up");
    assert_eq!((report.requests, report.failing().len()), (0, 0));
}
