//! A function as a process, against a Runtime API of the test's own.
#![allow(missing_docs)]

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use median_edge::MedianKey;
use median_edge::prelude::*;
use serde_json::{Value, json};

const KEY: &str = "median_key_run_00000000000000000000";
const NOW_MS: u64 = 1_790_000_000_000;

/// Answer.
#[tool(risk = "low", effect = "read")]
fn ping() -> ToolResult<&'static str> {
    tracing::info!(asked_for = 1, "the tool's own line");
    Ok("pong")
}

/// Panic.
#[tool(risk = "low", effect = "read")]
fn fall() -> ToolResult<&'static str> {
    panic!("the floor is gone")
}

/// This is also the function that the other tests start as a process of its own: there it is inside of Lambda, and serves.
#[test]
fn outside_of_lambda_it_fails() {
    let endpoint = Endpoint::builder().tools(tools![ping, fall]).clock(|| NOW_MS).build();
    let ended = median_edge_lambda::run(endpoint, ());
    assert_eq!(format!("{ended:?}"), format!("{:?}", ExitCode::FAILURE));
}

fn start(set: &[(&str, &str)]) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "outside_of_lambda_it_fails", "--nocapture"])
        .env_clear()
        .env("MEDIAN_KEY", KEY)
        .envs(set.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// What the function wrote, without what the test's harness says around it.
fn log_of(child: &mut Child) -> Vec<String> {
    let mut log = String::new();
    child.stdout.take().unwrap().read_to_string(&mut log).unwrap();
    let lines = log.lines().skip_while(|line| *line != "running 1 test").skip(1);
    lines
        .take_while(|line| !line.is_empty())
        .map(|line| line.trim_start_matches("test outside_of_lambda_it_fails ... ").to_owned())
        .collect()
}

/// A running function, that ends with the test.
struct Running(Child);

impl Running {
    fn start(events: &[Vec<u8>], set: &[(&str, &str)]) -> (Self, Receiver<(String, Value)>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (sender, answers) = channel();
        let events = Arc::new(Mutex::new(VecDeque::from(events.to_vec())));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (events, sender) = (Arc::clone(&events), sender.clone());
                thread::spawn(move || serve(&stream.unwrap(), &events, &sender));
            }
        });
        let by_aws = [
            ("AWS_LAMBDA_RUNTIME_API", address.as_str()),
            ("AWS_LAMBDA_FUNCTION_NAME", "probe"),
            ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "128"),
            ("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST"),
        ];
        (Self(start(&[&by_aws, set].concat())), answers)
    }

    /// Ends it, for all that it wrote.
    fn log(mut self) -> Vec<String> {
        self.0.kill().unwrap();
        log_of(&mut self.0)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Gives events, takes answers: what of AWS's Runtime API a function uses.
fn serve(mut stream: &TcpStream, events: &Mutex<VecDeque<Vec<u8>>>, answers: &Sender<(String, Value)>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first).unwrap_or(0) == 0 {
            return;
        }
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let path = first.split(' ').nth(1).unwrap().to_owned();
        if path.ends_with("/invocation/next") {
            let Some(event) = events.lock().unwrap().pop_front() else {
                // No event comes any more: the function waits until it is ended.
                let _ = reader.read(&mut [0]);
                return;
            };
            let head = format!(
                "HTTP/1.1 200 OK\r\nlambda-runtime-aws-request-id: id-{}\r\nlambda-runtime-deadline-ms: 9999999999999\r\n\
                 content-length: {}\r\n\r\n",
                events.lock().unwrap().len(),
                event.len()
            );
            stream.write_all(&[head.as_bytes(), &event].concat()).unwrap();
        } else {
            stream.write_all(b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n").unwrap();
            answers.send((path, serde_json::from_slice(&body).unwrap())).unwrap();
        }
    }
}

fn call(tool: &str) -> Vec<u8> {
    let body = json!({
        "tool": tool, "toolCallId": "call_1", "input": {},
        "context": {"conversationId": "k57c", "risk": "low", "visitor": {"verified": false}},
    });
    let body = body.to_string();
    let signature = MedianKey::parse(KEY).unwrap().tool_secret().sign(NOW_MS, body.as_bytes());
    let event = json!({
        "rawPath": "/api/median", "requestContext": {"http": {"method": "POST"}},
        "headers": {"median-signature": signature}, "body": body,
    });
    serde_json::to_vec(&event).unwrap()
}

fn next(answers: &Receiver<(String, Value)>) -> (String, Value) {
    answers.recv_timeout(Duration::from_mins(1)).expect("an answer")
}

#[test]
fn a_panic_and_an_event_that_is_no_request_leave_the_process_to_answer_the_next() {
    let (running, answers) = Running::start(&[call("fall"), b"{}".to_vec(), call("ping")], &[]);
    let (path, fallen) = next(&answers);
    assert_eq!(path, "/2018-06-01/runtime/invocation/id-2/response");
    assert!(fallen["body"].as_str().unwrap().contains("execution_failed"), "{fallen}");
    let (path, error) = next(&answers);
    assert_eq!(
        (path.as_str(), &error["errorType"]),
        ("/2018-06-01/runtime/invocation/id-1/error", &json!("NoHttpRequest"))
    );
    let (path, answer) = next(&answers);
    assert_eq!(path, "/2018-06-01/runtime/invocation/id-0/response");
    assert_eq!(answer["body"], r#"{"result":"pong"}"#);
    drop(running);
}

#[test]
fn every_line_is_json_with_the_id_of_its_invocation() {
    let (running, answers) = Running::start(&[call("fall"), b"{}".to_vec(), call("ping")], &[]);
    (0..3).for_each(|_| drop(next(&answers)));
    let log = running.log();
    let lines: Vec<Value> = log.iter().map(|line| serde_json::from_str(line).expect(line)).collect();
    let told = |line: &Value| {
        ["level", "requestId", "message"].map(|name| line[name].as_str().unwrap_or("-").to_owned())
    };
    let neutral = median_edge::outcome::NEUTRAL_MESSAGE;
    assert_eq!(told(&lines[0]), ["ERROR", "id-2", "panicked: the floor is gone"]);
    assert!(lines[0]["place"].as_str().unwrap().contains("run.rs:"), "{log:?}");
    assert_eq!(told(&lines[1]), ["ERROR", "id-2", neutral]);
    assert_eq!(lines[1]["detail"], "panicked: the floor is gone");
    assert_eq!(told(&lines[2])[..2], ["ERROR", "id-1"]);
    assert_eq!(told(&lines[3]), ["INFO", "id-0", "the tool's own line"]);
    assert_eq!((&lines[3]["target"], &lines[3]["asked_for"]), (&json!("run"), &json!(1)));
    assert_eq!((&lines[4]["tool"], &lines[4]["level"]), (&json!("ping"), &json!("INFO")));
    assert_eq!(lines.len(), 5, "{log:?}");
}

#[test]
fn the_log_is_as_aws_is_told_to_have_it() {
    let set = [("AWS_LAMBDA_LOG_FORMAT", "Text"), ("AWS_LAMBDA_LOG_LEVEL", "ERROR")];
    let (running, answers) = Running::start(&[call("ping"), call("fall")], &set);
    (0..2).for_each(|_| drop(next(&answers)));
    let log = running.log();
    assert!(log[0].starts_with("ERROR id-0 panicked: the floor is gone place="), "{log:?}");
    assert_eq!(log.len(), 2, "{log:?}");
}

#[test]
fn outside_of_lambda_it_says_what_it_is() {
    let log = log_of(&mut start(&[]));
    let line: Value = serde_json::from_str(&log[0]).unwrap();
    let message = line["message"].as_str().unwrap();
    assert!(
        message.contains("AWS_LAMBDA_RUNTIME_API is not set") && message.contains("cargo lambda watch"),
        "{message}"
    );
}
