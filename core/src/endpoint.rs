//! The way through: admit (authenticate, decode) → run → respond.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::config::EndpointBuilder;
#[cfg(feature = "connect")]
use crate::connect::{self, ConnectSettings, Connecting};
use crate::context::{CallContext, Context, Unopened};
use crate::described::Described;
use crate::envelope::{self, Envelope, Operation, ToolCall};
use crate::error::{Code, Fault};
use crate::event::{Asked, Ending, Event, Observer, Warning};
use crate::host::{Host, Panicked};
use crate::http::{Body, Method, Request, Response, SIGNATURE_HEADER};
use crate::identity::{Asking, Identity};
use crate::input::{Fields, Input};
use crate::job::JobQueue;
use crate::key::Keys;
use crate::limits::DIAGNOSTICS_LIMIT_MS;
use crate::on_the_way::{self, coding};
use crate::outcome::{IntoOutcome, Kind, NEUTRAL_MESSAGE, Outcome, Refusal, RefusalOutcome, Stop};
use crate::risk::Effect;
use crate::route::{Mount, Route, is_application_manifest};
use crate::run::{self, Ended};
use crate::sendable::{BoxFuture, MaybeSend, MaybeSync};
use crate::signature::{Terms, Verified, authenticate};
use crate::text::Quoted;
use crate::tool::{Handler, Tool};
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

/// What a runtime lends for one request.
pub struct Platform<'a, S> {
    host: &'a dyn Host,
    keys: &'a Keys,
    state: &'a S,
    queue: Option<&'a dyn JobQueue>,
    health: bool,
    #[cfg(feature = "connect")]
    settings: Option<&'a ConnectSettings>,
}

impl<'a, S> Platform<'a, S> {
    /// The runtime, the keys that its environment gives, and the application's state.
    pub fn new(host: &'a dyn Host, keys: &'a Keys, state: &'a S) -> Self {
        Self {
            host,
            keys,
            state,
            queue: None,
            health: false,
            #[cfg(feature = "connect")]
            settings: None,
        }
    }

    /// What connecting needs to know of the environment. Without, no platform is known to connect to.
    #[cfg(feature = "connect")]
    #[cfg_attr(docsrs, doc(cfg(feature = "connect")))]
    #[must_use]
    pub fn with_connect(mut self, settings: &'a ConnectSettings) -> Self {
        self.settings = Some(settings);
        self
    }

    /// Lends the queue that tools enqueue jobs in.
    #[must_use]
    pub fn with_queue(mut self, queue: &'a dyn JobQueue) -> Self {
        self.queue = Some(queue);
        self
    }

    /// Answers `/healthz` too, as servers of ours do.
    #[must_use]
    pub fn with_health(mut self) -> Self {
        self.health = true;
        self
    }
}

impl<S> fmt::Debug for Platform<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Platform").field("health", &self.health).finish_non_exhaustive()
    }
}

/// A request that got in: verified, decoded, and known to ask for something that is here.
enum Admitted<'r, S> {
    Health,
    Identity(&'r Identity<S>),
    #[cfg(feature = "connect")]
    Connect,
    Manifest {
        verified: Verified<'r>,
    },
    /// The application manifest, which may be there for anyone.
    Application {
        described: &'r Described,
        verified: Option<Verified<'r>>,
    },
    Diagnostics {
        verified: Verified<'r>,
    },
    Call {
        verified: Verified<'r>,
        tool: &'r Tool<S>,
        input: &'r Input<'r>,
        call: CallContext<'r>,
    },
}

/// An answer, with what the event says of it.
pub(crate) struct Answer {
    pub(crate) response: Response,
    ending: Ending,
    fault: Option<Fault>,
    /// For the event only.
    pub(crate) detail: Option<String>,
    reason: Option<Cow<'static, str>>,
    warnings: Vec<Warning>,
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

    /// The checks, in the order of the protocol. Nothing of the body is looked at before its signature holds.
    fn admit<'e, 'r: 'e>(
        &'e self,
        platform: &Platform<'_, S>,
        request: &'r Request,
        envelope: &'e mut Envelope<'r>,
        now_ms: u64,
    ) -> Result<Admitted<'e, S>, Fault> {
        match self.route(&request.path) {
            Route::Endpoint => {}
            Route::Identity => {
                return self.identity.as_ref().map(Admitted::Identity).ok_or_else(|| self.nothing());
            }
            Route::ApplicationManifest => return self.admit_to_application(platform, request, now_ms),
            Route::Health if platform.health => return Ok(Admitted::Health),
            // Where nobody asks for health, the root has that path too.
            Route::Health if self.mount.is_root() => {}
            _ => return Err(self.nothing()),
        }
        #[cfg(feature = "connect")]
        if let Some(asked) = self.connecting(platform, request)? {
            return Ok(asked);
        }
        let verified = self.verify(platform.host, platform.keys, request, now_ms)?;
        if request.method == Method::Get {
            return Ok(Admitted::Manifest { verified });
        }
        if let Some(coding) = coding(request) {
            return Err(coded(&coding));
        }
        match envelope::decode(verified, envelope)? {
            Operation::Diagnostics => Ok(Admitted::Diagnostics { verified }),
            Operation::Tool(ToolCall { tool, input, context }) => {
                let known = self.tools.iter().find(|known| known.name() == tool);
                let Some(known) = known else {
                    // A member that is twice is wrong whatever the tool.
                    input.check_members()?;
                    return Err(unknown_tool(tool));
                };
                Ok(Admitted::Call { verified, tool: known, input, call: context })
            }
        }
    }

    /// The way in to the application manifest: for anyone, or by a signed GET.
    fn admit_to_application<'e, 'r: 'e>(
        &'e self,
        platform: &Platform<'_, S>,
        request: &'r Request,
        now_ms: u64,
    ) -> Result<Admitted<'e, S>, Fault> {
        if request.method != Method::Get {
            let only = "Only GET, for the application manifest, is answered here.";
            return Err(Fault::new(Code::MethodNotAllowed, only));
        }
        let Some(described) = &self.application else {
            return Err(Fault::new(Code::NotFound, "This endpoint describes no application."));
        };
        let verified = if described.is_signed() {
            Some(self.verify(platform.host, platform.keys, request, now_ms)?)
        } else {
            None
        };
        Ok(Admitted::Application { described, verified })
    }

    /// Whether a request would be refused because its signature fits none of the keys: an adapter whose keys may be behind
    /// can fetch them anew before it answers.
    pub fn has_wrong_signature(&self, host: &dyn Host, keys: &Keys, request: &Request) -> bool {
        let verified = || self.verify(host, keys, request, host.now_ms());
        self.route(&request.path) == Route::Endpoint
            && verified().is_err_and(|fault| fault.code() == Code::InvalidSignature)
    }

    /// The checks up to the signature.
    fn verify<'r>(
        &self,
        host: &dyn Host,
        keys: &Keys,
        request: &'r Request,
        now_ms: u64,
    ) -> Result<Verified<'r>, Fault> {
        let get = match request.method {
            Method::Get => true,
            Method::Post => false,
            Method::Other => return Err(Fault::new(Code::MethodNotAllowed, METHODS)),
        };
        let keys = self.keys_or(keys);
        let secrets = keys.tool_secrets().map_err(Fault::from)?;
        let body = if get { &[] } else { self.body_of(request)? };
        let now_ms = match &self.options.clock {
            Some(clock) => run::contain(host, || clock.now_ms()).map_err(|_| {
                Fault::new(Code::InvalidConfig, "The endpoint's clock does not work, so it answers nothing.")
            })?,
            None => now_ms,
        };
        let terms = Terms { secrets, now_ms, tolerance_ms: self.options.tolerance_ms };
        authenticate(request.headers.get(SIGNATURE_HEADER), body, terms)
            .map_err(|fault| on_the_way::explain(fault, request, body))
    }

    fn body_of<'r>(&self, request: &'r Request) -> Result<&'r [u8], Fault> {
        let limit = self.options.body_limit;
        match &request.body {
            Body::Unreadable(why) => Err(Fault::new(Code::InvalidBody, *why)),
            body => body.bytes().filter(|body| body.len() <= limit).ok_or_else(|| {
                let message = format!(
                    "The body is over {limit} bytes, the most that this endpoint takes (its body limit)."
                );
                Fault::new(Code::InvalidBody, message)
            }),
        }
    }

    fn nothing(&self) -> Fault {
        let mount = self.mount();
        Fault::new(Code::NotFound, format!("Nothing is here. The tool endpoint is at {mount}."))
    }

    fn keys_or<'p>(&'p self, keys: &'p Keys) -> &'p Keys {
        self.options.keys.as_ref().unwrap_or(keys)
    }

    /// An unsigned `GET` that may connect, once there is a key to connect by.
    #[cfg(feature = "connect")]
    fn connecting<'e>(
        &self,
        platform: &Platform<'_, S>,
        request: &Request,
    ) -> Result<Option<Admitted<'e, S>>, Fault> {
        if request.method != Method::Get || !self.options.connect {
            return Ok(None);
        }
        let keys = self.keys_or(platform.keys);
        keys.tool_secrets().map_err(Fault::from)?;
        connect::admit(&request.headers, keys).map(|asked| asked.map(|()| Admitted::Connect)).transpose()
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
            Route::ApplicationManifest => Answer { response: answer.response.of_get_alone(), ..answer },
            _ => answer,
        }
    }

    async fn call(
        &self,
        platform: &Platform<'_, S>,
        tool: &Tool<S>,
        input: &Input<'_>,
        call: &CallContext<'_>,
        started_ms: u64,
    ) -> Answer {
        let host = platform.host;
        let mut fields = Fields::new(&tool.fields);
        if let Err(fault) = input.sort_into(&mut fields) {
            return fault.into();
        }
        let limits = [
            Some(self.options.time_limit_ms),
            tool.timeout_seconds.map(|seconds| u64::from(seconds) * 1000),
            host.remaining_ms(),
        ];
        let limit_ms = limits.into_iter().flatten().min().unwrap_or_default();
        let context = Context {
            call,
            tool,
            fields: &fields,
            state: platform.state,
            host,
            queue: platform.queue,
            deadline_ms: started_ms.saturating_add(limit_ms),
        };
        match run::run(host, limit_ms, &mut || tool.start(Unopened::new(context))).await {
            Ended::Done(outcome) | Ended::Stopped(Stop::Ended(outcome)) => Answer::of_call(outcome),
            Ended::Stopped(Stop::InvalidInput(message)) => Fault::new(Code::InvalidInput, message).into(),
            Ended::Panicked(panicked) => panicked.into(),
            Ended::TimedOut => Answer::of_call(timed_out(tool, limit_ms)),
        }
    }

    async fn diagnose(&self, platform: &Platform<'_, S>) -> Answer {
        let Some(diagnostics) = &self.diagnostics else {
            return Fault::new(Code::DiagnosticsUnsupported, "This endpoint collects no diagnostics.").into();
        };
        let limit_ms =
            platform.host.remaining_ms().map_or(DIAGNOSTICS_LIMIT_MS, |ms| ms.min(DIAGNOSTICS_LIMIT_MS));
        match run::run(platform.host, limit_ms, &mut || Ok(diagnostics.start(platform.state))).await {
            Ended::Done(outcome) | Ended::Stopped(Stop::Ended(outcome)) => Answer::of_diagnostics(outcome),
            Ended::Panicked(panicked) => panicked.into(),
            Ended::TimedOut => Fault::new(
                Code::ExecutionFailed,
                format!("The diagnostics did not answer within {limit_ms} milliseconds."),
            )
            .into(),
            Ended::Stopped(Stop::InvalidInput(_)) => {
                Fault::new(Code::ExecutionFailed, NEUTRAL_MESSAGE).into()
            }
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

const METHODS: &str = "Only GET, for the manifest, and POST, to run a tool, are answered here.";

/// The signature covers the bytes as sent, and some fronts decompress on the way.
fn coded(coding: &str) -> Fault {
    let coding = Quoted(coding);
    let message =
        format!("The body is sent with Content-Encoding {coding}. Send it as it is, without a coding.");
    Fault::new(Code::InvalidBody, message)
}

fn unknown_tool(name: &str) -> Fault {
    let name = Quoted(name);
    let message =
        format!("This endpoint has no tool {name}: the synced list is behind. Sync the endpoint again.");
    Fault::new(Code::UnknownTool, message)
}

/// A read that ran out of time has failed; a write may have happened.
fn timed_out<S>(tool: &Tool<S>, limit_ms: u64) -> Outcome {
    let seconds = Seconds(limit_ms);
    match tool.effect() {
        Effect::Read => Outcome::failed(
            format!("The tool did not answer within {seconds} seconds."),
            format!("cut off after {limit_ms} ms"),
        ),
        Effect::Write => Outcome::refused(
            &Refusal::new("timed_out")
                .detail(format!("The tool did not answer within {seconds} seconds. The action may have happened: check before trying again."))
                .outcome(RefusalOutcome::Unknown),
        ),
    }
}

/// Milliseconds, as seconds for a person: `25`, `0.2`. What prints any float is larger than all that is printed with it.
struct Seconds(u64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 1000, self.0 % 1000);
        match rest {
            0 => write!(f, "{whole}"),
            _ if rest % 100 == 0 => write!(f, "{whole}.{}", rest / 100),
            _ if rest % 10 == 0 => write!(f, "{whole}.{:02}", rest / 10),
            _ => write!(f, "{whole}.{rest:03}"),
        }
    }
}

/// Diagnostics, in the shape that everything that runs is brought to.
pub(crate) trait Diagnostics<S>: MaybeSend + MaybeSync {
    fn start<'c>(&'c self, state: &'c S) -> BoxFuture<'c, Outcome>;
}

pub(crate) struct ByFunction<F>(pub(crate) F);

impl<S, F> Diagnostics<S> for ByFunction<F>
where
    S: MaybeSync + 'static,
    F: for<'c> Handler<&'c S> + MaybeSend + MaybeSync + 'static,
{
    fn start<'c>(&'c self, state: &'c S) -> BoxFuture<'c, Outcome> {
        Box::pin(async move { self.0.call(state).await.into_outcome() })
    }
}

impl Answer {
    fn of_call(outcome: Outcome) -> Self {
        Self::of(outcome, warn::of_result)
    }

    fn of_diagnostics(outcome: Outcome) -> Self {
        Self::of(outcome, |result, _| warn::of_diagnostics(result))
    }

    fn of(outcome: Outcome, warnings: impl FnOnce(&str, bool) -> Vec<Warning>) -> Self {
        match outcome.0 {
            Kind::Result { body, directives } => {
                let warnings = warnings(warn::result_of(&body), directives);
                Self { warnings, ..Self::new(Ending::Result, Response::ok(body)) }
            }
            Kind::Refused { body, reason } => {
                Self { reason: Some(reason), ..Self::new(Ending::Refused, Response::ok(body)) }
            }
            Kind::Failed { message, detail } => {
                Self { detail, ..Fault::new(Code::ExecutionFailed, message).into() }
            }
        }
    }

    pub(crate) fn new(ending: Ending, response: Response) -> Self {
        Self { response, ending, fault: None, detail: None, reason: None, warnings: Vec::new() }
    }

    /// What the answer itself says of the request.
    fn event(&self) -> Event<'_> {
        Event {
            asked: Asked::Nothing,
            ending: self.ending,
            status: self.response.status(),
            code: self.fault.as_ref().map(Fault::code),
            tool: None,
            tool_call_id: None,
            conversation_id: None,
            risk: None,
            effect: None,
            scopes: &[],
            visitor_verified: None,
            approved_by: None,
            reason: self.reason.as_deref(),
            message: self.fault.as_ref().map(Fault::message),
            detail: self.detail.as_deref(),
            previous_key: false,
            warnings: &self.warnings,
            duration_ms: 0,
            request_bytes: None,
            response_bytes: self.response.body().len(),
            input: None,
            result: None,
        }
    }
}

impl From<Fault> for Answer {
    fn from(fault: Fault) -> Self {
        let answer = Self::new(Ending::Error, Response::from(&fault));
        Self { fault: Some(fault), ..answer }
    }
}

impl From<Panicked> for Answer {
    fn from(panicked: Panicked) -> Self {
        let detail = format!("panicked: {}", panicked.0);
        Self { detail: Some(detail), ..Fault::new(Code::ExecutionFailed, NEUTRAL_MESSAGE).into() }
    }
}

#[cfg(test)]
mod tests {
    use super::Seconds;
    use alloc::string::ToString;

    #[test]
    fn a_time_is_told_in_seconds() {
        let told = [25_000, 200, 50, 1_001, 1_250].map(|ms| Seconds(ms).to_string());
        assert_eq!(told, ["25", "0.2", "0.05", "1.001", "1.25"]);
    }
}
