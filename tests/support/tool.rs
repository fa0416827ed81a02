//! A server that somebody else's tool runs for development, as `wrangler dev` and `cargo lambda watch` do.

use std::io::{BufRead as _, BufReader, Read};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Ask, Http, Transport as _};

/// How long it has to end its own processes.
const TO_END: Duration = Duration::from_secs(20);

/// How such a server is started and ended.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// What reports call it.
    pub name: &'static str,
    /// Where the endpoint is that it serves.
    pub path: &'static str,
    /// How long it has until that answers.
    pub patience: Duration,
    /// The signal that asks it to end, like `TERM`.
    pub signal: &'static str,
}

/// A server that answers, ended when it is dropped.
#[derive(Debug)]
pub struct ToolServer {
    tool: Tool,
    process: Child,
    address: SocketAddr,
}

impl Tool {
    /// An address that was free a moment ago, and that nobody else is told of.
    ///
    /// # Panics
    ///
    /// When there is none.
    pub fn address() -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        listener.local_addr().expect("it has an address")
    }

    /// Runs the tool's command, and waits until the endpoint answers at the address that the command is for.
    ///
    /// # Panics
    ///
    /// When it does not, with all that the tool said.
    pub fn serve(self, mut command: Command, address: SocketAddr) -> ToolServer {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().expect("the tool can be started");
        let log = Arc::new(Mutex::new(Vec::new()));
        let out = process.stdout.take().expect("standard output is a pipe");
        let errors = process.stderr.take().expect("standard error is a pipe");
        for pipe in [Box::new(out) as Box<dyn Read + Send>, Box::new(errors)] {
            let log = Arc::clone(&log);
            thread::spawn(move || {
                for line in BufReader::new(pipe).lines().map_while(Result::ok) {
                    log.lock().unwrap_or_else(PoisonError::into_inner).push(line);
                }
            });
        }
        let Self { name, patience, .. } = self;
        let mut served = ToolServer { tool: self, process, address };
        let started = Instant::now();
        while !served.answers() {
            let log = || log.lock().unwrap_or_else(PoisonError::into_inner).clone();
            assert!(started.elapsed() < patience, "{name} does not answer: {:#?}", log());
            let ended = served.process.try_wait().expect("it can be waited for");
            assert!(ended.is_none(), "{name} ended: {:#?}", log());
            thread::sleep(Duration::from_millis(100));
        }
        served
    }
}

impl ToolServer {
    /// A connection of its own for each request.
    pub fn http(&self) -> Http {
        Http(self.address)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether what answers is ours.
    fn answers(&self) -> bool {
        let answer = self.http().send(&Ask::new("GET", self.tool.path));
        answer.is_ok_and(|answer| answer.code().as_deref() == Some("missing_signature"))
    }
}

impl Drop for ToolServer {
    fn drop(&mut self) {
        // It ends its own processes when it is asked to, and not when it is killed.
        let mut kill = Command::new("kill");
        let asked = kill.arg(format!("-{}", self.tool.signal)).arg(self.process.id().to_string()).status();
        let started = Instant::now();
        while asked.is_ok() && started.elapsed() < TO_END {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
