//! A Worker in workerd, the runtime of Cloudflare Workers.

use std::env;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use conformance_app::CLOCK_VARIABLE;

use crate::{Answer, Ask, Environment, Http, Runtime, Transport};

/// Where `cargo xtask test` says that the program is. The Workers are built before it says so.
const PROGRAM: &str = "MEDIAN_EDGE_WORKERD";

/// How long it has to start.
const PATIENCE: Duration = Duration::from_mins(1);

/// Methods that workerd knows. It answers others by itself.
const METHODS: [&str; 13] = [
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "OPTIONS",
    "PURGE",
    "PROPFIND",
    "PROPPATCH",
    "MKCOL",
    "TRACE",
    "REPORT",
];

/// A Worker that can be started.
#[derive(Clone, Debug)]
pub struct Workerd {
    program: PathBuf,
    config: PathBuf,
}

impl Workerd {
    /// The conformance application; nothing without workerd.
    pub fn conformance() -> Option<Self> {
        Self::of("examples/conformance/worker")
    }

    /// The demo; nothing without workerd.
    pub fn support_desk() -> Option<Self> {
        Self::of("examples/support-desk/worker")
    }

    /// The Worker of the tests; nothing without workerd.
    pub fn of_the_tests() -> Option<Self> {
        Self::of("tests/worker")
    }

    /// The Worker of the tests by what `worker-build` makes alone, without its main module; nothing without workerd.
    pub fn of_the_tests_without_main() -> Option<Self> {
        let Self { program, config } = Self::of_the_tests()?;
        Some(Self { program, config: config.with_file_name("without-main.capnp") })
    }

    /// Any Worker that has a `workerd.capnp` in its folder, from the root of the workspace; nothing without workerd.
    pub fn of(folder: &str) -> Option<Self> {
        let program = env::var_os(PROGRAM)?.into();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
        Some(Self { program, config: root.join(folder).join("workerd.capnp") })
    }

    /// Starts it on a free port, with these variables.
    ///
    /// # Errors
    ///
    /// Says why it does not start.
    ///
    /// # Panics
    ///
    /// When it cannot be started at all.
    pub fn run(&self, environment: &Environment) -> Result<Running, String> {
        let mut process = Command::new(&self.program)
            .args(["serve", "--verbose", "--socket-addr", "http=127.0.0.1:0", "--control-fd=1"])
            .arg(&self.config)
            .env_clear()
            .envs(environment)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{} cannot be started: {error}", self.program.display()))?;
        let log = Arc::new(Mutex::new(Vec::new()));
        let (listening, address) = mpsc::channel();
        let out = process.stdout.take().expect("standard output is a pipe");
        let lines = Arc::clone(&log);
        // Both are read to the end, so that it never waits for us.
        thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if let Some(port) = port_in(&line) {
                    let _ = listening.send(SocketAddr::from(([127, 0, 0, 1], port)));
                }
                lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
            }
        });
        let errors = process.stderr.take().expect("standard error is a pipe");
        let lines = Arc::clone(&log);
        thread::spawn(move || {
            for line in BufReader::new(errors).lines().map_while(Result::ok) {
                lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
            }
        });
        match address.recv_timeout(PATIENCE) {
            Ok(address) => Ok(Running { process, address, log }),
            Err(_) => {
                let _ = process.kill();
                let _ = process.wait();
                let log = log.lock().unwrap_or_else(PoisonError::into_inner);
                Err(format!("workerd did not start: {log:?}"))
            }
        }
    }
}

impl Runtime for Workerd {
    fn name(&self) -> &'static str {
        "workerd"
    }

    fn keeps(&self, ask: &Ask) -> Option<&'static str> {
        (!METHODS.contains(&ask.method.as_str()))
            .then_some("it answers methods that it does not know with 501")
    }

    fn start(&self, environment: &Environment, now_ms: u64) -> Result<Box<dyn Transport>, String> {
        let mut environment = environment.clone();
        environment.insert(CLOCK_VARIABLE.to_owned(), now_ms.to_string());
        Ok(Box::new(self.run(&environment)?))
    }
}

/// A Worker that runs, until it is dropped.
#[derive(Debug)]
pub struct Running {
    process: process::Child,
    address: SocketAddr,
    log: Arc<Mutex<Vec<String>>>,
}

impl Running {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The id of its process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// All that it logged so far.
    pub fn log(&self) -> Vec<String> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until the log has a line with a text, and gives that line.
    ///
    /// # Panics
    ///
    /// When it does not come.
    pub fn wait_for_log(&self, text: &str) -> String {
        let started = Instant::now();
        loop {
            if let Some(line) = self.log().into_iter().find(|line| line.contains(text)) {
                return line;
            }
            assert!(started.elapsed() < PATIENCE, "{text} is not in the log: {:?}", self.log());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Transport for Running {
    fn send(&self, ask: &Ask) -> Result<Answer, String> {
        Http(self.address).send(ask)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The port in the line that says where it listens.
fn port_in(line: &str) -> Option<u16> {
    let (_, rest) = line.split_once(r#""event":"listen""#)?;
    let (_, rest) = rest.split_once(r#""port":"#)?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
