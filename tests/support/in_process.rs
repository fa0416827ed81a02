//! The endpoint by itself, without a server: what the other runtimes are compared with.

use std::future::Future;

use conformance_app::endpoint;
use median_edge::host::{NoRandomness, Panicked, contain_unwind};
use median_edge::{BoxFuture, ConnectSettings, Endpoint, Event, Host, Keys, Method, Platform, Request};

use crate::{Answer, Ask, Environment, Runtime, Transport};

/// A host whose clock stands still.
#[derive(Clone, Copy, Debug)]
pub struct FixedHost {
    /// The time that it is.
    pub now_ms: u64,
}

impl Host for FixedHost {
    fn now_ms(&self) -> u64 {
        self.now_ms
    }

    fn sleep(&self, _ms: u64) -> BoxFuture<'static, ()> {
        Box::pin(std::future::pending())
    }

    fn random(&self, _buffer: &mut [u8]) -> Result<(), NoRandomness> {
        Err(NoRandomness)
    }

    fn event(&self, _event: &Event<'_>) {}

    fn contain(&self, work: &mut dyn FnMut()) -> Result<(), Panicked> {
        contain_unwind(work)
    }
}

/// Runs a future to its end, on this thread.
///
/// # Panics
///
/// When no runtime can be made.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime can be made").block_on(future)
}

/// The conformance application in this process.
#[derive(Debug)]
pub struct InProcess;

impl InProcess {
    /// Another application in this process, with a clock that stands still.
    pub fn serve(endpoint: Endpoint<()>, keys: Keys, now_ms: u64) -> impl Transport + 'static {
        Here { endpoint, keys, settings: ConnectSettings::default(), host: FixedHost { now_ms } }
    }
}

struct Here {
    endpoint: Endpoint<()>,
    keys: Keys,
    settings: ConnectSettings,
    host: FixedHost,
}

impl Runtime for InProcess {
    fn name(&self) -> &'static str {
        "in-process"
    }

    fn start(&self, environment: &Environment, now_ms: u64) -> Result<Box<dyn Transport>, String> {
        let keys = Keys::from_lookup(|name| environment.get(name).cloned());
        let endpoint = endpoint(None).map_err(|error| error.to_string())?;
        let settings = ConnectSettings::from_lookup(|name| environment.get(name).cloned());
        Ok(Box::new(Here { endpoint, keys, settings, host: FixedHost { now_ms } }))
    }
}

impl Transport for Here {
    fn send(&self, ask: &Ask) -> Result<Answer, String> {
        let mut request = Request::new(Method::parse(&ask.method), ask.target.clone());
        request = request.url(format!("http://localhost{}", ask.target));
        for (name, value) in &ask.headers {
            request = request.header(name.clone(), value.clone());
        }
        if let Some(body) = &ask.body {
            request = request.body(body.clone());
        }
        let platform = Platform::new(&self.host, &self.keys, &()).with_connect(&self.settings);
        let response = block_on(self.endpoint.answer(&platform, &request));
        let headers = response.headers().iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        Ok(Answer { status: response.status(), headers, body: response.into_body() })
    }
}
