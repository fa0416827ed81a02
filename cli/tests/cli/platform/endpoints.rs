//! Endpoints and their syncs, and tools switched on and off.

use insta::assert_snapshot;

use super::{Desk, known, without_ids};
use crate::server::{Server, json};
use crate::{median_edge, stdout};

#[test]
fn an_endpoint_is_added_listed_and_removed() {
    let desk = Desk::bare();
    let server = Server::endpoint(200, r#"{"result":null}"#);
    assert_snapshot!("no_endpoint", desk.shown(&["tools", "endpoint", "list"]));
    assert_snapshot!("no_tools", desk.shown(&["tools", "list"]));
    assert_snapshot!("nothing_to_sync", desk.shown(&["tools", "sync"]));
    assert_snapshot!("added", desk.shown(&["tools", "endpoint", "add", &server.url()]));
    assert_snapshot!("listed", desk.shown(&["tools", "endpoint", "list"]));
    assert_snapshot!("its_tools", desk.shown(&["tools", "list"]));
    assert_snapshot!("synced", desk.shown(&["tools", "sync", &server.url()]));
    assert_snapshot!("removed", desk.shown(&["tools", "endpoint", "remove", &server.url()]));
    assert_snapshot!("removed_before", desk.shown(&["tools", "endpoint", "remove", &server.url()]));
    assert_eq!(desk.json(&["tools", "endpoint", "list"])["items"].as_array().unwrap().len(), 0);
}

#[test]
fn an_endpoint_goes_by_its_id_too() {
    let desk = Desk::demo();
    let list = desk.json(&["tools", "endpoint", "list"]);
    let id = list["items"][0]["id"].as_str().unwrap();
    assert!(desk.say(&["tools", "sync", id]).status.success());
    let removed = desk.json(&["tools", "endpoint", "remove", id]);
    assert_eq!(removed["removed"]["url"], desk.demo.as_str());
    assert!(desk.json(&["tools", "list"])["items"].as_array().unwrap().is_empty());
}

/// An endpoint that answers a `GET` with an error.
fn broken() -> Server {
    let error = r#"{"error":{"code":"invalid_signature","message":"Another key signed this."}}"#;
    Server::new(move |_| json(401, error))
}

#[test]
fn a_sync_that_fails_says_why_and_ends_with_1() {
    let desk = Desk::bare();
    let server = broken();
    assert_snapshot!("add_failed", desk.shown(&["tools", "endpoint", "add", &server.url()]));
    assert_snapshot!("sync_failed", desk.shown(&["tools", "sync"]));
    assert_snapshot!("failed_listed", desk.shown(&["tools", "endpoint", "list"]));
    let synced = desk.json(&["tools", "sync", &server.url()]);
    assert_eq!(
        (&synced["sync"]["state"], &synced["sync"]["code"]),
        (&"failed".into(), &"endpoint_error".into())
    );
}

#[test]
fn tools_that_another_endpoint_has_say_which_one_to_remove() {
    let desk = Desk::demo();
    let server = Server::endpoint(200, r#"{"result":null}"#);
    let added = desk.say(&["tools", "endpoint", "add", &server.url()]);
    assert_eq!(added.status.code(), Some(1));
    let text = without_ids(&stdout(&added));
    // Which address is which, whatever their ports are.
    let text = text.replace(&desk.demo, "DEMO").replace(&server.url(), "OWN").replace(&desk.url, "API");
    assert_snapshot!("tools_clash", text);
    // What it says to do is what does it.
    assert!(desk.say(&["tools", "endpoint", "remove", &desk.demo]).status.success());
    let synced = desk.say(&["tools", "sync", &server.url()]);
    assert!(synced.status.success(), "{}", known(&synced));
}

#[test]
fn every_endpoint_is_synced_and_one_that_fails_counts() {
    let desk = Desk::demo();
    let server = broken();
    assert_eq!(desk.say(&["tools", "endpoint", "add", &server.url()]).status.code(), Some(1));
    let output = desk.say(&["tools", "sync"]);
    let text = known(&output);
    assert!(text.contains("6 tools: orderStatus") && text.contains("Sync failed"), "{text}");
    assert_eq!(output.status.code(), Some(1));
    let states: Vec<_> = desk.json(&["tools", "sync"])["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|endpoint| endpoint["sync"]["state"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(states, ["synced", "failed"]);
    let tools = desk.json(&["tools", "list"]);
    assert_eq!(tools["items"].as_array().unwrap().len(), 6, "the good ones stay");
}

#[test]
fn tools_of_several_endpoints_say_whose_they_are() {
    let manifest = r#"{"version":1,"tools":[{"name":"other","description":"Another.","risk":"low","inputSchema":{"type":"object","properties":{},"additionalProperties":false}}]}"#;
    let server = Server::new(move |_| json(200, manifest));
    let desk = Desk::demo();
    assert!(desk.say(&["tools", "endpoint", "add", &server.url()]).status.success());
    let text = desk.shown(&["tools", "list"]);
    assert!(text.contains("endpoint") && text.contains("other"), "{text}");
}

#[test]
fn an_eleventh_sync_within_a_minute_says_to_wait() {
    let desk = Desk::bare();
    let server = Server::endpoint(200, r#"{"result":null}"#);
    assert!(desk.say(&["tools", "endpoint", "add", &server.url()]).status.success());
    let outputs: Vec<_> = (0..10).map(|_| desk.say(&["tools", "sync"])).collect();
    assert!(outputs[..9].iter().all(|output| output.status.success()));
    assert_snapshot!(known(&outputs[9]));
}

#[test]
fn a_tool_is_switched_off_and_on() {
    let desk = Desk::demo();
    assert_snapshot!("switched_off", desk.shown(&["tools", "disable", "refundOrder"]));
    assert_snapshot!("listed_with_one_off", desk.shown(&["tools", "list"]));
    let list = desk.shown(&["tools", "endpoint", "list"]);
    assert!(list.contains("6, 1 off"), "{list}");
    assert_snapshot!(
        "the_agent_does_not_see_it",
        desk.shown(&["tools", "test", "refundOrder", "orderNumber=ORD-1042", "--as-agent"])
    );
    assert_snapshot!("switched_on", desk.shown(&["tools", "enable", "refundOrder"]));
    assert_snapshot!("no_such_tool", desk.shown(&["tools", "enable", "refund/../Order"]));
}

#[test]
fn an_endpoint_with_a_key_of_its_own_is_added_with_it_and_the_key_is_not_shown() {
    let key = "median_key_SECRETSECRETSECRETSECRET";
    let other = Desk::start(&["dev", "--port", "0", "--json"], &[("MEDIAN_KEY", key)]);
    let desk = Desk::bare();
    let add = ["tools", "endpoint", "add", &other.demo, "--own-key-env", "OTHER_KEY", "--api", &desk.url];
    let without = median_edge(&add).output().unwrap();
    assert!(known(&without).contains("OTHER_KEY is not set"), "{without:?}");
    assert_eq!(without.status.code(), Some(2));
    let with = median_edge(&add).env("OTHER_KEY", key).output().unwrap();
    let text = known(&with);
    assert!(with.status.success() && text.contains("6 tools"), "{text}");
    assert!(
        !text.contains("SECRETSECRET")
            && !desk.shown(&["tools", "endpoint", "list", "--json"]).contains("SECRETSECRET")
    );
}
