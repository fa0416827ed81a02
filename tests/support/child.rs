//! The conformance application as a process of its own.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{self, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Environment, Http, program};

/// How many lines of its log are kept.
const LINES: usize = 10_000;

/// How long it has to start, or to end.
const PATIENCE: Duration = Duration::from_mins(1);

/// A server in a process of its own, killed when it is dropped.
#[derive(Debug)]
pub struct Child {
    process: process::Child,
    address: SocketAddr,
    log: Arc<Mutex<VecDeque<String>>>,
}

/// A server that ended instead of starting.
#[derive(Debug)]
pub struct Refused {
    /// How it ended.
    pub status: ExitStatus,
    /// What it said about it.
    pub message: String,
}

impl Child {
    /// Starts the server on a free port, with these variables and no others.
    ///
    /// # Errors
    ///
    /// When it ends instead.
    ///
    /// # Panics
    ///
    /// When it does neither.
    pub fn start(environment: &Environment) -> Result<Self, Refused> {
        let mut command = Command::new(program::conformance_local());
        command.args(["--port", "0"]).env_clear().envs(environment);
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let (listening, address) = mpsc::channel();
        let log = Arc::new(Mutex::new(VecDeque::new()));
        let out = process.stdout.take().expect("standard output is a pipe");
        let lines = Arc::clone(&log);
        // Reads to the end, so that the server never waits for us.
        thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if let Some(address) = address_in(&line) {
                    let _ = listening.send(address);
                }
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                lines.push_back(line);
                if lines.len() > LINES {
                    lines.pop_front();
                }
            }
        });
        match address.recv_timeout(PATIENCE) {
            Ok(address) => Ok(Self { process, address, log }),
            // Its end of the pipe is closed: it has ended.
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let mut message = String::new();
                let mut error = process.stderr.take().expect("standard error is a pipe");
                let _ = error.read_to_string(&mut message);
                Err(Refused { status: process.wait().expect("it can be waited for"), message })
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let _ = process.kill();
                panic!("the server neither started nor ended in time");
            }
        }
    }

    /// A connection of its own for each request.
    pub fn http(&self) -> Http {
        Http(self.address)
    }

    /// The id of its process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// The last lines of its log, so far.
    pub fn log(&self) -> Vec<String> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Sends it a signal by name, like `TERM`.
    ///
    /// # Panics
    ///
    /// When it cannot be sent.
    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").arg(format!("-{name}")).arg(self.id().to_string()).status();
        assert!(status.is_ok_and(|status| status.success()), "{name} can't be sent");
    }

    /// Waits until it ends by itself.
    ///
    /// # Panics
    ///
    /// When it does not.
    pub fn wait(&mut self) -> ExitStatus {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if let Some(status) = self.process.try_wait().expect("it can be waited for") {
                return status;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("the server did not end in time");
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The address in the line that the log begins with.
fn address_in(line: &str) -> Option<SocketAddr> {
    let (_, rest) = line.split_once("listening at http://")?;
    rest.split(['/', '"']).next()?.parse().ok()
}
