//! The commands that a user builds and develops with: `sam build`, and `cargo lambda watch`.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use median_edge::MedianKey;
use median_edge_conformance::Options;
use median_edge_conformance::wire::{self, Feature, Trouble};
use median_edge_tests::{
    Ask, InProcess, NOW_MS, Report, RequestsFile, Runtime, Tool, ToolServer, Transport, proved, read,
};

/// `PATH` with cargo-lambda on it.
const PATH: &str = "MEDIAN_EDGE_LAMBDA_PATH";
/// Where `sam build` put what it built.
const SAM_BUILD: &str = "MEDIAN_EDGE_SAM_BUILD";

#[test]
fn sam_builds_the_demo_for_arm_as_the_template_says() {
    let Ok(folder) = env::var(SAM_BUILD).map(PathBuf::from) else {
        println!("left out: `cargo xtask test --only lambda` runs it");
        return;
    };
    let program = fs::read(folder.join("Endpoint/bootstrap")).unwrap();
    assert_eq!(&program[..4], b"\x7fELF");
    // The processor of an ELF file: 183 is AArch64.
    assert_eq!(u16::from_le_bytes([program[18], program[19]]), 183);
    assert!(folder.join("template.yaml").is_file());
}

const WATCH: Tool = Tool {
    name: "cargo lambda watch",
    path: "/",
    // It builds with the first request.
    patience: Duration::from_mins(10),
    signal: "INT",
};

/// `cargo lambda watch` of the conformance application.
fn watch(variables: &[(&str, &str)]) -> Option<ToolServer> {
    let Ok(path) = env::var(PATH) else {
        println!("left out: `cargo xtask test --only lambda` runs it");
        return None;
    };
    let address = Tool::address();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut command = Command::new("cargo");
    // One function is at `/`; of several, each has a path of its own.
    command.args([
        "lambda",
        "watch",
        "--package",
        "conformance-lambda",
        "--ignore-changes",
        "--disable-cors",
    ]);
    command.args(["--invoke-address", "127.0.0.1", "--invoke-port", &address.port().to_string()]);
    command.current_dir(root).env("PATH", path);
    command.envs(variables.iter().copied()).env_remove("MEDIAN_TOOL_SECRET");
    Some(WATCH.serve(command, address))
}

/// Why cargo-lambda's events are not those of AWS for a request.
fn keeps(ask: &Ask) -> bool {
    let names: BTreeSet<_> = ask.headers.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
    // Of two lines it takes the last, where AWS joins them; and it fails on bytes that are no UTF-8.
    names.len() < ask.headers.len() || ask.headers.iter().any(|(_, value)| !is_text(value))
}

fn is_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok()
}

/// What is no UTF-8 is sent as what it is: where the type is textual or missing, cargo-lambda fails, and AWS does not.
fn as_bytes(headers: &mut Vec<(String, Vec<u8>)>, body: &[u8]) {
    if !is_text(body) {
        headers.retain(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
        headers.push(("content-type".to_owned(), b"application/octet-stream".to_vec()));
    }
}

#[test]
fn cargo_lambda_watch_answers_the_vectors_as_they_are_answered_in_process() {
    let key = median_edge::key::LOCAL_KEY;
    let now = NOW_MS.to_string();
    let Some(watch) = watch(&[("MEDIAN_KEY", key), ("CONFORMANCE_NOW_MS", &now)]) else { return };
    let mut report = Report::default();
    for name in ["signature.json", "calls.json"] {
        let file: RequestsFile = read(name);
        let in_process = InProcess.start(&file.default_keys, NOW_MS).unwrap();
        assert_eq!(file.default_keys.get("MEDIAN_KEY").map(String::as_str), Some(key));
        let usual =
            |vector: &&median_edge_tests::RequestVector| vector.keys.is_none() && vector.now == NOW_MS;
        for vector in file.vectors.iter().filter(usual) {
            let mut ask = vector.ask();
            as_bytes(&mut ask.headers, ask.body.as_deref().unwrap_or_default());
            if !keeps(&ask) {
                let answer = watch.http().send(&ask);
                let expected = in_process.send(&ask).unwrap();
                // A body that came as text and holds U+FFFD may have been other bytes before, and the message says so.
                let body = ask.body.as_deref().unwrap_or_default();
                let says_more = String::from_utf8_lossy(body).contains('\u{fffd}');
                let checked = answer.and_then(|answer| answer.check_same(&ask, &expected, says_more));
                report.check(&vector.id, checked);
            }
        }
    }
    report.finish();
}

/// The checker's own transport, without what cargo-lambda does not carry.
struct ThroughWatch(median_edge_conformance::http::Http);

impl wire::Transport for ThroughWatch {
    fn target(&self) -> String {
        self.0.target()
    }

    fn cannot(&self, feature: Feature) -> Option<&'static str> {
        match feature {
            Feature::HeaderBytes => Some("cargo-lambda fails on bytes that are no UTF-8"),
            Feature::HeaderLines => Some("cargo-lambda takes the last of several lines"),
            _ => self.0.cannot(feature),
        }
    }

    fn send(&self, ask: &wire::Ask) -> Result<wire::Answer, Trouble> {
        let mut ask = ask.clone();
        as_bytes(&mut ask.headers, &ask.body);
        self.0.send(&ask)
    }

    fn send_at_once(&self, asks: &[wire::Ask]) -> Result<Vec<wire::Answer>, Trouble> {
        self.0.send_at_once(asks)
    }
}

#[test]
fn the_checker_finds_nothing_wrong_behind_cargo_lambda_watch() {
    let key = "median_key_of_the_checker_0123456789";
    let Some(watch) = watch(&[("MEDIAN_KEY", key)]) else { return };
    let address = format!("http://{}", watch.address());
    let http = median_edge_conformance::http::Http::new(&address, Duration::from_secs(20)).unwrap();
    let options = Options { call_low: true, time_limit: Duration::from_mins(10), ..Options::default() };
    let secret = MedianKey::parse(key).unwrap().tool_secret();
    let report = proved(&ThroughWatch(http), &secret, &options);
    let (passed, _, skipped) = report.counts();
    println!("{passed} requirements were proved, {skipped} skipped");
    assert!(passed > 120, "{passed} requirements were proved");
}
