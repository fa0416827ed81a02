//! The conformance application as a process of its own.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::PathBuf;
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
        Self::run(Command::new(Self::program()), environment)
    }

    /// Starts the server with no more than so many files and connections open at a time.
    ///
    /// # Errors
    ///
    /// When it ends instead.
    ///
    /// # Panics
    ///
    /// When it does neither.
    #[cfg(unix)]
    pub fn start_with_files(environment: &Environment, files: u32) -> Result<Self, Refused> {
        let mut shell = Command::new("/bin/sh");
        shell.arg("-c").arg(format!("ulimit -n {files} && exec \"$0\" \"$@\"")).arg(Self::program());
        Self::run(shell, environment)
    }

    fn run(mut command: Command, environment: &Environment) -> Result<Self, Refused> {
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

    /// The program, up to date.
    ///
    /// # Panics
    ///
    /// When it cannot be built.
    pub fn program() -> PathBuf {
        program::conformance_local()
    }

    /// Starts the server, and goes away from the other end of its log as soon as it listens.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub fn start_deaf(environment: &Environment) -> Self {
        let mut command = Command::new(Self::program());
        command
            .args(["--port", "0"])
            .env_clear()
            .envs(environment)
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        let mut process = command.stdout(Stdio::piped()).spawn().expect("the program can be started");
        let mut line = String::new();
        let mut out = BufReader::new(process.stdout.take().expect("standard output is a pipe"));
        out.read_line(&mut line).expect("it says that it listens");
        let address = address_in(&line).expect("it says where it listens");
        Self { process, address, log: Arc::default() }
    }

    /// Waits until the log has a line with a text.
    ///
    /// # Panics
    ///
    /// When it does not come.
    pub fn wait_for_log(&self, text: &str) {
        let started = Instant::now();
        while !self.log().iter().any(|line| line.contains(text)) {
            assert!(started.elapsed() < PATIENCE, "{text} is not in the log: {:?}", self.log());
            thread::sleep(Duration::from_millis(5));
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
