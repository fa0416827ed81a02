//! An application whose calls a test can hold, count and break.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use median_edge::prelude::*;
use median_edge::{EndpointBuilder, Event, Keys, MedianKey};
use median_edge_local::{LogFormat, Server};
use tokio::sync::Semaphore;

use crate::NOW_MS;

/// What the tools work on, and what the test sees of them.
#[derive(Clone, Debug)]
pub struct Workshop {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    started: AtomicUsize,
    finished: AtomicUsize,
    gate: Semaphore,
    events: Mutex<Vec<String>>,
}

impl Default for Workshop {
    fn default() -> Self {
        let inner = Inner {
            started: AtomicUsize::new(0),
            finished: AtomicUsize::new(0),
            gate: Semaphore::new(0),
            events: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }
}

impl Workshop {
    /// A server for the workshop, with the public example key, that logs nothing.
    ///
    /// # Panics
    ///
    /// When the endpoint cannot be built.
    pub fn server(&self) -> Server<Self> {
        let endpoint = workshop(self).build().expect("the workshop has no problems");
        let keys = Keys::new(MedianKey::local());
        Server::new(endpoint, self.clone()).keys(keys).log(LogFormat::Off)
    }

    /// How many calls of `hold` and `block` have begun.
    pub fn started(&self) -> usize {
        self.inner.started.load(Ordering::SeqCst)
    }

    /// How many calls of `hold` and `block` have come to their end.
    pub fn finished(&self) -> usize {
        self.inner.finished.load(Ordering::SeqCst)
    }

    /// Lets calls of `hold` and `block` go on, that many of them.
    pub fn let_go(&self, calls: usize) {
        self.inner.gate.add_permits(calls);
    }

    /// What the observer saw, as text.
    pub fn events(&self) -> Vec<String> {
        self.inner.events.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until something is so.
    ///
    /// # Panics
    ///
    /// When it does not come to be so.
    pub fn wait_until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let started = Instant::now();
        while !is_so(self) {
            assert!(started.elapsed() < Duration::from_secs(20), "{what}: not in time; now {self:?}");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// An endpoint for a workshop, at the default mount path, with a clock that stands still at [`NOW_MS`].
///
/// `echo` gives its text back; `hold` waits until the test lets it go, and `block` keeps its thread while it does; `fail`,
/// `refuse` and `panic` do as they say; `slow` never ends, and is cut off after a second; `large` answers 32 MiB, more than
/// all the buffers on its way.
pub fn workshop(workshop: &Workshop) -> EndpointBuilder<Workshop> {
    let seen = workshop.clone();
    Endpoint::builder()
        .tools(tools![echo, hold, block, fail, refuse, panic, slow, large])
        .clock(|| NOW_MS)
        .observer(move |event: &Event<'_>| {
            let text = event.to_string();
            seen.inner.events.lock().unwrap_or_else(PoisonError::into_inner).push(text);
        })
}

/// Give the text back.
#[tool(risk = "low", effect = "read")]
fn echo(
    /// The text.
    text: String,
) -> ToolResult<String> {
    Ok(text)
}

/// Wait until the test lets go.
#[tool(risk = "low")]
async fn hold(workshop: State<'_, Workshop>) -> ToolResult<&'static str> {
    let inner = Arc::clone(&workshop.inner);
    inner.started.fetch_add(1, Ordering::SeqCst);
    inner.gate.acquire().await?.forget();
    inner.finished.fetch_add(1, Ordering::SeqCst);
    Ok("let go")
}

/// Block the thread until the test lets go.
#[tool(risk = "low")]
fn block(workshop: State<'_, Workshop>) -> ToolResult<&'static str> {
    workshop.inner.started.fetch_add(1, Ordering::SeqCst);
    while workshop.inner.gate.try_acquire().map(tokio::sync::SemaphorePermit::forget).is_err() {
        thread::sleep(Duration::from_millis(5));
    }
    workshop.inner.finished.fetch_add(1, Ordering::SeqCst);
    Ok("let go")
}

/// Fail.
#[tool(risk = "low")]
fn fail() -> ToolResult<()> {
    Err(ToolError::internal("the secret of the database"))
}

/// Refuse.
#[tool(risk = "low")]
fn refuse() -> ToolResult<()> {
    Err(Refusal::new("not_today").detail("Come back tomorrow.").into())
}

/// Panic.
#[tool(risk = "low")]
fn panic() -> ToolResult<()> {
    panic!("the secret of the panic")
}

/// Never end.
#[tool(risk = "low", timeout = 1)]
async fn slow() -> ToolResult<()> {
    std::future::pending().await
}

/// Answer at length.
#[tool(risk = "low", effect = "read")]
fn large() -> ToolResult<String> {
    Ok("x".repeat(32 * 1024 * 1024))
}
