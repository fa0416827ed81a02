//! Signals to a server whose calls are in flight. The server is this same program, started again as a child.
#![cfg(unix)]

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use median_edge_tests::{Connection, Workshop, called};
use serde_json::json;
use tokio::runtime::Builder;

/// Set in the child, and only there.
const CHILD: &str = "MEDIAN_EDGE_TESTS_CHILD";

/// The child's part: serves a workshop until a signal, and lets a call go for each line that it is sent.
#[test]
fn the_child_serves() {
    let Some(threads) = env::var(CHILD).ok().and_then(|text| text.parse().ok()) else { return };
    let workshop = Workshop::default();
    let held = workshop.clone();
    thread::spawn(move || std::io::stdin().lines().for_each(|_| held.let_go(1)));
    let watched = workshop.clone();
    thread::spawn(move || {
        watched.wait_until("a call begins", |workshop| workshop.started() == 1);
        println!("\nbegun");
    });
    let runtime = match threads {
        0 => Builder::new_current_thread().enable_all().build(),
        threads => Builder::new_multi_thread().worker_threads(threads).enable_all().build(),
    };
    runtime.unwrap().block_on(async {
        let server = workshop.server().shutdown_limit(LIMIT).bind("127.0.0.1:0").await.unwrap();
        println!("\naddress {}", server.local_addr());
        server.serve().await.unwrap();
    });
    println!("\nfinished {}", workshop.finished());
}

/// How long the child's calls have to come to their end: long where they will, short where they never do.
const LIMIT: Duration = Duration::from_secs(2);

/// A child with one call in flight.
struct Busy {
    process: Child,
    out: BufReader<std::process::ChildStdout>,
    connection: Connection,
}

impl Busy {
    /// With a runtime of so many threads, or one that has only the thread that it is started on.
    fn start(tool: &str, threads: usize) -> Self {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "the_child_serves", "--nocapture"]).env(CHILD, threads.to_string());
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut out = BufReader::new(process.stdout.take().unwrap());
        let address: SocketAddr = line(&mut out, "address ").parse().unwrap();
        let mut connection = Connection::open(address).unwrap();
        connection.write(called(tool, &json!({})).bytes()).unwrap();
        line(&mut out, "begun");
        Self { process, out, connection }
    }

    fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args([format!("-{name}"), id]).status().unwrap().success());
    }

    /// How it ended while its tool goes on: nothing lets that go.
    fn cut_off(mut self) -> Option<i32> {
        self.out.read_to_string(&mut String::new()).unwrap();
        self.process.wait().unwrap().code()
    }

    /// How it ended, and how many calls had come to their end.
    fn end(mut self) -> (ExitStatus, String) {
        let finished = line(&mut self.out, "finished ");
        // What is left is the test harness's.
        self.out.read_to_string(&mut String::new()).unwrap();
        (self.process.wait().unwrap(), finished)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        // It has ended already, unless the test failed.
        let _ = self.process.kill();
    }
}

/// The rest of the next line that begins like this.
fn line(out: &mut impl BufRead, start: &str) -> String {
    let mut lines = out.lines().map(Result::unwrap);
    let line = lines.find(|line| line.starts_with(start)).expect(start);
    line[start.len()..].to_owned()
}

#[test]
fn a_signal_lets_the_call_in_flight_come_to_its_end() {
    for signal in ["TERM", "INT"] {
        let mut child = Busy::start("hold", 2);
        child.signal(signal);
        assert!(child.connection.is_silent(Duration::from_millis(100)));
        child.process.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
        assert_eq!(child.connection.answer_to("POST").unwrap().json(), json!({"result": "let go"}));
        let (status, finished) = child.end();
        assert_eq!((status.code(), finished.as_str()), (Some(0), "1"), "{signal}");
    }
}

#[test]
fn a_second_signal_ends_the_server_at_once() {
    let child = Busy::start("hold", 2);
    child.signal("INT");
    assert!(child.connection.is_silent(Duration::from_millis(100)));
    child.signal("INT");
    let (status, finished) = child.end();
    assert_eq!((status.code(), finished.as_str()), (Some(0), "0"));
}

#[test]
fn a_tool_that_blocks_its_thread_does_not_keep_the_process_after_the_limit() {
    // The second runtime has a thread for the signals beside the blocked one; the first has not.
    for threads in [0, 1] {
        let child = Busy::start("block", threads);
        child.signal("TERM");
        assert_eq!(child.cut_off(), Some(1), "{threads} threads");
    }
}

#[test]
fn a_second_signal_ends_a_process_whose_every_thread_is_blocked() {
    for threads in [0, 1] {
        let child = Busy::start("block", threads);
        child.signal("TERM");
        assert!(child.connection.is_silent(Duration::from_millis(100)));
        child.signal("INT");
        assert_eq!(child.cut_off(), Some(1), "{threads} threads");
    }
}

#[test]
fn a_tool_that_blocks_comes_to_its_end_before_the_limit() {
    let mut child = Busy::start("block", 2);
    child.signal("TERM");
    child.process.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
    assert_eq!(child.connection.answer_to("POST").unwrap().json(), json!({"result": "let go"}));
    let (status, finished) = child.end();
    assert_eq!((status.code(), finished.as_str()), (Some(0), "1"));
}
