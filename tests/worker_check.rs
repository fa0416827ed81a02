//! The checker against Workers in the real runtime: both applications do all that is asked of an endpoint.

use std::time::Duration;

use median_edge::MedianKey;
use median_edge_conformance::http::Http;
use median_edge_conformance::{Options, Verdict};
use median_edge_tests::{Workerd, local_key, proved};

/// Checks a Worker at a path; gives the ids of the requirements that were skipped.
fn check(worker: Option<Workerd>, path: &str) -> Option<Vec<&'static str>> {
    let Some(worker) = worker else {
        println!("left out: `cargo xtask test --only worker` runs it");
        return None;
    };
    let running = worker.run(&local_key()).unwrap();
    let http = Http::new(&format!("http://{}{path}", running.address()), Duration::from_secs(20)).unwrap();
    let options = Options { call_low: true, ..Options::default() };
    let report = proved(&http, &MedianKey::local().tool_secret(), &options);
    println!("{} requests in {:?}", report.requests, report.took);
    let skipped = report.outcomes.iter().filter(|outcome| matches!(outcome.verdict, Verdict::Skipped(_)));
    Some(skipped.map(|outcome| outcome.requirement.id).collect())
}

#[test]
fn the_conformance_application_passes_the_checker_in_workerd() {
    let Some(skipped) = check(Workerd::conformance(), "/") else { return };
    // It describes itself nowhere, and knows nobody.
    let (elsewhere, skipped): (Vec<_>, Vec<_>) =
        skipped.into_iter().partition(|id| id.starts_with("application-") || id.starts_with("identity-"));
    assert_eq!(elsewhere.len(), 16, "{elsewhere:?}");
    assert_eq!(skipped, ["result-approval", "timing-compare"], "no tool of it needs approval");
}

#[test]
fn the_support_desk_passes_the_checker_in_workerd() {
    let Some(skipped) = check(Workerd::support_desk(), "/api/median") else { return };
    assert!(skipped.contains(&"timing-compare") && skipped.len() < 10, "{skipped:?}");
}
