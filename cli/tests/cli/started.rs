//! How the command names itself in what it says to type next: as it was started.

use std::process::Output;

use crate::server::{Server, answer, json};
use crate::{median_edge, shown};

/// Started by `cargo run` in a clone.
fn by_cargo(arguments: &[&str], tool_secret: &str) -> Output {
    let mut command = median_edge(arguments);
    // An empty one is none.
    command.env("CARGO_PKG_NAME", "median-edge-cli").env("MEDIAN_TOOL_SECRET", tool_secret).output().unwrap()
}

#[test]
fn started_by_cargo_no_hint_names_a_command_that_is_not_installed() {
    let secret = "1".repeat(64);
    let error = |code: &'static str, status| {
        Server::new(move |_| json(status, &format!(r#"{{"error":{{"code":"{code}","message":"No."}}}}"#)))
    };
    let (unknown, input) = (error("unknown_tool", 404), error("invalid_input", 400));
    let stopping = error("stopping", 503);
    let page = Server::new(|_| answer(200, "content-type: text/html\r\n", "<html>"));
    let closed = "http://127.0.0.1:1";
    let cases: [(&[&str], &str); 9] = [
        (&["check"], ""),
        (&["manifest", closed], ""),
        (&["manifest", "--application", &page.url()], ""),
        (&["call", &unknown.url(), "t"], ""),
        (&["call", &input.url(), "t"], ""),
        (&["tools", "list", "--api", &page.url()], ""),
        (&["tools", "list", "--api", &stopping.url()], ""),
        (&["tools", "list", "--api", closed], &secret),
        (&["no-such-word", "--json"], ""),
    ];
    for (arguments, tool_secret) in cases {
        let text = shown(&by_cargo(arguments, tool_secret));
        let is_named = text.contains("`cargo run -q -- ") || text.contains("like cargo run -q -- check");
        assert!(is_named && !text.contains("median-edge "), "{arguments:?}: {text}");
    }
}
