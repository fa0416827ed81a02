//! What keeps the words from being heard, and what to do about it.

use std::net::TcpListener;

use insta::assert_snapshot;

use super::{Desk, known};
use crate::server::{Server, answer, json};
use crate::{median_edge, output};

const KEY: &str = "median_key_SECRETSECRETSECRETSECRET";

#[test]
fn no_stand_in_is_said_with_how_to_start_one() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let api = format!("http://{closed}");
    assert_snapshot!("no_stand_in", known(&output(&["tools", "list", "--api", &api])));
    let text = known(&output(&["logs", "--json", "--api", &api]));
    assert!(text.contains(r#""code": "unreachable""#) && text.contains("median-edge dev"), "{text}");
}

#[test]
fn the_address_comes_from_the_variable_that_connecting_has_and_an_option_wins() {
    let desk = Desk::bare();
    let list = |variable: &str, arguments: &[&str]| {
        median_edge(&["tools", "list"]).args(arguments).env("MEDIAN_API_URL", variable).output().unwrap()
    };
    assert!(list(&format!(" {}/ ", desk.url), &[]).status.success());
    assert!(list("http://127.0.0.1:9", &["--api", &desk.url]).status.success());
    assert_eq!(list("http://127.0.0.1:9", &[]).status.code(), Some(2));
}

#[test]
fn another_key_is_said_without_showing_any() {
    let desk = Desk::start(&["dev", "--no-demo", "--json"], &[("MEDIAN_KEY", KEY)]);
    assert_snapshot!("the_public_key_is_not_it", desk.shown(&["tools", "list"]));
    let with = |key: &str| {
        median_edge(&["tools", "list", "--api", &desk.url]).env("MEDIAN_KEY", key).output().unwrap()
    };
    assert!(with(KEY).status.success());
    let other = with("median_key_ANOTHERANOTHERANOTHER");
    assert_snapshot!("another_key", known(&other));
}

#[test]
fn a_tool_signing_secret_opens_nothing_and_the_key_beside_it_does() {
    let secret = "1".repeat(64);
    let list = || {
        let mut command = median_edge(&["tools", "list"]);
        command.env("MEDIAN_TOOL_SECRET", &secret);
        command
    };
    assert_snapshot!(known(&list().output().unwrap()));
    let both = [("MEDIAN_TOOL_SECRET", &*secret), ("MEDIAN_KEY", KEY)];
    let desk = Desk::start(&["dev", "--no-demo", "--json"], &both);
    let opened = list().env("MEDIAN_KEY", KEY).args(["--api", &desk.url]).output().unwrap();
    assert!(opened.status.success(), "{}", known(&opened));
}

#[test]
fn the_key_does_not_go_where_others_can_read_it() {
    assert_snapshot!("over_http", known(&output(&["tools", "list", "--api", "http://shop.example"])));
    assert_snapshot!("no_address", known(&output(&["logs", "--api", "127.0.0.1:7421"])));
}

#[test]
fn the_key_goes_to_no_address_that_a_redirect_names() {
    let server = Server::new(|_| answer(307, "location: https://evil.example/\r\n", ""));
    let api = server.url().replace("/api/median", "");
    let output = median_edge(&["tools", "list", "--api", &api]).env("MEDIAN_KEY", KEY).output().unwrap();
    assert_snapshot!(known(&output));
    assert_eq!(server.requests().len(), 1);
    assert_eq!(server.last().header("authorization"), Some(&*format!("Bearer {KEY}")));
    assert!(server.last().header("median-signature").is_none());
}

#[test]
fn something_else_at_the_address_is_told_from_the_api() {
    let page = Server::new(|_| answer(200, "content-type: text/html\r\n", "<html>"));
    let other = Server::new(|_| json(200, r#"{"tools":[]}"#));
    let missing = Server::new(|_| answer(404, "", "not here"));
    let tools = |server: &Server| known(&output(&["tools", "list", "--api", &server.url()]));
    assert_snapshot!("a_page", tools(&page));
    assert_snapshot!("other_json", tools(&other));
    assert_snapshot!("nothing_there", tools(&missing));
}

#[test]
fn an_endpoint_at_the_address_is_told_from_the_stand_in() {
    let desk = Desk::demo();
    let site = desk.demo.replace("/api/median", "");
    let list = |api: &str| known(&output(&["tools", "list", "--api", api]));
    assert_snapshot!("an_endpoint", list(&site));
    assert_eq!(list(&desk.demo), list(&site));
    let add = ["tools", "endpoint", "add", &desk.demo, "--api", &desk.demo];
    assert!(known(&output(&add)).contains("That is an endpoint, not the stand-in"));
    // One that is mounted at the root asks for a signature everywhere.
    let error =
        r#"{"error":{"code":"missing_signature","message":"The median-signature header is missing."}}"#;
    let at_the_root = Server::new(move |_| json(401, error));
    assert_eq!(list(&at_the_root.url()), list(&site));
    // What the stand-in itself does not find is no endpoint's.
    let none = known(&desk.say(&["tools", "enable", "nothing"]));
    assert!(!none.contains("That is an endpoint"), "{none}");
}

#[test]
fn an_address_that_is_no_endpoints_is_refused_before_anything_is_sent() {
    let output = output(&["tools", "endpoint", "add", "shop.example/api", "--api", "http://127.0.0.1:9"]);
    assert!(known(&output).contains("shop.example/api is not the address of an endpoint"), "{output:?}");
    assert_eq!(output.status.code(), Some(2));
}
