//! `check`: how it ends, what it reports, and that the requests that it shows are the requests that it made.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::running::Dev;
use crate::server::{MANIFEST, Request, Server, json};
use crate::{output, shown, stdout};
use insta::assert_snapshot;
use median_edge::{Keys, MedianKey, Method, Platform};
use median_edge_conformance::SystemHost;
use serde_json::Value;
use support_desk::Desk;

/// What the support desk answers: its status, its headers and its body.
fn desk(request: &Request) -> (u16, Vec<(&'static str, &'static str)>, String) {
    let endpoint = support_desk::endpoint().unwrap();
    let mut asked = median_edge::Request::new(Method::parse(&request.method), request.path.clone());
    for (name, value) in &request.headers {
        asked = asked.header(name.clone(), value.clone());
    }
    let asked = asked.body(request.body.clone());
    let (keys, state) = (Keys::new(MedianKey::local()), Desk::demo());
    let platform = Platform::new(&SystemHost, &keys, &state);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let response = runtime.block_on(endpoint.answer(&platform, &asked));
    let body = String::from_utf8(response.body().to_vec()).unwrap();
    (response.status(), response.headers().to_vec(), body)
}

/// The support desk behind a server, with something done to its answers.
fn desk_but(
    change: impl Fn(&Request, &mut u16, &mut Vec<(&'static str, &'static str)>) + Send + 'static,
) -> Server {
    Server::new(move |request| {
        let (mut status, mut headers, body) = desk(request);
        change(request, &mut status, &mut headers);
        let lines: Vec<_> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let body = if request.method == "HEAD" { "" } else { &body };
        crate::server::answer(status, &lines.concat(), body)
    })
}

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("median-edge-check-{}-{name}", std::process::id()))
}

#[test]
fn an_endpoint_that_is_right_passes() {
    let server = desk_but(|_, _, _| ());
    let junit = temporary("right.xml");
    let url = server.url();
    let arguments =
        ["check", &url, "--only", "methods", "--only", "calls", "--junit", junit.to_str().unwrap()];
    let output = output(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert!(stdout(&output).ends_with("The endpoint does what was asked of it.\n"), "{}", shown(&output));
    let xml = std::fs::read_to_string(junit).unwrap();
    assert!(xml.contains("failures=\"0\" errors=\"0\"") && xml.contains("name=\"get-manifest\""), "{xml}");
}

#[test]
fn the_report_says_what_failed_why_and_how_to_mend_it() {
    // One must, and one should.
    let server = desk_but(|request, status, headers| {
        headers.retain(|(name, _)| *name != "allow");
        if request.method == "PATCH" {
            *status = 501;
        }
    });
    let url = server.url();
    let report = output(&["check", &url, "--only", "methods", "--only", "errors"]);
    assert_eq!(report.status.code(), Some(1));
    let text = crate::shown(&report);
    let timeless = text.split_once(" requests in ").map_or(text.as_str(), |(before, _)| before);
    assert_snapshot!(timeless);
}

#[test]
fn a_should_counts_when_it_is_asked_to_and_a_baseline_stays_true() {
    let server = desk_but(|_, _, headers| headers.retain(|(name, _)| *name != "allow"));
    let url = server.url();
    let known = temporary("known.txt");
    let code = |extra: &[&str]| {
        let arguments = [&["check", &url, "--only", "methods"], extra].concat();
        output(&arguments).status.code()
    };
    assert_eq!(code(&[]), Some(0));
    assert_eq!(code(&["--strict"]), Some(1));
    let baseline = ["--strict", "--baseline", known.to_str().unwrap()];
    std::fs::write(&known, "method-allow # the framework does it\n").unwrap();
    assert_eq!(code(&baseline), Some(0));
    std::fs::write(&known, "method-allow\nmethod-others\n").unwrap();
    assert_eq!(code(&baseline), Some(1), "an unexpected pass fails too");
    std::fs::write(&known, "no-such-id\n").unwrap();
    assert_eq!(code(&baseline), Some(2));
}

#[test]
fn what_cannot_be_checked_is_told_apart_from_what_fails() {
    let website = Server::new(|_| crate::server::answer(404, "", "<h1>Not here</h1>"));
    for (arguments, code) in [
        (vec!["check", "http://127.0.0.1:1/"], "unreachable"),
        (vec!["check", &website.url()], "not_an_endpoint"),
        (vec!["check"], "usage"),
        (vec!["check", "localhost:1"], "usage"),
        (vec!["check", "http://127.0.0.1:1/", "--only", "nothing"], "usage"),
        (vec!["check", "http://127.0.0.1:1/", "--call", "tool=7"], "usage"),
    ] {
        let output = output(&[arguments.as_slice(), &["--json"]].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let document: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(document["error"]["code"], code, "{arguments:?} {document}");
    }
}

#[test]
fn a_path_that_was_forgotten_is_said_and_nothing_is_checked() {
    let mut dev = Dev::start(&["dev", "--port", "0", "--json"], &[]);
    let url = dev.json()["url"].as_str().unwrap().replace("/api/median", "");
    assert_snapshot!(shown(&output(&["check", &url])));
}

#[test]
fn an_endpoint_that_never_answers_ends_soon() {
    let silent = Server::new(|_| {
        std::thread::sleep(Duration::from_secs(20));
        Vec::new()
    });
    let started = Instant::now();
    let output = output(&["check", &silent.url(), "--timeout", "1"]);
    assert!(started.elapsed() < Duration::from_secs(10));
    assert_snapshot!(shown(&output));
}

#[test]
fn the_requirements_are_listed() {
    let listed: Value = serde_json::from_str(&stdout(&output(&["check", "--list", "--json"]))).unwrap();
    let listed = listed["requirements"].as_array().unwrap();
    assert_eq!(listed.len(), median_edge_conformance::requirements().len());
    assert_eq!(listed[0]["id"], "get-manifest");
    assert_snapshot!(stdout(&output(&["check", "--list", "--only", "diagnostics"])));
}

/// An endpoint that finds everything good fails what must be refused. Each request that the report shows is made again
/// by a shell, and given to an endpoint that is right: it answers what was expected.
#[test]
#[cfg(unix)]
fn the_requests_that_are_shown_are_the_requests_that_were_made() {
    let server = Server::new(|_| json(200, MANIFEST));
    let url = server.url();
    let output = output(&["check", &url, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let mut compared = 0;
    for requirement in report["requirements"].as_array().unwrap() {
        for finding in requirement["findings"].as_array().into_iter().flatten() {
            let (Some(line), Some(expected)) = (finding["curl"].as_str(), finding["expected"].as_str())
            else {
                continue;
            };
            let is_answer =
                expected.as_bytes().first().is_some_and(u8::is_ascii_digit) && !expected.contains(" or ");
            if !is_answer || finding["case"] == "an answer that came" || expected.contains('{') {
                continue;
            }
            let run = Command::new("sh").args(["-c", line]).env("no_proxy", "*").output().unwrap();
            assert!(run.status.success(), "{line}\n{run:?}");
            let (status, _, body) = desk(&server.last());
            let code = serde_json::from_str::<Value>(&body).unwrap()["error"]["code"].clone();
            let came = format!("{status} {}", code.as_str().unwrap_or("with a manifest"));
            assert_eq!(came, expected, "{} {}\n{line}\n{body}", requirement["id"], finding["case"]);
            compared += 1;
        }
    }
    assert!(compared > 70, "{compared}");
}
