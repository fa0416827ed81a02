//! An endpoint of this library in the same process.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant, SystemTime};

use median_edge::host::{NoRandomness, Panicked, contain_unwind};
use median_edge::{BoxFuture, Endpoint, Event, Host, Keys, MaybeSend, MaybeSync, Method, Platform, Request};

use crate::wire::{Answer, Ask, Feature, Transport, Trouble};

/// An endpoint without a server.
#[derive(Debug)]
pub struct InProcess<S> {
    endpoint: Endpoint<S>,
    keys: Keys,
    state: S,
}

impl<S> InProcess<S> {
    /// The endpoint, the keys that it has, and what its tools work on.
    pub fn new(endpoint: Endpoint<S>, keys: Keys, state: S) -> Self {
        Self { endpoint, keys, state }
    }
}

impl<S: MaybeSend + MaybeSync + 'static> Transport for InProcess<S> {
    fn target(&self) -> String {
        format!("in-process at {}", self.endpoint.mount())
    }

    fn cannot(&self, feature: Feature) -> Option<&'static str> {
        (feature == Feature::Wire).then_some("in one process there is no connection")
    }

    fn send(&self, ask: &Ask) -> Result<Answer, Trouble> {
        let started = Instant::now();
        let path = match (ask.path.unwrap_or(self.endpoint.mount()), ask.suffix.as_str()) {
            ("/", suffix) if suffix.starts_with('/') => suffix.to_owned(),
            (mount, suffix) => format!("{mount}{suffix}"),
        };
        let mut request = Request::new(Method::parse(&ask.method), path);
        for (name, value) in &ask.headers {
            request = request.header(name.clone(), value.trim_ascii().to_vec());
        }
        let platform = Platform::new(&SystemHost, &self.keys, &self.state);
        let request = request.body(ask.body.clone());
        let response = block_on(self.endpoint.answer(&platform, &request));
        let headers = response.headers().iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        Ok(Answer { status: response.status(), headers, body: response.into_body(), took: started.elapsed() })
    }
}

/// This machine's clock, and threads that sleep.
#[derive(Clone, Copy, Debug)]
pub struct SystemHost;

impl Host for SystemHost {
    fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        let until = Instant::now() + Duration::from_millis(ms);
        Box::pin(std::future::poll_fn(move |context| {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Poll::Ready(());
            }
            let waker = context.waker().clone();
            thread::spawn(move || {
                thread::sleep(left);
                waker.wake();
            });
            Poll::Pending
        }))
    }

    fn random(&self, _buffer: &mut [u8]) -> Result<(), NoRandomness> {
        Err(NoRandomness)
    }

    fn event(&self, _event: &Event<'_>) {}

    fn contain(&self, work: &mut dyn FnMut()) -> Result<(), Panicked> {
        contain_unwind(work)
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future to its end, on this thread.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        thread::park();
    }
}
