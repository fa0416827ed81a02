//! A stand-in that is killed at any moment loses nothing that it acknowledged, and runs no approved call twice.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use median_edge::key::LOCAL_KEY;
use serde_json::{Value, json};

const ROUNDS: u64 = 10;

/// How often each call reached the endpoint.
type Reached = Arc<Mutex<BTreeMap<String, u32>>>;

/// An endpoint with one tool of high risk, that takes its time.
fn endpoint() -> (String, Reached) {
    let reached = Reached::default();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let counted = Arc::clone(&reached);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let reached = Arc::clone(&counted);
            thread::spawn(move || answer(stream, &reached));
        }
    });
    (url, reached)
}

fn answer(mut stream: TcpStream, reached: &Reached) {
    let Some(body) = read(&mut stream).map(|(_, body)| body) else { return };
    let body = match serde_json::from_str::<Value>(&body) {
        Err(_) => {
            let schema = json!({ "type": "object", "properties": {}, "additionalProperties": false });
            let tool =
                json!({ "name": "refund", "description": "Pays.", "risk": "high", "inputSchema": schema });
            json!({ "version": 1, "tools": [tool] })
        }
        Ok(call) => {
            let id = call["toolCallId"].as_str().unwrap().to_owned();
            *reached.lock().unwrap().entry(id).or_default() += 1;
            thread::sleep(Duration::from_millis(15));
            json!({ "result": "paid" })
        }
    };
    let body = body.to_string();
    let _ = write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
}

/// The head and the body of a message whose length is given.
fn read(stream: &mut TcpStream) -> Option<(String, String)> {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, String::from_utf8(body).ok()?))
}

/// A stand-in in a process of its own.
struct StandIn {
    child: Child,
    address: String,
}

impl StandIn {
    fn start(file: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_median-edge-stand-in"))
            .arg(file)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").expect("it prints its address").to_owned();
        Self { child, address }
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Asks the API; nothing when it was killed meanwhile.
fn ask(address: &str, method: &str, path: &str, body: &Value) -> Option<Value> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_mins(1))).ok()?;
    let body = if method == "GET" { String::new() } else { body.to_string() };
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {LOCAL_KEY}\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
    .ok()?;
    let (head, body) = read(&mut stream)?;
    assert!(head.starts_with("HTTP/1.1 2"), "{method} {path}: {head}{body}");
    serde_json::from_str(&body).ok()
}

/// What was acknowledged: requests by id, and whether their approval was.
type Acknowledged = Arc<Mutex<BTreeMap<String, bool>>>;

/// Begins conversations, asks for refunds and approves them, until the stand-in is gone.
fn work(address: &str, acknowledged: &Acknowledged) -> Option<()> {
    loop {
        let begun = ask(address, "POST", "/v1/conversations", &json!({}))?;
        let conversation = begun["conversation"]["id"].as_str()?.to_owned();
        ask(address, "POST", &format!("/v1/conversations/{conversation}/turns"), &json!({}))?;
        let call = json!({ "tool": "refund", "input": {} });
        let answer = ask(address, "POST", &format!("/v1/conversations/{conversation}/calls"), &call)?;
        let id = answer["approval"]["id"].as_str().expect("a request was recorded").to_owned();
        acknowledged.lock().unwrap().insert(id.clone(), false);
        ask(
            address,
            "POST",
            &format!("/v1/tool-approvals/{id}/approve?wait=false"),
            &json!({ "teammate": "Ana" }),
        )?;
        acknowledged.lock().unwrap().insert(id, true);
    }
}

/// Every request, by its id.
fn requests(address: &str) -> BTreeMap<String, Value> {
    let (mut all, mut next) = (BTreeMap::new(), String::new());
    loop {
        let page = ask(address, "GET", &format!("/v1/tool-approvals?limit=200{next}"), &Value::Null).unwrap();
        for request in page["items"].as_array().unwrap() {
            all.insert(request["id"].as_str().unwrap().to_owned(), request.clone());
        }
        match page["next"].as_u64() {
            Some(before) => next = format!("&before={before}"),
            None => return all,
        }
    }
}

fn check(address: &str, acknowledged: &Acknowledged, reached: &Reached) {
    let requests = requests(address);
    for (id, approved) in acknowledged.lock().unwrap().iter() {
        let request = requests.get(id).unwrap_or_else(|| panic!("{id} was acknowledged and is lost"));
        let state = request["state"].as_str().unwrap();
        if *approved {
            assert!(["executing", "completed", "failed"].contains(&state), "an approval is lost: {request}");
        }
    }
    for (id, times) in reached.lock().unwrap().iter() {
        assert_eq!(*times, 1, "{id} was sent more than once");
        let request = requests.get(id).unwrap_or_else(|| panic!("{id} was sent before it was recorded"));
        let state = request["state"].as_str().unwrap();
        assert!(
            ["executing", "completed", "failed"].contains(&state),
            "sent before its approval was kept: {request}"
        );
    }
}

#[test]
fn a_stand_in_that_is_killed_loses_nothing_and_runs_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stand-in.db");
    let (url, reached) = endpoint();
    let acknowledged = Acknowledged::default();
    for round in 0..ROUNDS {
        let stand_in = StandIn::start(&file);
        if round == 0 {
            ask(&stand_in.address, "POST", "/v1/tool-endpoints", &json!({ "url": url })).unwrap();
        }
        check(&stand_in.address, &acknowledged, &reached);
        let workers = (0..2).map(|_| {
            let (address, acknowledged) = (stand_in.address.clone(), Arc::clone(&acknowledged));
            thread::spawn(move || work(&address, &acknowledged))
        });
        let workers: Vec<_> = workers.collect();
        // Each round ends at another moment of the work.
        thread::sleep(Duration::from_millis(300 + round * 37 % 100));
        stand_in.kill();
        for worker in workers {
            worker.join().expect("what was answered was good");
        }
    }
    let stand_in = StandIn::start(&file);
    let by_ms = 2 * 60 * 60 * 1000;
    ask(&stand_in.address, "POST", "/v1/clock/move", &json!({ "byMs": by_ms })).unwrap();
    check(&stand_in.address, &acknowledged, &reached);
    let no_result = "The tool returned no result. Check whether the action completed before retrying.";
    let mut given_up = 0;
    for request in requests(&stand_in.address).values() {
        assert_ne!(request["state"], "executing", "the hourly check gave it up: {request}");
        if request["state"] == "failed" {
            assert_eq!(request["error"], no_result);
            given_up += 1;
        }
    }
    assert!(!acknowledged.lock().unwrap().is_empty(), "something was acknowledged");
    assert!(given_up > 0, "some call was on its way at a kill");
    stand_in.kill();
}

#[tokio::test]
async fn a_file_has_one_stand_in() {
    use median_edge::MedianKey;
    use median_edge_platform::{OpenError, Options, Place, Platform};

    let folder = tempfile::tempdir().unwrap();
    let options = || Options::new(MedianKey::local()).place(Place::File(folder.path().join("stand-in.db")));
    let _first = Platform::start(options()).await.unwrap();
    assert!(matches!(Platform::start(options()).await, Err(OpenError::InUse(_))));
}
