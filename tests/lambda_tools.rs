//! The commands that a user builds and develops with: `sam build`, and `cargo lambda watch`.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use median_edge::MedianKey;
use median_edge_conformance::{Options, run};
use median_edge_tests::{
    Answer, Ask, Http, InProcess, NOW_MS, Report, RequestsFile, Runtime, Transport, read,
};

/// `PATH` with cargo-lambda on it.
const PATH: &str = "MEDIAN_EDGE_LAMBDA_PATH";
/// Where `sam build` put what it built.
const SAM_BUILD: &str = "MEDIAN_EDGE_SAM_BUILD";

/// It builds with the first request.
const PATIENCE: Duration = Duration::from_mins(10);

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

/// `cargo lambda watch` of the conformance application, ended when it is dropped.
struct Watch {
    process: Child,
    address: SocketAddr,
}

impl Watch {
    fn start(variables: &[(&str, &str)]) -> Option<Self> {
        let Ok(path) = env::var(PATH) else {
            println!("left out: `cargo xtask test --only lambda` runs it");
            return None;
        };
        // Free a moment ago, and nobody else is told of it.
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut command = Command::new("cargo");
        command.args(["lambda", "watch", "--ignore-changes", "--invoke-address", "127.0.0.1"]);
        command.args(["--invoke-port", &address.port().to_string()]);
        command.current_dir(root.join("examples/conformance/lambda")).env("PATH", path);
        command.envs(variables.iter().copied()).env_remove("MEDIAN_TOOL_SECRET");
        let mut process =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
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
        let mut watch = Self { process, address };
        let started = Instant::now();
        while !watch.answers() {
            let log = || log.lock().unwrap_or_else(PoisonError::into_inner).clone();
            assert!(started.elapsed() < PATIENCE, "cargo lambda watch does not answer: {:#?}", log());
            assert!(watch.process.try_wait().unwrap().is_none(), "cargo lambda watch ended: {:#?}", log());
            thread::sleep(Duration::from_millis(200));
        }
        Some(watch)
    }

    /// Whether what answers is ours.
    fn answers(&self) -> bool {
        let answer = Http(self.address).send(&Ask::new("GET", "/"));
        answer.is_ok_and(|answer| answer.code().as_deref() == Some("missing_signature"))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // It ends its own processes when it is asked to, and not when it is killed.
        let asked = Command::new("kill").arg("-INT").arg(self.process.id().to_string()).status();
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

/// What cargo-lambda answers by itself, or not as AWS does.
fn keeps(ask: &Ask) -> bool {
    // It takes every OPTIONS for a browser's question, and knows the methods that are usual.
    !["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"].contains(&ask.method.as_str())
        // It refuses what is no UTF-8 where the type says text or nothing; AWS makes it base64.
        || ask.body.as_ref().is_some_and(|body| std::str::from_utf8(body).is_err())
}

/// The headers that it adds.
fn is_added(name: &str) -> bool {
    name.starts_with("access-control-") || ["vary", "content-length", "date", "connection"].contains(&name)
}

fn same(ask: &Ask, answer: &Answer, expected: &Answer) -> Result<(), String> {
    let headers = |answer: &Answer| {
        let mut headers: Vec<_> =
            answer.headers.iter().filter(|(name, _)| !is_added(name)).cloned().collect();
        headers.sort_unstable();
        headers
    };
    let body = ask.method == "HEAD" || answer.body == expected.body;
    if answer.status == expected.status && headers(answer) == headers(expected) && body {
        Ok(())
    } else {
        Err(format!("answers {answer:?}, not {expected:?}"))
    }
}

#[test]
fn cargo_lambda_watch_answers_the_vectors_as_they_are_answered_in_process() {
    let key = median_edge::key::LOCAL_KEY;
    let now = NOW_MS.to_string();
    let Some(watch) = Watch::start(&[("MEDIAN_KEY", key), ("CONFORMANCE_NOW_MS", &now)]) else { return };
    let mut report = Report::default();
    for name in ["signature.json", "calls.json"] {
        let file: RequestsFile = read(name);
        let in_process = InProcess.start(&file.default_keys, NOW_MS).unwrap();
        assert_eq!(file.default_keys.get("MEDIAN_KEY").map(String::as_str), Some(key));
        let usual =
            |vector: &&median_edge_tests::RequestVector| vector.keys.is_none() && vector.now == NOW_MS;
        for vector in file.vectors.iter().filter(usual) {
            let ask = vector.ask();
            if !keeps(&ask) {
                let answer = Http(watch.address).send(&ask);
                let expected = in_process.send(&ask).unwrap();
                report.check(&vector.id, answer.and_then(|answer| same(&ask, &answer, &expected)));
            }
        }
    }
    report.finish();
}

/// Requirements that cargo-lambda stands before.
const NOT_MET_BY_WATCH: [&str; 0] = [];

#[test]
fn the_checker_finds_nothing_wrong_behind_cargo_lambda_watch() {
    let key = "median_key_of_the_checker_0123456789";
    let Some(watch) = Watch::start(&[("MEDIAN_KEY", key)]) else { return };
    let address = format!("http://{}", watch.address);
    let http = median_edge_conformance::http::Http::new(&address, Duration::from_secs(20)).unwrap();
    let options = Options { call_low: true, time_limit: Duration::from_mins(10), ..Options::default() };
    let report = run(&http, &MedianKey::parse(key).unwrap().tool_secret(), &options, |_| ());
    let ours = |id: &str| !NOT_MET_BY_WATCH.contains(&id);
    let failed: Vec<_> =
        report.outcomes.iter().filter(|outcome| outcome.failed() && ours(outcome.requirement.id)).collect();
    assert!(failed.is_empty() && report.ended.is_none(), "{failed:#?} {:?}", report.ended);
    let (passed, _, skipped) = report.counts();
    println!("{passed} requirements were proved, {skipped} skipped");
    assert!(passed > 120, "{passed} requirements were proved");
}
