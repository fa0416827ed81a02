//! The commands that a user deploys and develops with, and the bindings that they lend.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use median_edge_tests::{MOUNT, Tool, ToolServer, Transport, called_now};
use serde_json::{Value, json};

/// A command of wrangler's, in a folder of the workspace; nothing where there is no wrangler.
fn wrangler(folder: &str, arguments: &[&str]) -> Option<Command> {
    let Ok(line) = env::var("MEDIAN_EDGE_WRANGLER") else {
        println!("left out: `cargo xtask test --only worker` runs it");
        return None;
    };
    let (node, script) = line.split_once('\n').unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut command = Command::new(node);
    command.arg(script).args(arguments).current_dir(root.join(folder)).stdin(Stdio::null());
    // It asks nobody, tells nobody, and keeps what it keeps in the build's folder.
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrangler");
    command.env("CI", "true").env("WRANGLER_SEND_METRICS", "false").env("XDG_CONFIG_HOME", home);
    Some(command)
}

#[test]
fn the_demo_would_be_deployed() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("deploy");
    let out = out.to_str().unwrap();
    let Some(mut deploy) = wrangler("", &["deploy", "--dry-run", "--outdir", out]) else { return };
    let output = deploy.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("Total Upload"), "{text}");
    assert!(Path::new(out).join("main.js").exists());
}

const DEV: Tool =
    Tool { name: "wrangler dev", path: MOUNT, patience: Duration::from_mins(3), signal: "TERM" };

fn dev(folder: &str, more: &[&str]) -> Option<ToolServer> {
    let address = Tool::address();
    let port = address.port().to_string();
    let mut arguments = vec!["dev", "--ip", "127.0.0.1", "--port", &port, "--inspector-port", "0"];
    arguments.extend(more);
    Some(DEV.serve(wrangler(folder, &arguments)?, address))
}

fn result(dev: &ToolServer, tool: &str, input: &Value) -> Value {
    let answer = dev.http().send(&called_now(tool, input)).unwrap();
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["result"].clone()
}

#[test]
fn the_demo_is_developed_with_wrangler() {
    let key = "MEDIAN_KEY:median_key_local_0000000000000000000000000000";
    let Some(dev) = dev("", &["--var", key]) else { return };
    let order = result(&dev, "orderStatus", &json!({"orderNumber": "ORD-1042"}));
    // The visitor of the tests is not the customer of that order.
    assert_eq!(order["reason"], "no_such_order", "{order}");
}

#[test]
fn a_tool_awaits_kv_and_d1_through_its_state() {
    let persisted = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrangler-state");
    let _ = std::fs::remove_dir_all(&persisted);
    let persist = ["--persist-to", persisted.to_str().unwrap()];
    let Some(dev) = dev("tests/worker", &persist) else { return };
    assert_eq!(result(&dev, "recall", &json!({"key": "a"})), json!({"value": null}));
    result(&dev, "remember", &json!({"key": "a", "value": "b"}));
    assert_eq!(result(&dev, "recall", &json!({"key": "a"})), json!({"value": "b"}));
    assert_eq!(result(&dev, "sum", &json!({"a": 1, "b": 2.5})), json!(3.5));
}
