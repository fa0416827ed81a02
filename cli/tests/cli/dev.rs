//! `dev`: the demo endpoint, served.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::curl::path;
use crate::{median_edge, output, shown, stdout};
use insta::assert_snapshot;
use serde_json::Value;

/// A running `dev`. It ends with the test.
struct Dev {
    child: Child,
    /// Closed once it is taken away.
    out: Option<BufReader<ChildStdout>>,
}

impl Dev {
    fn start(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = median_edge(arguments);
        command.envs(variables.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let out = child.stdout.take().map(BufReader::new);
        Self { child, out }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.as_mut().unwrap().read_line(&mut line).unwrap();
        line
    }

    fn json(&mut self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    /// What is shown before the first request.
    fn greeting(&mut self) -> String {
        let mut text = String::new();
        while !text.ends_with("stops.\n") {
            let line = self.line();
            assert!(!line.is_empty(), "it ended: {text}");
            text.push_str(&line);
        }
        text
    }
}

impl Drop for Dev {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn in_shell(line: &str, variables: &[(&str, &str)]) -> String {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line).env("no_proxy", "*").env("PATH", path(None));
    let output = shell.envs(variables.iter().copied()).output().unwrap();
    stdout(&output)
}

#[test]
fn people_see_the_url_the_tools_and_a_call() {
    let mut dev = Dev::start(&["dev", "--port", "0"], &[]);
    assert_snapshot!(crate::stable(&dev.greeting()));
}

#[test]
fn the_printed_line_calls_the_tool_and_the_call_is_logged() {
    let mut dev = Dev::start(&["--port", "0", "--json"], &[]);
    let greeting = dev.json();
    let answer = in_shell(greeting["curl"].as_str().unwrap(), &[]);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert!(answer.get("result").is_some(), "{answer}");

    let event = std::iter::repeat_with(|| dev.json()).find(|line| line.get("asked").is_some()).unwrap();
    assert_eq!((&event["tool"], &event["ending"]), (&"orderStatus".into(), &"result".into()));
}

#[test]
fn its_own_call_gets_a_result() {
    let mut dev = Dev::start(&["dev", "--port", "0", "--json"], &[]);
    let url = dev.json()["url"].as_str().unwrap().to_owned();
    let answer = output(&["call", &url, "orderStatus", "orderNumber=ORD-1042"]);
    assert!(answer.status.success(), "{}", shown(&answer));
    assert!(output(&["manifest", &url]).status.success());
}

#[test]
fn a_real_key_is_used_and_not_shown() {
    let variables = [("MEDIAN_KEY", "median_key_SECRETSECRETSECRETSECRET")];
    let mut dev = Dev::start(&["dev", "--port", "0"], &variables);
    let greeting = dev.greeting();
    assert!(
        !greeting.contains("SECRETSECRET") && greeting.contains("in a shell that has MEDIAN_KEY"),
        "{greeting}"
    );
    let line = greeting.lines().find(|line| line.contains("curl -gsS")).unwrap();
    assert!(in_shell(line, &variables).starts_with(r#"{"result""#));
    assert!(
        in_shell(line, &[("MEDIAN_KEY", "median_key_ANOTHERANOTHERANOTHER")]).contains("invalid_signature")
    );
}

#[test]
fn a_port_that_is_in_use_is_said_with_what_to_do() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let output = output(&["dev", "--port", &port.to_string()]);
    let next = port.checked_add(1).unwrap_or(7420).to_string();
    let text = shown(&output).replace(&port.to_string(), "PORT").replace(&next, "NEXT");
    assert_snapshot!(text);
}

#[test]
fn a_bad_key_is_said_before_anything_is_served() {
    let output = median_edge(&["dev", "--port", "0"]).env("MEDIAN_KEY", "median_pk_1").output().unwrap();
    assert_snapshot!(shown(&output));
}

#[test]
fn a_port_is_for_dev() {
    assert_snapshot!(shown(&output(&["--port", "1", "manifest", "http://127.0.0.1:1/"])));
}

#[cfg(unix)]
#[test]
fn it_stops_when_it_is_told_to() {
    for signal in ["-INT", "-TERM"] {
        let mut dev = Dev::start(&["dev", "--port", "0"], &[]);
        dev.greeting();
        // The line that says it listens comes once signals are heard.
        assert!(dev.line().contains("listening"));
        let id = dev.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        assert_eq!(dev.child.wait().unwrap().code(), Some(0), "{signal}");
    }
}

#[test]
fn a_reader_that_goes_away_does_not_stop_it() {
    let mut dev = Dev::start(&["dev", "--port", "0", "--json"], &[]);
    let url = dev.json()["url"].as_str().unwrap().to_owned();
    dev.out = None;
    for _ in 0..3 {
        assert!(output(&["manifest", &url]).status.success());
    }
}
