//! `doctor`: the report for people and for programs, and how it ends.

use std::process::Output;

use crate::server::{Request, Server, answer};
use crate::{median_edge, output, shown, stdout};
use insta::assert_snapshot;
use median_edge::{Keys, MedianKey, Method, Platform};
use median_edge_conformance::SystemHost;
use serde_json::Value;
use support_desk::Desk;

const KEY: &str = "median_key_SECRETSECRETSECRETSECRET";

/// The support desk behind a server, with something done to what it is asked.
fn desk_but(key: &'static str, change: impl Fn(&mut Request) -> Option<Vec<u8>> + Send + 'static) -> Server {
    Server::new(move |request| {
        let mut request = request.clone();
        if let Some(instead) = change(&mut request) {
            return instead;
        }
        let endpoint = support_desk::endpoint().unwrap();
        let mut asked = median_edge::Request::new(Method::parse(&request.method), request.path.clone());
        for (name, value) in &request.headers {
            asked = asked.header(name.clone(), value.clone());
        }
        let asked = asked.body(request.bytes.clone());
        let (keys, state) = (Keys::new(MedianKey::parse(key).unwrap()), Desk::demo());
        let platform = Platform::new(&SystemHost, &keys, &state);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let response = runtime.block_on(endpoint.answer(&platform, &asked));
        let headers = response.headers().iter().map(|(name, value)| format!("{name}: {value}\r\n"));
        let headers = headers.collect::<Vec<_>>().concat();
        answer(response.status(), &headers, &String::from_utf8_lossy(response.body()))
    })
}

fn doctor(url: &str, key: &str, arguments: &[&str]) -> Output {
    median_edge(&["doctor", url]).args(arguments).env("MEDIAN_KEY", key).output().unwrap()
}

/// The report without the times and the numbers that differ from one run to the next.
fn report(output: &Output) -> String {
    let text = shown(output);
    let mut stable = Vec::new();
    for line in text.lines() {
        let words: Vec<_> = line.split(' ').collect();
        let is_time = |at: usize| {
            words
                .get(at + 1)
                .is_some_and(|next| next.trim_end_matches([';', '.', ',']) == "ms" || *next == "s.")
        };
        let word = |(at, word): (usize, &&str)| {
            let is_number = word.starts_with(|c: char| c.is_ascii_digit());
            if is_number && is_time(at) { "N".to_owned() } else { (*word).to_owned() }
        };
        stable.push(words.iter().enumerate().map(word).collect::<Vec<_>>().join(" "));
    }
    stable.join("\n") + "\n"
}

#[test]
fn a_healthy_endpoint() {
    let server = desk_but(KEY, |_| None);
    let output = doctor(&server.url(), KEY, &["--diagnostics"]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert_snapshot!(report(&output));
    // No tool was run, and the key was not sent.
    let requests = server.requests();
    let tools = support_desk::endpoint().unwrap();
    let names: Vec<_> = tools.tools().iter().map(|tool| tool.name().to_owned()).collect();
    for request in &requests {
        let body = &request.body;
        assert!(names.iter().all(|name| !body.contains(&format!("\"{name}\""))), "{body}");
        assert!(!format!("{request:?}").contains("SECRETSECRET"), "{request:?}");
    }
    let diagnostics = |request: &&Request| request.body.contains("\"diagnostics\"");
    assert_eq!(requests.iter().filter(diagnostics).count(), 1);
}

#[test]
fn an_endpoint_behind_a_slash_with_a_key_in_quotes_and_a_parser_before_it() {
    let server = desk_but(KEY, |request| {
        if !request.path.ends_with('/') {
            return Some(answer(308, "location: /api/median/\r\n", ""));
        }
        // A parser that writes the JSON again, without spaces.
        if let Ok(text) = std::str::from_utf8(&request.bytes) {
            request.bytes = text.replace(": ", ":").replace(" :", ":").replace("{ ", "{").into_bytes();
        }
        None
    });
    let output = doctor(&server.url(), &format!("'{KEY}'\n"), &[]);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    assert!(!shown(&output).contains("SECRETSECRET"));
    assert_snapshot!(report(&output));
}

#[test]
fn another_key_is_told_of_the_derivation() {
    let server = desk_but("median_key_of_someone_else_entirely", |_| None);
    let output = doctor(&server.url(), KEY, &[]);
    assert_eq!(output.status.code(), Some(1));
    let text = report(&output);
    assert!(text.contains("MEDIAN_TOOL_SECRET") && text.contains("implementation's own"), "{text}");
    assert_snapshot!(text);
}

#[test]
fn programs_read_json() {
    let server = Server::new(|_| answer(403, "content-type: text/html\r\n", "<html>No\u{1b}[2J</html>"));
    let output = doctor(&server.url(), KEY, &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(!text.contains('\u{1b}'), "{text}");
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&document["healthy"], &document["complete"], &document["requests"]),
        (&false.into(), &false.into(), &1.into())
    );
    let finding = &document["findings"][1];
    assert_eq!((&finding["id"], &finding["level"]), (&"blocked".into(), &"problem".into()));
    for member in ["seen", "why", "do"] {
        assert!(finding[member].as_str().is_some_and(|text| !text.is_empty()), "{member}");
    }
    assert_eq!(document["findings"][0]["do"], Value::Null);
}

#[test]
fn what_keeps_it_from_running_is_no_finding() {
    for arguments in [
        &["doctor", "shop.example/api/median"][..],
        &["doctor", "http://127.0.0.1:1/", "--key-file", "no-such-file"],
        &["doctor", "http://127.0.0.1:1/", "--key-env", "NOT_SET_ANYWHERE"],
    ] {
        let output = output(arguments);
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    }
    // A key that is none is a finding, and so is an endpoint that is not there.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let output = doctor(&format!("http://127.0.0.1:{port}/"), "median_pk_1", &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_snapshot!(report(&output));
}
