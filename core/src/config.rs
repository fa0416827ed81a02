//! Building an endpoint, and everything that can be wrong with one, told at once.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

use crate::call::{ByFunction, Diagnostics};
use crate::endpoint::{Endpoint, Options};
use crate::error::{Code, Fault};
use crate::event::Observer;
use crate::field::{FieldSpec, Kind};
use crate::identity::{AnswerIdentity, ByResolver, Identity, IdentityRequest, Resolver};
use crate::key::Keys;
use crate::limits::{
    DEFAULT_BODY_LIMIT, DEFAULT_IDENTITY_PATH, DEFAULT_MOUNT, DEFAULT_TIME_LIMIT_MS, DEFAULT_TOLERANCE_MS,
    MAX_FIELDS, MAX_MANIFEST_BYTES, MAX_NAME_CHARACTERS, MAX_SCHEMA_CHARACTERS, MAX_SCOPE_CHARACTERS,
    MAX_TOLERANCE_MS, MAX_TOOLS, is_name, is_reserved, is_scope,
};
use crate::manifest::{manifest, schema_characters};
use crate::plugin::Plugin;
use crate::route::Mount;
use crate::sendable::{MaybeSend, MaybeSync};
use crate::text::{Quoted, is_blank, list};
use crate::tool::{Handler, Tool};

/// An endpoint on its way to being built: tools, plugins, diagnostics and options.
#[must_use = "an endpoint is made by `build`"]
pub struct EndpointBuilder<S> {
    plugins: Vec<Plugin<S>>,
    tools: Vec<Tool<S>>,
    diagnostics: Option<Box<dyn Diagnostics<S>>>,
    identity: Option<(String, Box<dyn AnswerIdentity<S>>)>,
    mount: String,
    options: Options,
    /// What plugins say is wrong with what they were given.
    problems: Vec<Problem>,
    #[cfg(feature = "application-manifest")]
    application: Option<crate::application_manifest::Application>,
}

impl<S: MaybeSync + 'static> EndpointBuilder<S> {
    pub(crate) fn new() -> Self {
        Self {
            plugins: Vec::new(),
            tools: Vec::new(),
            diagnostics: None,
            identity: None,
            mount: DEFAULT_MOUNT.to_string(),
            options: Options {
                tolerance_ms: DEFAULT_TOLERANCE_MS,
                body_limit: DEFAULT_BODY_LIMIT,
                time_limit_ms: DEFAULT_TIME_LIMIT_MS,
                keys: None,
                clock: None,
                observer: None,
                observe_payloads: false,
                #[cfg(feature = "connect")]
                connect: true,
            },
            problems: Vec::new(),
            #[cfg(feature = "application-manifest")]
            application: None,
        }
    }

    /// Adds a bundle of tools. Plugins' tools come before the endpoint's own, in the order of their adding.
    pub fn plugin(mut self, plugin: impl Into<Plugin<S>>) -> Self {
        let plugin = plugin.into();
        let named =
            |message: &Cow<'_, str>| Problem::of_endpoint(format!("plugin {}: {message}", plugin.name));
        self.problems.extend(plugin.problems.iter().map(named));
        self.plugins.push(plugin);
        self
    }

    /// Adds tools.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool<S>>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Answers diagnostics with an `async` function of the state: it runs when a report is filed and at no other time.
    /// The platform waits 8 seconds and keeps 2,000 characters; the function is cut off after 7.5.
    pub fn diagnostics<F>(mut self, function: F) -> Self
    where
        F: for<'c> Handler<&'c S> + MaybeSend + MaybeSync + 'static,
    {
        self.diagnostics = Some(Box::new(ByFunction(function)));
        self
    }

    /// Answers who is signed in, with an `async` function of the request's cookies and headers and of the state: `None` is
    /// nobody. The widget asks for it with a `GET` at `/api/median/identity`.
    ///
    /// The answer has the visitor, and a signature over their id that the platform checks. The function is cut off after 10
    /// seconds; when it fails, the page gets `identity_failed` and the log the reason.
    ///
    /// ```
    /// use median_edge::prelude::*;
    ///
    /// struct Shop;
    ///
    /// impl Shop {
    ///     async fn signed_in(&self, session: &str) -> ToolResult<Option<IdentityUser>> {
    ///         Ok((session == "demo").then(|| IdentityUser::new("user_1").name("Ana")))
    ///     }
    /// }
    ///
    /// let endpoint = Endpoint::<Shop>::builder().identity(async |request: IdentityRequest<'_, Shop>| {
    ///     match request.cookie("session") {
    ///         Some(session) => request.state().signed_in(session).await,
    ///         None => Ok(None),
    ///     }
    /// });
    /// # assert!(endpoint.build().is_ok());
    /// ```
    pub fn identity<F>(self, resolver: F) -> Self
    where
        F: for<'c> Resolver<IdentityRequest<'c, S>> + MaybeSend + MaybeSync + 'static,
    {
        self.identity_at(DEFAULT_IDENTITY_PATH, resolver)
    }

    /// The same at another path, with and without a trailing slash.
    pub fn identity_at<F>(mut self, path: impl Into<String>, resolver: F) -> Self
    where
        F: for<'c> Resolver<IdentityRequest<'c, S>> + MaybeSend + MaybeSync + 'static,
    {
        self.identity = Some((path.into(), Box::new(ByResolver(resolver))));
        self
    }

    /// Whether the owner of the key can connect the endpoint by a `GET` with the key as its bearer. On unless said; off, a
    /// bearer is as if it were not there.
    #[cfg(feature = "connect")]
    #[cfg_attr(docsrs, doc(cfg(feature = "connect")))]
    pub fn connect(mut self, yes: bool) -> Self {
        self.options.connect = yes;
        self
    }

    /// Where the endpoint answers, with and without a trailing slash. `/api/median` unless said; `/` takes every path
    /// that nothing else claims.
    pub fn mount(mut self, path: impl Into<String>) -> Self {
        self.mount = path.into();
        self
    }

    /// Keys of the endpoint's own, in the place of those that the platform's environment gives.
    pub fn keys(mut self, keys: Keys) -> Self {
        self.options.keys = Some(keys);
        self
    }

    /// How far a request's time may be from ours, in both directions, in milliseconds. 300,000 unless said, and a day at
    /// most: it is how long a captured request can be sent again.
    pub fn tolerance_ms(mut self, ms: u64) -> Self {
        self.options.tolerance_ms = ms;
        self
    }

    /// The most bytes that a body may have. 1 MiB unless said.
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.options.body_limit = bytes;
        self
    }

    /// How long a call may run. 25 seconds unless said, and less where the tool or the platform says so.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.options.time_limit_ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        self
    }

    /// A clock of the endpoint's own to check signatures by, in Unix milliseconds.
    pub fn clock(mut self, now_ms: impl Fn() -> u64 + MaybeSend + MaybeSync + 'static) -> Self {
        self.options.clock = Some(Box::new(now_ms));
        self
    }

    /// Looks at the event of each request, beside the host's own log.
    pub fn observer(mut self, observer: impl Observer + 'static) -> Self {
        self.options.observer = Some(Box::new(observer));
        self
    }

    /// Lets events hold the input and the result. They are customers' data: leave this off unless you may keep them.
    pub fn observe_payloads(mut self, yes: bool) -> Self {
        self.options.observe_payloads = yes;
        self
    }

    /// Describes the application at `/agent/manifest`, for whatever agent comes by. It is public unless the application
    /// says otherwise ([`Application::signed`](crate::application_manifest::Application::signed)).
    #[cfg(feature = "application-manifest")]
    #[cfg_attr(docsrs, doc(cfg(feature = "application-manifest")))]
    pub fn application(mut self, application: crate::application_manifest::Application) -> Self {
        self.application = Some(application);
        self
    }

    /// Checks everything and makes the endpoint.
    ///
    /// # Errors
    ///
    /// Every problem there is, each naming its tool and field.
    pub fn build(self) -> Result<Endpoint<S>, ConfigError> {
        let mut problems = self.problems;
        let mount = Mount::parse(&self.mount).unwrap_or_else(|why| {
            let mount = Quoted(&self.mount);
            add(&mut problems, About::Endpoint, format_args!("the mount path {mount} can't be used: {why}"));
            Mount::default()
        });
        let identity = self.identity.and_then(|(path, resolver)| {
            let checked = resolver.check_path(&path, &mount).map_err(|why| {
                add(&mut problems, About::Endpoint, format_args!("{why}"));
            });
            checked.ok().map(|path| Identity { path, resolver })
        });
        if self.options.time_limit_ms == 0 {
            let message = format_args!("the time limit is 0, so no call could end in time");
            add(&mut problems, About::Endpoint, message);
        }
        if self.options.tolerance_ms > MAX_TOLERANCE_MS {
            let ms = self.options.tolerance_ms;
            let message = format_args!(
                "the tolerance is {ms} ms; {MAX_TOLERANCE_MS}, a day, is the most: it is how long a captured request can be sent again"
            );
            add(&mut problems, About::Endpoint, message);
        }
        let (mut owners, mut tools) = (Vec::new(), Vec::new());
        for plugin in self.plugins {
            let owner = format!("plugin {}", plugin.name);
            owners.resize(owners.len() + plugin.tools.len(), owner);
            tools.extend(plugin.tools);
        }
        tools.extend(self.tools);
        owners.resize(tools.len(), OWN.to_string());
        check_names(&owners, &tools, &mut problems);
        for tool in &tools {
            check_tool(tool, &mut problems);
        }
        let manifest = manifest(&tools, self.diagnostics.is_some());
        if manifest.len() > MAX_MANIFEST_BYTES {
            let bytes = manifest.len();
            let message = format_args!("the manifest has {bytes} bytes; {MAX_MANIFEST_BYTES} is the most");
            add(&mut problems, About::Endpoint, message);
        }
        #[cfg(feature = "application-manifest")]
        let application = self.application.and_then(|application| {
            let identity = identity.as_ref().map(|identity| identity.path.as_str());
            let own = crate::application_manifest::Own { mount: mount.as_str(), identity };
            crate::application_manifest::describe(&application, &tools, &own, &mut problems)
        });
        #[cfg(not(feature = "application-manifest"))]
        let application = None;
        ConfigError::of(problems)?;
        Ok(Endpoint {
            tools,
            diagnostics: self.diagnostics,
            identity,
            manifest: Arc::from(manifest),
            application,
            mount,
            options: self.options,
        })
    }
}

impl<S> Endpoint<S> {
    /// For adapters, at their start: whether the jobs that tools enqueue can be run. `runs` says it of each by its name.
    ///
    /// # Errors
    ///
    /// Each tool that enqueues a job which is run nowhere.
    pub fn check_jobs(&self, runs: impl Fn(&str) -> bool) -> Result<(), ConfigError> {
        let mut problems = Vec::new();
        for tool in &self.tools {
            if let Some(job) = tool.handles.iter().find(|job| !runs(job)) {
                let job = Quoted(job);
                let message = format_args!(
                    "it enqueues the job {job}, and nothing here runs it: this runtime has no queue, or its jobs lack the handler"
                );
                add(&mut problems, About::Tool(tool.name()), message);
            }
        }
        ConfigError::of(problems)
    }
}

impl<S> fmt::Debug for EndpointBuilder<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EndpointBuilder")
            .field("plugins", &self.plugins)
            .field("tools", &self.tools)
            .field("mount", &self.mount)
            .finish_non_exhaustive()
    }
}

const OWN: &str = "the endpoint itself";

/// What a problem is about: a tool, or a field of it.
#[derive(Clone, Copy)]
enum About<'a> {
    Endpoint,
    Tool(&'a str),
    Field(&'a str, &'a str),
}

/// One copy of what notes a problem: there are twenty that can be, and none in a program that works.
#[inline(never)]
fn add(problems: &mut Vec<Problem>, about: About<'_>, message: fmt::Arguments<'_>) {
    let (tool, field) = match about {
        About::Endpoint => (None, None),
        About::Tool(tool) => (Some(tool), None),
        About::Field(tool, field) => (Some(tool), Some(field)),
    };
    problems.push(Problem {
        tool: tool.map(ToString::to_string),
        field: field.map(ToString::to_string),
        message: message.to_string().into(),
    });
}

fn check_names<S>(owners: &[String], tools: &[Tool<S>], problems: &mut Vec<Problem>) {
    if tools.len() > MAX_TOOLS {
        let message = format_args!("there are {} tools; {MAX_TOOLS} is the most", tools.len());
        add(problems, About::Endpoint, message);
    }
    for (at, tool) in tools.iter().enumerate() {
        let name = tool.name();
        let mut taken: Vec<&str> = Vec::new();
        taken.extend(
            owners.iter().zip(tools).filter(|(_, tool)| tool.name() == name).map(|(owner, _)| &**owner),
        );
        let first = tools.iter().position(|tool| tool.name() == name) == Some(at);
        if first && taken.len() > 1 {
            let times = taken.len();
            taken.dedup();
            let owners = list(" and ", taken.into_iter());
            let message = format_args!("the name is taken {times} times, by {owners}");
            add(problems, About::Tool(name), message);
        }
    }
}

fn check_tool<S>(tool: &Tool<S>, problems: &mut Vec<Problem>) {
    let name = tool.name();
    let mut wrong = |message: fmt::Arguments<'_>| add(problems, About::Tool(name), message);
    if !is_name(name) {
        wrong(format_args!("{NAME_RULE}"));
    }
    if is_reserved(name) {
        wrong(format_args!("the name is reserved for one of the agent's own tools"));
    }
    if is_blank(tool.description()) {
        wrong(format_args!("the description is blank: the agent decides by it when to call the tool"));
    }
    if tool.timeout_seconds == Some(0) {
        wrong(format_args!("the timeout is 0 seconds, so no call could end in time"));
    }
    let mut jobs: Vec<&str> =
        tool.enqueues_job.as_deref().into_iter().chain(tool.handles.iter().copied()).collect();
    jobs.dedup();
    if jobs.len() > 1 {
        wrong(format_args!(
            "it enqueues the jobs {}; a tool enqueues one",
            list(" and ", jobs.iter().copied())
        ));
    }
    for (at, scope) in tool.scopes().iter().enumerate() {
        if !is_scope(scope) {
            wrong(format_args!(
                "the scope {} is none: it must be 1 to {MAX_SCOPE_CHARACTERS} visible ASCII characters, without a quotation mark or a backslash",
                Quoted(scope)
            ));
        }
        if tool.scopes()[..at].contains(scope) {
            wrong(format_args!("the scope {} is there more than once", Quoted(scope)));
        }
    }
    if tool.fields().len() > MAX_FIELDS {
        wrong(format_args!("it has {} fields; {MAX_FIELDS} is the most", tool.fields().len()));
    }
    let length = schema_characters(tool.fields());
    if length > MAX_SCHEMA_CHARACTERS {
        wrong(format_args!(
            "its input schema has {length} characters as JSON; {MAX_SCHEMA_CHARACTERS} is the most"
        ));
    }
    for (at, field) in tool.fields().iter().enumerate() {
        let mut wrong =
            |message: &str| add(problems, About::Field(name, &field.name), format_args!("{message}"));
        if !is_name(&field.name) {
            wrong(NAME_RULE);
        }
        if tool.fields()[..at].iter().any(|other| other.name == field.name) {
            wrong("the name is taken more than once");
        }
        if let Some(message) = field_problem(field) {
            wrong(message);
        }
    }
}

const NAME_RULE: &str = "the name must be a letter and up to 63 letters, digits and underscores";
const _: () = assert!(MAX_NAME_CHARACTERS == 64, "the rule above names the limit");

fn field_problem(field: &FieldSpec) -> Option<&'static str> {
    if let Some(problem) = field.checks.problem(field.kind) {
        return Some(problem);
    }
    if !field.description.is_empty() && is_blank(&field.description) {
        return Some("the description is blank: leave it out, or say something");
    }
    if field.kind != Kind::Choice {
        return None;
    }
    let texts: Vec<&str> = field.choices.iter().collect();
    if texts.is_empty() {
        return Some("a choice has at least one text");
    }
    if texts.iter().any(|text| is_blank(text)) {
        return Some("a choice has no blank text");
    }
    let is_twice = |(at, text): (usize, &&str)| texts[..at].contains(text);
    texts.iter().enumerate().any(is_twice).then_some("a choice has each text once")
}

/// One thing that is wrong with an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    tool: Option<String>,
    field: Option<String>,
    message: Cow<'static, str>,
}

impl Problem {
    pub(crate) fn of_endpoint(message: String) -> Self {
        Self { tool: None, field: None, message: message.into() }
    }

    #[cfg(feature = "application-manifest")]
    pub(crate) fn of_tool(tool: &str, message: String) -> Self {
        Self { tool: Some(tool.to_string()), field: None, message: message.into() }
    }

    /// The tool's name, when it is about one.
    pub fn tool(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    /// The field's name, when it is about one.
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }
}

/// `tool orderStatus, field orderNumber: what is wrong`.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.tool, &self.field) {
            (Some(tool), Some(field)) => write!(f, "tool {}, field {}: ", Quoted(tool), Quoted(field))?,
            (Some(tool), None) => write!(f, "tool {}: ", Quoted(tool))?,
            (None, _) => {}
        }
        f.write_str(&self.message)
    }
}

/// Everything that is wrong with an endpoint. Shown, it is one problem a line.
#[derive(Clone, PartialEq, Eq)]
pub struct ConfigError {
    problems: Vec<Problem>,
}

impl ConfigError {
    /// The error, when there are problems.
    pub(crate) fn of(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self { problems }) }
    }

    /// The problems, at least one.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let many = if self.problems.len() == 1 { "a problem" } else { "problems" };
        write!(f, "the endpoint has {many}:")?;
        for problem in &self.problems {
            write!(f, "\n- {problem}")?;
        }
        Ok(())
    }
}

/// The same words: a `main` that returns the error, and `unwrap`, show it so.
impl fmt::Debug for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for ConfigError {}

/// What a request is answered with where the endpoint could not be built. The problems are for the log.
impl From<&ConfigError> for Fault {
    fn from(_: &ConfigError) -> Self {
        let message = "The endpoint's configuration has problems, so it answers nothing. They are in the application's log.";
        Self::new(Code::InvalidConfig, message)
    }
}
