//! `dev`: the demo endpoint and the stand-in, served.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};

use crate::curl::path;
use crate::running::Dev;
use crate::{median_edge, output, shown, stdout};
use insta::assert_snapshot;
use serde_json::Value;

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

    let event = std::iter::repeat_with(|| dev.json())
        .find(|line| line.get("tool").is_some_and(Value::is_string))
        .unwrap();
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
    let output = output(&["dev", "--platform-port", "0", "--port", &port.to_string()]);
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

pub(crate) const LOCAL_KEY: &str = "median_key_local_0000000000000000000000000000";

/// Asks the stand-in's API.
fn ask(greeting: &Value, path: &str, key: &str) -> Value {
    let platform = greeting["platform"].as_str().unwrap();
    let answer = in_shell(&format!("curl -sS -H 'Authorization: Bearer {key}' '{platform}{path}'"), &[]);
    serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

/// The only endpoint that is connected, once its sync is over.
pub(crate) fn synced(greeting: &Value, key: &str) -> Value {
    loop {
        let mut list = ask(greeting, "/v1/tool-endpoints", key);
        assert_eq!(list["items"].as_array().map(Vec::len), Some(1), "{list}");
        let endpoint = list["items"][0].take();
        if endpoint["sync"]["state"] != "syncing" {
            return endpoint;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

pub(crate) fn names(endpoint: &Value) -> Vec<&str> {
    let tools = endpoint["synced"]["tools"].as_array().map_or(&[][..], Vec::as_slice);
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

pub(crate) const DEMO_TOOLS: [&str; 6] =
    ["orderStatus", "listOrders", "changeAddress", "refundOrder", "newsletter", "goToPage"];

#[test]
fn the_console_answers() {
    let mut dev = Dev::start(&["dev", "--port", "0", "--json"], &[]);
    let console = dev.json()["console"].as_str().unwrap().to_owned();
    let page = in_shell(&format!("curl -sSf '{console}'"), &[]);
    assert!(page.contains("<title>Console"), "{page}");
}

#[test]
fn the_tools_of_the_demo_are_synced() {
    let mut dev = Dev::start(&["--port", "0", "--json"], &[]);
    let greeting = dev.json();
    let endpoint = synced(&greeting, LOCAL_KEY);
    assert_eq!((&endpoint["url"], names(&endpoint)), (&greeting["url"], DEMO_TOOLS.to_vec()), "{endpoint}");
}

#[test]
fn a_key_of_ones_own_signs_for_both_sides_and_is_what_the_api_takes() {
    let key = "median_key_SECRETSECRETSECRETSECRET";
    let mut dev = Dev::start(&["dev", "--port", "0", "--json"], &[("MEDIAN_KEY", key)]);
    let greeting = dev.json();
    assert_eq!(names(&synced(&greeting, key)), DEMO_TOOLS);
    assert_eq!(ask(&greeting, "/v1/tool-endpoints", LOCAL_KEY)["error"]["code"], "unauthorized");
}

#[test]
fn a_tool_signing_secret_alone_opens_the_stand_in_to_nobody_with_the_public_key() {
    let secret = [("MEDIAN_TOOL_SECRET", &*"1".repeat(64))];
    let mut dev = Dev::start(&["dev", "--port", "0", "--json"], &secret);
    let greeting = dev.json();
    let (_, token) = greeting["console"].as_str().unwrap().split_once("#token=").unwrap();
    assert_eq!(names(&synced(&greeting, token)), DEMO_TOOLS);
    assert_eq!(ask(&greeting, "/v1/tool-endpoints", LOCAL_KEY)["error"]["code"], "unauthorized");
}

#[test]
fn the_demo_connects_itself_to_the_stand_in() {
    let mut dev = Dev::start(&["dev", "--port", "0", "--json"], &[("MEDIAN_API_URL", "http://127.0.0.1:9")]);
    let url = dev.json()["url"].as_str().unwrap().to_owned();
    let answer = in_shell(&format!("curl -sS -H 'Authorization: Bearer {LOCAL_KEY}' {url}"), &[]);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["connected"], true, "{answer}");
}

#[test]
fn an_endpoint_of_ones_own_takes_the_place_of_the_demo() {
    let mut own = Dev::start(&["dev", "--port", "0", "--json"], &[]);
    let url = own.json()["url"].as_str().unwrap().to_owned();
    let mut dev = Dev::start(&["dev", "--json", "--endpoint", &url], &[]);
    let greeting = dev.json();
    assert!(greeting["endpoint"] == *url && greeting.get("url").is_none(), "{greeting}");
    let endpoint = synced(&greeting, LOCAL_KEY);
    assert_eq!((endpoint["url"].as_str().unwrap(), names(&endpoint)), (&*url, DEMO_TOOLS.to_vec()));
}

#[test]
fn people_see_where_their_endpoint_is_and_what_to_do() {
    let mut dev = Dev::start(&["dev", "--endpoint", "http://127.0.0.1:9/api/median"], &[]);
    assert_snapshot!(crate::stable(&dev.greeting()));
}

#[test]
fn an_endpoint_that_does_not_answer_is_said_with_what_to_do() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{closed}/api/median");
    let mut command = median_edge(&["dev", "--platform-port", "0", "--endpoint", &url]);
    let mut dev = Dev::spawn(command.stdout(Stdio::null()).stderr(Stdio::piped()));
    let notes = BufReader::new(dev.child.stderr.take().unwrap());
    let note = notes.lines().map(Result::unwrap).find(|line| line.contains("can't be synced")).unwrap();
    assert!(note.contains(&format!("doctor {url}`")), "{note}");
}

#[test]
fn an_address_that_is_none_is_refused_before_anything_is_served() {
    assert_snapshot!(shown(&output(&["dev", "--platform-port", "0", "--endpoint", "shop.example"])));
}

#[test]
fn without_the_demo_there_is_the_stand_in_alone() {
    let mut dev = Dev::start(&["dev", "--no-demo", "--json"], &[]);
    let greeting = dev.json();
    assert!(greeting.get("url").is_none(), "{greeting}");
    assert_eq!(ask(&greeting, "/v1/tool-endpoints", LOCAL_KEY)["items"], Value::Array(Vec::new()));
}

#[test]
fn people_see_that_no_endpoint_is_connected() {
    let mut dev = Dev::start(&["dev", "--no-demo"], &[]);
    assert_snapshot!(crate::stable(&dev.greeting()));
}

#[test]
fn a_port_for_the_demo_is_refused_without_one() {
    assert_snapshot!(shown(&output(&["dev", "--no-demo", "--port", "0"])));
}

#[test]
fn a_port_of_the_stand_in_that_is_in_use_is_said_with_what_to_do() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let output = output(&["dev", "--port", "0", "--platform-port", &port.to_string()]);
    let next = port.checked_add(1).unwrap_or(7421).to_string();
    let text = shown(&output).replace(&port.to_string(), "PORT").replace(&next, "NEXT");
    assert_snapshot!(text);
}

#[test]
fn a_secret_in_the_address_of_the_reviewer_is_refused_and_not_shown() {
    let mut command = median_edge(&["dev", "--no-demo", "--platform-port", "0"]);
    command.env("MEDIAN_REVIEWER_URL", "https://me:s3cret@api.example/v1").env("MEDIAN_REVIEWER_MODEL", "m");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_snapshot!(shown(&output));
}

#[cfg(unix)]
#[test]
fn the_stand_in_alone_stops_when_it_is_told_to() {
    for signal in ["-INT", "-TERM"] {
        let mut dev = Dev::start(&["dev", "--no-demo"], &[]);
        dev.greeting();
        let id = dev.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        assert_eq!(dev.child.wait().unwrap().code(), Some(0), "{signal}");
    }
}

#[cfg(target_os = "linux")]
mod browser {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// The console's link, and the page that is opened, of a `dev` whose opener is this script.
    fn opened(script: &str, key: &str) -> (String, String) {
        let folder = tempfile::tempdir().unwrap();
        let opener = folder.path().join("xdg-open");
        fs::write(&opener, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
        let page = folder.path().join("page");
        let ready = Command::new("mkfifo").arg(&page).status().unwrap();
        assert!(ready.success());
        let mut command = median_edge(&["dev", "--no-demo", "--platform-port", "0", "--open", "--json"]);
        command.env("PATH", folder.path()).env("PAGE", &page).env("MEDIAN_KEY", key);
        let mut dev = Dev::spawn(command.stdout(Stdio::piped()).stderr(Stdio::null()));
        let console = dev.json()["console"].as_str().unwrap().to_owned();
        (console, fs::read_to_string(page).unwrap().trim().to_owned())
    }

    #[test]
    fn the_console_is_opened() {
        let (console, opened) = opened("echo \"$1\" > \"$PAGE\"", LOCAL_KEY);
        assert_eq!(opened, console.trim_end_matches('/'));
    }

    #[test]
    fn the_token_is_on_no_command_line() {
        let key = "median_key_SECRETSECRETSECRETSECRET";
        let (console, opened) = opened("echo \"$1\" > \"$PAGE\"", key);
        assert!(console.contains("#token=") && !opened.contains('#'), "{opened}");
    }

    #[test]
    fn a_browser_that_does_not_open_is_a_note_and_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = median_edge(&["dev", "--no-demo", "--platform-port", "0", "--open", "--json"]);
        command.env("PATH", folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut dev = Dev::spawn(&mut command);
        let notes = BufReader::new(dev.child.stderr.take().unwrap());
        let note = notes.lines().map(Result::unwrap).find(|line| line.contains("browser"));
        assert_eq!(note.as_deref(), Some("No browser could be opened: open the console's link yourself."));
        let greeting = dev.json();
        assert_eq!(ask(&greeting, "/v1/tool-endpoints", LOCAL_KEY)["items"], Value::Array(Vec::new()));
    }
}
