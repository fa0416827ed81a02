//! Tests of tools, calls as the agent makes them, and requests that wait for a decision.

use insta::assert_snapshot;

use super::{Desk, known};
use crate::server::{Server, json};

const STATUS: [&str; 4] = ["tools", "test", "orderStatus", "orderNumber=ORD-1042"];
const REFUND: [&str; 5] = ["tools", "test", "refundOrder", "orderNumber=ORD-1042", "cents=500"];

#[test]
fn a_low_tool_is_tested() {
    let desk = Desk::demo();
    assert_snapshot!("tested", desk.shown(&[&STATUS[..], &["--visitor", "user_1"]].concat()));
    assert_snapshot!("tested_by_nobody", desk.shown(&STATUS));
    let whole = desk.json(&[
        "tools",
        "test",
        "orderStatus",
        "--visitor",
        "user_1",
        "--input",
        r#"{"orderNumber":"ORD-1042"}"#,
    ]);
    assert_eq!((&whole["ok"], &whole["call"]["origin"]), (&true.into(), &"test".into()));
    assert_eq!(whole["call"]["input"], r#"{"orderNumber":"ORD-1042"}"#);
}

#[test]
fn a_test_is_on_the_conversation_that_is_named() {
    let desk = Desk::demo();
    let first = desk.json(&[&STATUS[..], &["--visitor", "user_1"]].concat());
    let conversation = first["call"]["conversation"].as_str().unwrap();
    let second = desk.json(&[&STATUS[..], &["--conversation", conversation]].concat());
    assert_eq!((&second["ok"], &second["call"]["conversation"]), (&true.into(), &conversation.into()));
}

#[test]
fn a_test_of_a_high_tool_runs_at_once_and_says_that_the_agents_call_waits() {
    let desk = Desk::demo();
    assert_snapshot!(desk.shown(&[&REFUND[..], &["--visitor", "user_1"]].concat()));
}

#[test]
fn a_high_call_waits_is_approved_and_runs_once() {
    let desk = Desk::demo();
    let as_agent = [&REFUND[..], &["--visitor", "user_1", "--as-agent"]].concat();
    assert_snapshot!("waits", desk.shown(&as_agent));
    assert_snapshot!("open", desk.shown(&["tools", "approvals"]));
    let open = desk.json(&["tools", "approvals"]);
    let (id, conversation) = (&open["items"][0]["id"], &open["items"][0]["conversation"]);
    let (id, conversation) = (id.as_str().unwrap(), conversation.as_str().unwrap());

    let again = [&REFUND[..], &["--conversation", conversation, "--as-agent"]].concat();
    assert_snapshot!("still_waiting", desk.shown(&again));
    assert_snapshot!("approved", desk.shown(&["tools", "approvals", "approve", id, "--teammate", "Ana"]));
    assert_snapshot!("decided_before", desk.shown(&["tools", "approvals", "approve", id]));
    assert_snapshot!("none_open", desk.shown(&["tools", "approvals"]));
    assert_snapshot!("all", desk.shown(&["tools", "approvals", "--status", "all"]));
}

#[test]
fn a_request_is_denied_and_does_not_run() {
    let desk = Desk::demo();
    let id = desk.request();
    assert_snapshot!("denied", desk.shown(&["tools", "approvals", "deny", &id]));
    let denied = desk.json(&["tools", "approvals", "--status", "denied"]);
    assert_eq!((&denied["items"][0]["id"], &denied["items"][0]["startedMs"]), (&id.into(), &().into()));
}

#[test]
fn an_approved_call_of_a_tool_that_is_off_does_not_run_and_ends_with_1() {
    let desk = Desk::demo();
    let id = desk.request();
    assert!(desk.say(&["tools", "disable", "refundOrder"]).status.success());
    assert_snapshot!(desk.shown(&["tools", "approvals", "approve", &id]));
}

#[test]
fn a_test_of_a_tool_that_is_off_runs_and_says_that_it_is_off() {
    let desk = Desk::demo();
    assert!(desk.say(&["tools", "disable", "orderStatus"]).status.success());
    assert_snapshot!("tested_while_off", desk.shown(&[&STATUS[..], &["--visitor", "user_1"]].concat()));
}

#[test]
fn a_reviewed_call_says_who_it_waits_for() {
    let desk = Desk::demo();
    let call = ["tools", "test", "changeAddress", "--visitor", "user_1", "--as-agent", "--input"];
    let input = r#"{"orderNumber":"ORD-1043","street":"Via Po 2","city":"Torino","postalCode":"10123"}"#;
    let called = desk.say(&[&call[..], &[input]].concat());
    let text = known(&called);
    assert!(
        called.status.success()
            && text.contains("Waits for the reviewer:")
            && text.contains("approve apr_ID"),
        "{text}"
    );
}

#[test]
fn an_input_that_does_not_fit_names_its_field() {
    let desk = Desk::demo();
    assert_snapshot!("does_not_fit", desk.shown(&["tools", "test", "orderStatus"]));
    let anyway = ["tools", "test", "orderStatus", "--as-agent", "--send-anyway"];
    assert_snapshot!("sent_anyway", desk.shown(&anyway));
}

#[test]
fn a_tool_that_is_not_there_is_said_with_those_that_are() {
    let desk = Desk::demo();
    assert_snapshot!(desk.shown(&["tools", "test", "orderState"]));
}

#[test]
fn an_endpoint_that_does_not_answer_is_told_to_you_and_not_to_the_agent() {
    let desk = Desk::bare();
    let server = Server::endpoint(503, "<html>down</html>");
    assert!(desk.say(&["tools", "endpoint", "add", &server.url()]).status.success());
    assert_snapshot!(desk.shown(&["tools", "test", "orderStatus", "orderNumber=1"]));
}

#[test]
fn a_long_result_is_cut_where_the_agent_stops_reading() {
    let desk = Desk::bare();
    let server = Server::endpoint(200, &format!(r#"{{"result":"{}"}}"#, "0123456789".repeat(420)));
    assert!(desk.say(&["tools", "endpoint", "add", &server.url()]).status.success());
    let text = desk.shown(&["tools", "test", "orderStatus", "orderNumber=1"]);
    assert!(text.contains("The agent reads up to here: 4,000 of 4,202 characters."), "{text}");
}

#[test]
fn a_tool_that_failed_shows_what_the_agent_reads() {
    let desk = Desk::bare();
    let server = Server::endpoint(
        200,
        r#"{"error":{"code":"execution_failed","message":"The warehouse is closed."}}"#,
    );
    assert!(desk.say(&["tools", "endpoint", "add", &server.url()]).status.success());
    assert_snapshot!(desk.shown(&["tools", "test", "orderStatus", "orderNumber=1"]));
}

#[test]
fn the_input_of_a_request_is_shown_whole_and_on_a_line() {
    let desk = Desk::demo();
    let input = "{\"orderNumber\": \"ORD-1042\",\n\n\n\n\"cents\" : 5e2}";
    let call = ["tools", "test", "refundOrder", "--visitor", "user_1", "--as-agent", "--input", input];
    assert_eq!(desk.json(&call)["approval"]["input"], input);
    let shown = desk.shown(&["tools", "approvals"]);
    assert!(shown.contains(r#"{"orderNumber": "ORD-1042", "cents" : 5e2}"#), "{shown}");
}

#[test]
fn an_answer_that_is_no_manifest_leaves_nothing_to_test() {
    let desk = Desk::bare();
    let server = Server::new(|_| json(200, "{}"));
    assert_eq!(desk.say(&["tools", "endpoint", "add", &server.url()]).status.code(), Some(1));
    let text = desk.shown(&["tools", "test", "orderStatus"]);
    assert!(text.contains("There is no tool orderStatus. There are none."), "{text}");
}
