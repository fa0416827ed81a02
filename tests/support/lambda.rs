//! A Lambda function under AWS's own emulator.

use std::env;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use conformance_app::CLOCK_VARIABLE;
use median_edge_emulator::answer::{self, Failure};
use median_edge_emulator::event::{Encoding, Incoming, function_url};
use median_edge_emulator::{Bridge, Function, Log, Raw};

use crate::{Answer, Ask, Environment, Http, Runtime, Transport};

/// Where `cargo xtask test` says that the emulator is. The functions are built before it says so.
const EMULATOR: &str = "MEDIAN_EDGE_LAMBDA_EMULATOR";
/// Where it says that the functions are, each in a folder of its own name.
const FUNCTIONS: &str = "MEDIAN_EDGE_LAMBDA_FUNCTIONS";

/// How long a line of the log may take to come.
const PATIENCE: Duration = Duration::from_secs(30);

/// A function that can be started.
#[derive(Clone, Debug)]
pub struct Lambda {
    emulator: PathBuf,
    program: PathBuf,
    timeout: u32,
}

impl Lambda {
    /// The conformance application; nothing without the emulator.
    pub fn conformance() -> Option<Self> {
        Self::of("conformance-lambda")
    }

    /// The demo; nothing without the emulator.
    pub fn support_desk() -> Option<Self> {
        Self::of("support-desk-lambda")
    }

    /// The function of the tests; nothing without the emulator.
    pub fn of_the_tests() -> Option<Self> {
        Self::of("median-edge-tests-lambda")
    }

    /// Any function that was built, by its program's name; nothing without the emulator.
    pub fn of(name: &str) -> Option<Self> {
        let emulator = env::var_os(EMULATOR)?.into();
        let functions: PathBuf = env::var_os(FUNCTIONS)?.into();
        Some(Self { emulator, program: functions.join(name).join("bootstrap"), timeout: 30 })
    }

    /// A program that is somewhere else; nothing without the emulator.
    pub fn program(program: impl AsRef<Path>) -> Option<Self> {
        let emulator = env::var_os(EMULATOR)?.into();
        Some(Self { emulator, program: program.as_ref().to_owned(), timeout: 30 })
    }

    /// With another time for an event, in seconds.
    #[must_use]
    pub fn timeout(self, timeout: u32) -> Self {
        Self { timeout, ..self }
    }

    /// Starts it, with these variables. There is one emulator: requests at once wait for one another.
    ///
    /// # Errors
    ///
    /// Says why it does not start.
    pub fn run(&self, environment: &Environment) -> Result<Emulated, String> {
        self.run_several(environment, 1)
    }

    /// Starts it with so many emulators.
    ///
    /// # Errors
    ///
    /// Says why it does not start.
    pub fn run_several(&self, environment: &Environment, emulators: usize) -> Result<Emulated, String> {
        let Self { emulator, program, timeout } = self.clone();
        if !program.is_file() {
            return Err(format!("{} was not built", program.display()));
        }
        let (environment, log) = (environment.clone(), Log::kept());
        let function = Function { emulator, program, environment, timeout, log: log.clone() };
        let bridge = Bridge::start(function, 0, emulators).map_err(|error| error.to_string())?;
        Ok(Emulated { bridge, log })
    }
}

impl Runtime for Lambda {
    fn name(&self) -> &'static str {
        "Lambda"
    }

    fn says_more(&self, ask: &Ask) -> Option<&'static str> {
        let text = ask.body.as_deref().and_then(|body| std::str::from_utf8(body).ok());
        text.is_some_and(|text| text.contains('\u{fffd}'))
            .then_some("a body that came as text and holds U+FFFD may have been other bytes before")
    }

    fn start(&self, environment: &Environment, now_ms: u64) -> Result<Box<dyn Transport>, String> {
        Ok(Box::new(self.run(&with_clock(environment, now_ms))?))
    }
}

fn with_clock(environment: &Environment, now_ms: u64) -> Environment {
    let mut environment = environment.clone();
    environment.insert(CLOCK_VARIABLE.to_owned(), now_ms.to_string());
    environment
}

/// The same, without HTTP: each request is made an event whose body is base64, as some fronts have it.
#[derive(Debug)]
pub struct Events(pub Lambda);

impl Runtime for Events {
    fn name(&self) -> &'static str {
        "Lambda, by events"
    }

    fn start(&self, environment: &Environment, now_ms: u64) -> Result<Box<dyn Transport>, String> {
        Ok(Box::new(Posted(self.0.run(&with_clock(environment, now_ms))?)))
    }
}

struct Posted(Emulated);

impl Transport for Posted {
    fn send(&self, ask: &Ask) -> Result<Answer, String> {
        self.0.post(ask, Encoding::Base64)
    }
}

/// A function under the emulator, until it is dropped.
#[derive(Debug)]
pub struct Emulated {
    bridge: Bridge,
    log: Log,
}

impl Emulated {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.bridge.address()
    }

    /// Posts an event, and gives what comes back.
    ///
    /// # Panics
    ///
    /// When the emulator does not answer.
    pub fn invoke(&self, event: impl AsRef<[u8]>) -> Raw {
        self.bridge.invoke(event.as_ref().to_vec()).expect("the emulator answers")
    }

    /// Posts an event, and gives the answer for HTTP that comes back.
    ///
    /// # Errors
    ///
    /// When what comes back is none.
    ///
    /// # Panics
    ///
    /// When the emulator does not answer.
    pub fn answer(&self, event: impl AsRef<[u8]>) -> Result<Answer, Failure> {
        let answer::Answer { status, headers, body } = answer::read(&self.invoke(event))?;
        Ok(Answer { status, headers, body })
    }

    /// Posts a request as an event of a function URL.
    ///
    /// # Errors
    ///
    /// When there is no answer for HTTP.
    pub fn post(&self, ask: &Ask, encoding: Encoding) -> Result<Answer, String> {
        let (path, query) = ask.target.split_once('?').unwrap_or((&ask.target, ""));
        let headers = ask.headers.iter().map(|(name, value)| (name.clone(), value.trim_ascii().to_vec()));
        let request = Incoming {
            method: ask.method.clone(),
            path: path.to_owned(),
            query: query.to_owned(),
            headers: std::iter::once(("host".to_owned(), b"localhost".to_vec())).chain(headers).collect(),
            body: ask.body.clone().unwrap_or_default(),
            source_ip: "127.0.0.1".to_owned(),
        };
        self.answer(function_url(&request, encoding)).map_err(|failure| failure.to_string())
    }

    /// The process ids of the functions that are idle now.
    pub fn functions(&self) -> Vec<u32> {
        // The shell, its emulator, and the function.
        let emulators = self.bridge.ids().into_iter().flat_map(children);
        emulators.flat_map(children).collect()
    }

    /// All that was logged so far.
    pub fn log(&self) -> Vec<String> {
        self.log.lines()
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
            assert!(started.elapsed() < PATIENCE, "{text} is not in the log: {:#?}", self.log());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Transport for Emulated {
    fn send(&self, ask: &Ask) -> Result<Answer, String> {
        Http(self.address()).send(ask)
    }
}

/// The processes that a process started.
fn children(of: u32) -> Vec<u32> {
    all_processes().filter(|process| parent(*process) == Some(of)).collect()
}

fn all_processes() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn parent(of: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{of}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    line.trim().parse().ok()
}
