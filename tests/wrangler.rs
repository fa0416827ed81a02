//! The commands that a user deploys and develops with, and the bindings that they lend.

use std::env;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use median_edge_tests::{Answer, Http, MOUNT, Transport, call, signed_at};
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_mins(3);

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
    assert!(Path::new(out).join("index.js").exists());
}

/// `wrangler dev`, ended when it is dropped.
struct Dev {
    process: Child,
    address: SocketAddr,
}

impl Dev {
    fn start(folder: &str, more: &[&str]) -> Option<Self> {
        // Free a moment ago, and nobody else is told of it.
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
        let port = free.port().to_string();
        let mut arguments = vec!["dev", "--ip", "127.0.0.1", "--port", &port, "--inspector-port", "0"];
        arguments.extend(more);
        let mut command = wrangler(folder, &arguments)?;
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (out, errors) = (process.stdout.take().unwrap(), process.stderr.take().unwrap());
        for pipe in [Box::new(out) as Box<dyn std::io::Read + Send>, Box::new(errors)] {
            let log = Arc::clone(&log);
            thread::spawn(move || {
                for line in BufReader::new(pipe).lines().map_while(Result::ok) {
                    log.lock().unwrap_or_else(PoisonError::into_inner).push(line);
                }
            });
        }
        let mut dev = Self { process, address: free };
        let started = Instant::now();
        while dev.get().is_none() {
            let log = || log.lock().unwrap_or_else(PoisonError::into_inner).clone();
            assert!(started.elapsed() < PATIENCE, "wrangler dev does not answer: {:#?}", log());
            assert!(dev.process.try_wait().unwrap().is_none(), "wrangler dev ended: {:#?}", log());
            thread::sleep(Duration::from_millis(100));
        }
        Some(dev)
    }

    /// The answer to a request that needs no signature to be ours.
    fn get(&self) -> Option<Answer> {
        let answer = Http(self.address).send(&median_edge_tests::Ask::new("GET", MOUNT)).ok()?;
        (answer.code().as_deref() == Some("missing_signature")).then_some(answer)
    }

    fn result(&self, tool: &str, input: &Value) -> Value {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
        let ask = signed_at(u64::try_from(now).unwrap(), "POST", MOUNT, call(tool, input));
        let answer = Http(self.address).send(&ask).unwrap();
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()["result"].clone()
    }
}

impl Drop for Dev {
    fn drop(&mut self) {
        // It ends its own processes when it is asked to, and not when it is killed.
        let asked = Command::new("kill").arg(self.process.id().to_string()).status();
        let started = Instant::now();
        while asked.is_ok() && started.elapsed() < Duration::from_secs(20) {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_demo_is_developed_with_wrangler() {
    let key = "MEDIAN_KEY:median_key_local_0000000000000000000000000000";
    let Some(dev) = Dev::start("", &["--var", key]) else { return };
    let order = dev.result("orderStatus", &json!({"orderNumber": "ORD-1042"}));
    // The visitor of the tests is not the customer of that order.
    assert_eq!(order["reason"], "no_such_order", "{order}");
}

#[test]
fn a_tool_awaits_kv_and_d1_through_its_state() {
    let persisted = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrangler-state");
    let _ = std::fs::remove_dir_all(&persisted);
    let persist = ["--persist-to", persisted.to_str().unwrap()];
    let Some(dev) = Dev::start("tests/worker", &persist) else { return };
    assert_eq!(dev.result("recall", &json!({"key": "a"})), json!({"value": null}));
    dev.result("remember", &json!({"key": "a", "value": "b"}));
    assert_eq!(dev.result("recall", &json!({"key": "a"})), json!({"value": "b"}));
    assert_eq!(dev.result("sum", &json!({"a": 1, "b": 2.5})), json!(3.5));
}
