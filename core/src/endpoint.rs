//! The way through: admit (authenticate, decode) → run → respond.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::admit::Admitted;
use crate::answer::Answer;
use crate::call::Diagnostics;
use crate::config::EndpointBuilder;
#[cfg(feature = "connect")]
use crate::connect::{self, ConnectSettings, Connecting};
use crate::described::Described;
use crate::envelope::{self, Envelope};
#[cfg(feature = "connect")]
use crate::error::Code;
use crate::error::Fault;
use crate::event::{Asked, Ending, Observer};
use crate::http::{Request, Response};
use crate::identity::{Asking, Identity};
use crate::key::Keys;
use crate::platform::Platform;
use crate::route::{Mount, Route, is_application_manifest};
use crate::run;
use crate::sendable::{MaybeSend, MaybeSync};
use crate::tool::Tool;
use crate::warn;

/// Your tools behind one HTTP route. Built once, it answers any number of requests.
pub struct Endpoint<S> {
    pub(crate) tools: Vec<Tool<S>>,
    pub(crate) diagnostics: Option<Box<dyn Diagnostics<S>>>,
    pub(crate) identity: Option<Identity<S>>,
    pub(crate) manifest: Arc<[u8]>,
    pub(crate) application: Option<Described>,
    pub(crate) mount: Mount,
    pub(crate) options: Options,
}

/// What an endpoint can be told to do otherwise.
pub(crate) struct Options {
    pub(crate) tolerance_ms: u64,
    pub(crate) body_limit: usize,
    pub(crate) time_limit_ms: u64,
    pub(crate) keys: Option<Keys>,
    pub(crate) clock: Option<Box<dyn SignatureClock>>,
    pub(crate) observer: Option<Box<dyn Observer>>,
    pub(crate) observe_payloads: bool,
    #[cfg(feature = "connect")]
    pub(crate) connect: bool,
}

/// A clock of the endpoint's own, in Unix milliseconds.
pub(crate) trait SignatureClock: MaybeSend + MaybeSync {
    fn now_ms(&self) -> u64;
}

impl<F: Fn() -> u64 + MaybeSend + MaybeSync> SignatureClock for F {
    fn now_ms(&self) -> u64 {
        self()
    }
}

impl<S> Endpoint<S> {
    /// What a path leads to, so that an adapter can let the application's own routes have what is not ours.
    pub fn route(&self, path: &str) -> Route {
        match &self.identity {
            Some(identity) if identity.path.is_at(path) => Route::Identity,
            _ if self.application.is_some() && is_application_manifest(path) => Route::ApplicationManifest,
            _ => self.mount.route(path),
        }
    }

    /// Where it is answered who is signed in, without a trailing slash; nothing without a resolver.
    pub fn identity_path(&self) -> Option<&str> {
        self.identity.as_ref().map(|identity| identity.path.as_str())
    }

    /// Where the endpoint answers, without a trailing slash.
    pub fn mount(&self) -> &str {
        self.mount.as_str()
    }

    /// The most bytes of a body that an adapter needs to read: past it,
    /// [`Request::body_too_large`](crate::Request::body_too_large) says enough.
    pub fn body_limit(&self) -> usize {
        self.options.body_limit
    }

    /// The endpoint's tools, plugins' first.
    pub fn tools(&self) -> &[Tool<S>] {
        &self.tools
    }

    /// The manifest, as a signed GET is answered.
    pub fn manifest(&self) -> &[u8] {
        &self.manifest
    }

    /// The application manifest, as `GET /agent/manifest` is answered, where the endpoint declares an application.
    pub fn application_manifest(&self) -> Option<&[u8]> {
        self.application.as_ref().map(|described| &**described.bytes())
    }

    /// The endpoint's own keys, if it was built with any.
    pub fn keys(&self) -> Option<&Keys> {
        self.options.keys.as_ref()
    }
}

impl<S: MaybeSync + 'static> Endpoint<S> {
    /// Begins an endpoint.
    pub fn builder() -> EndpointBuilder<S> {
        EndpointBuilder::new()
    }

    /// Answers one request. It never fails and never panics: what goes wrong is in the answer.
    pub async fn answer(&self, platform: &Platform<'_, S>, request: &Request) -> Response {
        let started_ms = platform.host.now_ms();
        let mut envelope = Envelope::default();
        let admitted = self.admit(platform, request, &mut envelope, started_ms);
        let answer = match &admitted {
            Ok(Admitted::Health) => return Response::health(),
            Ok(Admitted::Identity(identity)) => {
                let Platform { host, state, .. } = *platform;
                let (keys, limit_ms) = (self.keys_or(platform.keys), self.options.time_limit_ms);
                identity.resolver.answer(Asking { request, host, keys, state, limit_ms }).await
            }
            #[cfg(feature = "connect")]
            Ok(Admitted::Connect) => self.connect(platform, request).await,
            Ok(Admitted::Manifest { .. }) => {
                Answer::new(Ending::Result, Response::shared(self.manifest.clone()))
            }
            Ok(Admitted::Application { described, .. }) => {
                Answer::new(Ending::Result, Response::shared(described.bytes().clone()))
            }
            Ok(Admitted::Diagnostics { .. }) => self.diagnose(platform).await,
            Ok(Admitted::Call { tool, input, call, .. }) => {
                self.call(platform, tool, input, call, started_ms).await
            }
            Err(fault) => self.refuse(request, fault),
        };
        self.report(platform, request, &admitted, &answer, started_ms);
        answer.response
    }

    pub(crate) fn keys_or<'p>(&'p self, keys: &'p Keys) -> &'p Keys {
        self.options.keys.as_ref().unwrap_or(keys)
    }

    #[cfg(feature = "connect")]
    async fn connect(&self, platform: &Platform<'_, S>, request: &Request) -> Answer {
        let none = ConnectSettings::default();
        let settings = platform.settings.unwrap_or(&none);
        let tools = self.tools.len();
        match self.keys_or(platform.keys).key() {
            Some(key) => {
                connect::connect(Connecting { host: platform.host, settings, key, request, tools }).await
            }
            // It was admitted by that key.
            None => Fault::new(Code::MissingSecret, "There is no key to connect with.").into(),
        }
    }

    fn refuse(&self, request: &Request, fault: &Fault) -> Answer {
        let answer = Answer::from(fault.clone());
        match self.route(&request.path) {
            Route::ApplicationManifest => answer.of_get_alone(),
            _ => answer,
        }
    }

    /// What an event may hold of a customer's data: nothing, unless the endpoint opts in.
    fn payload<'x>(&self, text: impl FnOnce() -> Option<&'x str>) -> Option<&'x str> {
        if self.options.observe_payloads { text() } else { None }
    }

    /// Tells the host and the observer, neither of which can do harm by panicking.
    fn report(
        &self,
        platform: &Platform<'_, S>,
        request: &Request,
        admitted: &Result<Admitted<'_, S>, Fault>,
        answer: &Answer,
        started_ms: u64,
    ) {
        let mut event = answer.event();
        event.duration_ms = platform.host.now_ms().saturating_sub(started_ms);
        event.request_bytes = request.body.bytes().map(<[u8]>::len);
        match admitted {
            Ok(Admitted::Identity(_)) => event.asked = Asked::Identity,
            #[cfg(feature = "connect")]
            Ok(Admitted::Connect) => event.asked = Asked::Connect,
            Ok(Admitted::Manifest { verified }) => {
                event.asked = Asked::Manifest;
                event.previous_key = verified.by_previous_key();
            }
            Ok(Admitted::Application { verified, .. }) => {
                event.asked = Asked::ApplicationManifest;
                event.previous_key = verified.is_some_and(|verified| verified.by_previous_key());
            }
            Ok(Admitted::Diagnostics { verified }) => {
                event.asked = Asked::Diagnostics;
                event.previous_key = verified.by_previous_key();
            }
            Ok(Admitted::Call { verified, tool, call, .. }) => {
                event.asked = Asked::Tool;
                event.previous_key = verified.by_previous_key();
                event.tool = Some(tool.name());
                event.risk = Some(tool.risk());
                event.effect = Some(tool.effect());
                event.scopes = tool.scopes();
                event.tool_call_id = Some(call.id);
                event.conversation_id = Some(call.conversation_id);
                event.visitor_verified = Some(call.verified);
                event.approved_by = call.approved_by;
                event.input = self.payload(|| envelope::input_text(*verified));
            }
            Ok(Admitted::Health) | Err(_) => {}
        }
        event.result =
            self.payload(|| Some(warn::result_of(answer.response.body()))).filter(|text| !text.is_empty());
        // A log or an observer that panics has no say in the answer, and nowhere else to put its own.
        let _ = run::contain(platform.host, || platform.host.event(&event));
        if let Some(observer) = &self.options.observer {
            let _ = run::contain(platform.host, || observer.observe(&event));
        }
    }
}

impl<S> fmt::Debug for Endpoint<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("mount", &self.mount())
            .field("tools", &self.tools)
            .finish_non_exhaustive()
    }
}
