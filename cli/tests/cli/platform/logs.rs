//! The log, and what happens while it is followed.

use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};

use insta::assert_snapshot;
use serde_json::Value;

use super::{Desk, known};
use crate::median_edge;
use crate::running::Dev;
use crate::server::{Server, json};

#[test]
fn the_log_shows_what_happened_the_newest_last() {
    let desk = Desk::demo();
    desk.say(&["tools", "test", "orderStatus", "orderNumber=ORD-1042"]);
    assert_snapshot!(desk.shown(&["logs", "--tool", "orderStatus"]));
}

#[test]
fn the_log_is_filtered() {
    let desk = Desk::demo();
    let id = desk.request();
    let events = |arguments: &[&str]| -> Vec<String> {
        let page = desk.json(&[&["logs"], arguments].concat());
        let items = page["items"].as_array().unwrap();
        items.iter().map(|event| event["event"].as_str().unwrap().to_owned()).collect()
    };
    for spelled in ["Alerts", "alerts", "ALERTS"] {
        assert_eq!(events(&["--type", spelled]), ["alert"], "{spelled}");
    }
    assert_eq!(events(&["--tool", "refundOrder", "--type", "Tools"]), ["request.recorded"]);
    let request = desk.json(&["tools", "approvals"]);
    assert_eq!(request["items"][0]["id"], id.as_str());
    let conversation = request["items"][0]["conversation"].as_str().unwrap();
    assert!(events(&["--conversation", conversation]).contains(&"request.recorded".to_owned()));
    assert!(events(&["--endpoint", &desk.demo]).contains(&"sync.good".to_owned()));
    assert_eq!(events(&["--limit", "1"]).len(), 1);
    assert!(known(&desk.say(&["logs", "--tool", "nothing"])).contains("No event is in the log that fits."));
    assert_snapshot!("no_such_type", desk.shown(&["logs", "--type", "tool"]));
}

/// `logs --follow` of a stand-in.
fn follow(desk: &Desk, arguments: &[&str]) -> Dev {
    let mut command = median_edge(&["logs", "--follow", "--api", &desk.url]);
    Dev::spawn(command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()))
}

#[test]
fn what_happens_is_followed_each_once_and_in_its_order() {
    let desk = Desk::demo();
    let mut log = follow(&desk, &["--json", "--tool", "orderStatus"]);
    for _ in 0..3 {
        desk.say(&["tools", "test", "orderStatus", "orderNumber=ORD-1042"]);
    }
    let events: Vec<Value> = (0..6).map(|_| log.json()).collect();
    let names: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["call.sent", "call.finished"].repeat(3));
    let abouts: Vec<_> = events.iter().map(|event| &event["about"]).collect();
    assert!(abouts[0] == abouts[1] && abouts[1] != abouts[2] && abouts[3] != abouts[4]);
}

#[test]
fn more_than_a_page_of_new_events_is_shown_whole_and_in_order() {
    let page = |numbers: &[u8], next: &str| {
        let event = |number: &u8| {
            format!(
                r#"{{"id":"log_{number}","atMs":{number},"type":"Tools","event":"call.sent","endpoint":null,"tool":null,"conversation":null,"about":null,"text":"t"}}"#
            )
        };
        let events: Vec<_> = numbers.iter().map(event).collect();
        json(200, &format!(r#"{{"items":[{}],"next":{next}}}"#, events.join(",")))
    };
    let asked = AtomicU32::new(0);
    let api = Server::new(move |request| match (asked.fetch_add(1, Ordering::Relaxed), &*request.path) {
        (0, "/v1/logs?limit=1") => page(&[1], "null"),
        (_, "/v1/logs?limit=200") => page(&[5, 4], "4"),
        (_, "/v1/logs?limit=200&before=4") => page(&[3, 2], "2"),
        (_, "/v1/logs?limit=200&before=2") => page(&[1, 0], "null"),
        (_, path) => json(400, path),
    });
    let url = api.url().replace("/api/median", "");
    let mut command = median_edge(&["logs", "--follow", "--json", "--limit", "1", "--api", &url]);
    let mut log = Dev::spawn(command.stdout(Stdio::piped()).stderr(Stdio::null()));
    let shown: Vec<_> = (0..5).map(|_| log.json()["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(shown, ["log_1", "log_2", "log_3", "log_4", "log_5"]);
}

#[test]
fn following_begins_with_what_is_there() {
    let desk = Desk::demo();
    desk.say(&["tools", "test", "orderStatus", "orderNumber=ORD-1042"]);
    let mut log = follow(&desk, &["--tool", "orderStatus", "--limit", "1"]);
    let line = log.line();
    assert!(line.contains("call.finished") && line.contains("orderStatus answered: refusal."), "{line}");
}

#[test]
fn following_ends_when_the_stand_in_does_and_says_so() {
    let mut desk = Desk::demo();
    let mut log = follow(&desk, &[]);
    assert!(!log.line().is_empty());
    desk.dev.child.kill().unwrap();
    desk.dev.child.wait().unwrap();
    // What is left is read, so that it is not the reader that ends it.
    while !log.line().is_empty() {}
    let mut why = String::new();
    std::io::Read::read_to_string(&mut log.child.stderr.take().unwrap(), &mut why).unwrap();
    let (_, end) = why.split_once("development.\n").unwrap();
    assert_eq!(end, "The stand-in has stopped, and the log ends here.\n");
    assert_eq!(log.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_log_that_cannot_be_followed_any_more_is_a_failure() {
    let asked = AtomicU32::new(0);
    let api = Server::new(move |_| match asked.fetch_add(1, Ordering::Relaxed) {
        0 => json(200, r#"{"items":[],"next":null}"#),
        _ => json(500, r#"{"error":{"code":"storage_failed","message":"The disk is full."}}"#),
    });
    let url = api.url().replace("/api/median", "");
    let followed = median_edge(&["logs", "--follow", "--api", &url]).output().unwrap();
    assert_eq!(followed.status.code(), Some(1), "{}", known(&followed));
    // Nobody was there to begin with.
    let none = median_edge(&["logs", "--follow", "--api", "http://127.0.0.1:1"]).output().unwrap();
    assert_eq!(none.status.code(), Some(2), "{}", known(&none));
}

#[test]
fn following_ends_when_its_reader_has_gone() {
    let desk = Desk::demo();
    let mut log = follow(&desk, &["--limit", "1"]);
    assert!(!log.line().is_empty());
    log.out = None;
    desk.say(&["tools", "test", "orderStatus", "orderNumber=ORD-1042"]);
    assert_eq!(log.child.wait().unwrap().code(), Some(0));
}
