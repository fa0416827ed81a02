//! The shell line that signs itself anew: it is run, by the shells that people have.

use std::process::Command;

use crate::server::Server;
use crate::{median_edge, shown, stdout};
use insta::assert_snapshot;
use median_edge::MedianKey;

const KEY: &str = "median_key_SECRETSECRETSECRETSECRET";

/// Prints the line with these arguments, and runs it. Gives what the server got last.
fn pasted(shell: &str, arguments: &[&str], variables: &[(&str, &str)]) -> crate::server::Request {
    let server = Server::endpoint(200, r#"{"result":"it came"}"#);
    let url = server.url();
    let mut print =
        median_edge(&["call", url.as_str(), "orderStatus", "orderNumber=O'Brien $(id) `id` \"x\""]);
    let printed = print.args(arguments).arg("--curl").envs(variables.iter().copied()).output().unwrap();
    let line = stdout(&printed);
    assert!(!line.contains("SECRETSECRET"), "{line}");
    assert_eq!(line.lines().count(), 1);

    let mut run = Command::new(shell);
    let output =
        run.arg("-c").arg(&line).env("no_proxy", "*").envs(variables.iter().copied()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), r#"{"result":"it came"}"#, "{output:?}");
    server.last()
}

/// The shells that this machine has, sh among them.
fn shells() -> impl Iterator<Item = &'static str> {
    ["sh", "bash", "dash", "zsh"].into_iter().filter(|shell| {
        *shell == "sh" || Command::new(shell).arg("-c").arg(":").status().is_ok_and(|status| status.success())
    })
}

#[test]
fn the_line_makes_a_signed_call_in_every_shell() {
    for shell in shells() {
        let request = pasted(shell, &[], &[]);
        assert!(request.is_signed(), "{shell}: {request:?}");
        let body: serde_json::Value = serde_json::from_str(&request.body).unwrap();
        assert_eq!(body["input"]["orderNumber"], "O'Brien $(id) `id` \"x\"");
        let id = body["toolCallId"].as_str().unwrap();
        assert!(id.strip_prefix("test_").unwrap().parse::<u64>().is_ok(), "{id}");
        assert_eq!(body["context"]["conversationId"], id);
    }
}

#[test]
fn a_real_key_is_taken_from_where_it_is() {
    let key = MedianKey::parse(KEY).unwrap();
    let path = std::env::temp_dir().join(format!("median-edge-curl-{}", std::process::id()));
    std::fs::write(&path, format!("{KEY}\n")).unwrap();
    for shell in shells() {
        assert!(pasted(shell, &[], &[("MEDIAN_KEY", KEY)]).is_signed_with(&key));
        assert!(pasted(shell, &["--key-env", "SHOP"], &[("SHOP", KEY)]).is_signed_with(&key));
        assert!(pasted(shell, &["--key-file", path.to_str().unwrap()], &[]).is_signed_with(&key));
        let secret = "88c3f9e4dc47d0f24d3d54e9774a286bb6047cf929bde4ad83a7bf11e7dd6a31";
        assert!(pasted(shell, &[], &[("MEDIAN_TOOL_SECRET", secret)]).is_signed());
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_call_can_be_printed_without_an_endpoint() {
    let url = "http://127.0.0.1:1/api/median";
    let output =
        median_edge(&["call", url, "orderStatus", "orderNumber=7", "--id", "call_1", "--curl"]).output();
    assert_snapshot!(shown(&output.unwrap()));
}
