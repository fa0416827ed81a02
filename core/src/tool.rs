//! A tool: what the agent reads of it, and the function behind it.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::future::Future;
use core::marker::PhantomData;

use crate::context::{Context, Unopened};
use crate::field::FieldSpec;
use crate::outcome::{IntoOutcome, Outcome, Stop};
use crate::risk::{Effect, Risk};
use crate::schema::SchemaJson;
use crate::sendable::{BoxFuture, MaybeSend, MaybeSync};

/// A function that the agent may call.
///
/// `#[tool]` makes one of a function; this builds one without the macro:
///
/// ```
/// use median_edge::field::string;
/// use median_edge::prelude::*;
///
/// struct Shop;
///
/// let tool: Tool<Shop> = Tool::builder("orderStatus", "Look up the status of an order.")
///     .risk(Risk::Low)
///     .effect(Effect::Read)
///     .field(string("orderNumber").description("The order number, like ORD-1042.").not_blank())
///     .run(async |call: Context<'_, Shop>| -> ToolResult<String> {
///         let customer: VerifiedVisitor = call.extract()?;
///         let order_number: String = call.get("orderNumber")?;
///         Ok(format!("{order_number} of {} is shipped", customer.id()))
///     });
/// assert_eq!(tool.name(), "orderStatus");
/// ```
///
/// A tool without a risk does not compile:
///
/// ```compile_fail,E0599
/// use median_edge::prelude::*;
///
/// let tool: Tool<()> = Tool::builder("ping", "Answer.").run(async |_: Context<'_, ()>| -> ToolResult<()> { Ok(()) });
/// ```
pub struct Tool<S> {
    pub(crate) name: Cow<'static, str>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) risk: Risk,
    pub(crate) effect: Effect,
    pub(crate) timeout_seconds: Option<u32>,
    pub(crate) scopes: Vec<Cow<'static, str>>,
    pub(crate) idempotent: bool,
    pub(crate) enqueues_job: Option<Cow<'static, str>>,
    /// The jobs that it can take a handle for.
    pub(crate) handles: Vec<&'static str>,
    #[cfg_attr(not(feature = "application-manifest"), allow(dead_code))]
    pub(crate) schemas: Schemas,
    pub(crate) fields: Vec<FieldSpec>,
    run: Box<dyn Run<S>>,
}

impl<S: 'static> Tool<S> {
    /// Begins a tool: its name as the agent calls it, and what it does. The agent decides by the description when to
    /// call it; the platform adds its own line about the risk, so leave that out.
    pub fn builder(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> ToolBuilder<S, NeedsRisk> {
        ToolBuilder {
            name: name.into(),
            description: description.into(),
            risk: NeedsRisk(()),
            effect: Effect::default(),
            timeout_seconds: None,
            scopes: Vec::new(),
            idempotent: false,
            enqueues_job: None,
            handles: Vec::new(),
            schemas: Schemas::default(),
            fields: Vec::new(),
            state: PhantomData,
        }
    }
}

impl<S> Tool<S> {
    /// The name, as the agent calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the agent reads about it.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// How its calls are released.
    pub fn risk(&self) -> Risk {
        self.risk
    }

    /// Whether it changes anything.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// The scopes that it declares: what whoever it works for must be allowed.
    pub fn scopes(&self) -> &[Cow<'static, str>] {
        &self.scopes
    }

    /// Whether the same call twice does what it does once.
    pub fn is_idempotent(&self) -> bool {
        self.idempotent
    }

    /// The name of the job that it enqueues, if it does.
    pub fn enqueues_job(&self) -> Option<&str> {
        self.enqueues_job.as_deref().or(self.handles.first().copied())
    }

    /// The fields of its input, in the order of their declaration.
    pub fn fields(&self) -> &[FieldSpec] {
        &self.fields
    }

    pub(crate) fn start<'c>(&'c self, call: Unopened<'c, S>) -> Started<'c> {
        self.run.start(call)
    }
}

impl<S> fmt::Debug for Tool<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.name)
            .field("risk", &self.risk)
            .field("fields", &self.fields)
            .finish_non_exhaustive()
    }
}

/// A tool that lacks its risk.
#[derive(Clone, Copy, Debug)]
pub struct NeedsRisk(());

/// A tool on its way to its function. `R` says whether it still lacks its risk: there is no default.
#[must_use = "a tool is made by `run`"]
pub struct ToolBuilder<S, R = Risk> {
    name: Cow<'static, str>,
    description: Cow<'static, str>,
    risk: R,
    effect: Effect,
    timeout_seconds: Option<u32>,
    scopes: Vec<Cow<'static, str>>,
    idempotent: bool,
    enqueues_job: Option<Cow<'static, str>>,
    handles: Vec<&'static str>,
    schemas: Schemas,
    fields: Vec<FieldSpec>,
    state: PhantomData<fn(&S)>,
}

impl<S, R: fmt::Debug> fmt::Debug for ToolBuilder<S, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolBuilder")
            .field("name", &self.name)
            .field("risk", &self.risk)
            .finish_non_exhaustive()
    }
}

impl<S: 'static> ToolBuilder<S, NeedsRisk> {
    /// Says how the tool's calls are released.
    pub fn risk(self, risk: Risk) -> ToolBuilder<S> {
        ToolBuilder {
            name: self.name,
            description: self.description,
            risk,
            effect: self.effect,
            timeout_seconds: self.timeout_seconds,
            scopes: self.scopes,
            idempotent: self.idempotent,
            enqueues_job: self.enqueues_job,
            handles: self.handles,
            schemas: self.schemas,
            fields: self.fields,
            state: PhantomData,
        }
    }
}

impl<S: 'static, R> ToolBuilder<S, R> {
    /// Says whether the tool changes anything. Left out, it is taken to.
    pub fn effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// Cuts each call off after so many seconds, where the endpoint's own limit is not shorter.
    pub fn timeout(mut self, seconds: u32) -> Self {
        self.timeout_seconds = Some(seconds);
        self
    }

    /// Declares what whoever the tool works for must be allowed, like `orders:read`. The endpoint does not know who may do
    /// what, so it enforces none of them: they stand in the application manifest, and reach the tool through
    /// [`Call::scopes`](crate::Call::scopes) and the observer through the event.
    pub fn scopes<T: Into<Cow<'static, str>>>(mut self, scopes: impl IntoIterator<Item = T>) -> Self {
        self.scopes.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// Says that the same call twice does what it does once. Left out, it is taken not to.
    pub fn idempotent(mut self) -> Self {
        self.idempotent = true;
        self
    }

    /// Lets the tool enqueue a kind of job: its context then gives an [`Enqueue`](crate::job::Enqueue) for it.
    pub fn enqueues<J: crate::job::Job>(mut self) -> Self {
        self.handles.push(J::NAME);
        self
    }

    /// For the macro: what the function's arguments declare.
    #[doc(hidden)]
    pub fn declared(mut self, declared: crate::__private::Declared) -> Self {
        self.fields.extend(declared.fields);
        self.handles.extend(declared.handles);
        self
    }

    /// Says which job the tool enqueues, where it does so by means of its own. One that takes an
    /// [`Enqueue`](crate::job::Enqueue) need not say it.
    pub fn enqueues_job(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.enqueues_job = Some(name.into());
        self
    }

    /// Says by hand what the application manifest says of the input, in the place of what follows from the fields.
    pub fn input_schema(mut self, schema: impl Into<SchemaJson>) -> Self {
        self.schemas.set_input(schema.into());
        self
    }

    /// Says by hand what the application manifest says of the answer.
    pub fn output_schema(mut self, schema: impl Into<SchemaJson>) -> Self {
        self.schemas.set_output(schema.into());
        self
    }

    /// Says by its type what the application manifest says of the answer.
    #[cfg(feature = "application-manifest")]
    #[cfg_attr(docsrs, doc(cfg(feature = "application-manifest")))]
    pub fn output<T: schemars::JsonSchema>(self) -> Self {
        self.output_schema(SchemaJson::written::<T>())
    }

    /// For the macro: the schema of what the function returns, where its type has one.
    #[doc(hidden)]
    pub fn returned(self, schema: Option<SchemaJson>) -> Self {
        match schema {
            Some(schema) => self.output_schema(schema),
            None => self,
        }
    }

    /// Adds a field to the input.
    pub fn field(mut self, field: FieldSpec) -> Self {
        self.fields.push(field);
        self
    }
}

impl<S: 'static> ToolBuilder<S> {
    /// Makes the tool with an `async` function or closure that takes a [`Context`]. One that captures something is for
    /// [`ToolBuilder::run_boxed`].
    pub fn run<F>(self, function: F) -> Tool<S>
    where
        F: for<'c> Handler<Context<'c, S>> + MaybeSend + MaybeSync + 'static,
        S: MaybeSync,
    {
        self.finish(Box::new(ByHandler(function)))
    }

    /// Makes the tool with a closure that returns a boxed future, which may borrow from the closure's captures' clones.
    ///
    /// ```
    /// use median_edge::prelude::*;
    ///
    /// let greeting = String::from("hello");
    /// let tool: Tool<()> = Tool::builder("greet", "Say hello.").risk(Risk::Low).run_boxed(move |_| {
    ///     let greeting = greeting.clone();
    ///     Box::pin(async move { ToolResult::Ok(greeting) })
    /// });
    /// # assert_eq!(tool.name(), "greet");
    /// ```
    pub fn run_boxed<F, T>(self, function: F) -> Tool<S>
    where
        F: for<'c> Fn(Context<'c, S>) -> BoxFuture<'c, T> + MaybeSend + MaybeSync + 'static,
        T: IntoOutcome + 'static,
        S: MaybeSync,
    {
        self.finish(Box::new(Boxed(function, PhantomData)))
    }

    /// For the macro, whose tools read their own fields.
    #[doc(hidden)]
    pub fn run_started(self, start: for<'c> fn(Unopened<'c, S>) -> Started<'c>) -> Tool<S> {
        self.finish(Box::new(start))
    }

    fn finish(self, run: Box<dyn Run<S>>) -> Tool<S> {
        Tool {
            name: self.name,
            description: self.description,
            risk: self.risk,
            effect: self.effect,
            timeout_seconds: self.timeout_seconds,
            scopes: self.scopes,
            idempotent: self.idempotent,
            enqueues_job: self.enqueues_job,
            handles: self.handles,
            schemas: self.schemas,
            fields: self.fields,
            run,
        }
    }
}

/// What the application manifest says of a tool's input and answer, where that is said by hand or by a type. Without the
/// feature nothing reads it, so nothing is kept.
#[derive(Default)]
pub(crate) struct Schemas {
    #[cfg(feature = "application-manifest")]
    given: [Option<SchemaJson>; 2],
}

#[cfg(feature = "application-manifest")]
impl Schemas {
    fn set_input(&mut self, schema: SchemaJson) {
        self.given[0] = Some(schema);
    }

    fn set_output(&mut self, schema: SchemaJson) {
        self.given[1] = Some(schema);
    }

    pub(crate) fn input(&self) -> Option<&SchemaJson> {
        self.given[0].as_ref()
    }

    pub(crate) fn output(&self) -> Option<&SchemaJson> {
        self.given[1].as_ref()
    }
}

#[cfg(not(feature = "application-manifest"))]
#[allow(clippy::unused_self, clippy::needless_pass_by_value)] // The same calls as with the feature.
impl Schemas {
    fn set_input(&mut self, _: SchemaJson) {}

    fn set_output(&mut self, _: SchemaJson) {}
}

/// A call that runs, or the reason why it does not. Reading the input, the gate and the extractors are synchronous, so
/// that only a call that runs is boxed.
#[doc(hidden)]
pub type Started<'c> = Result<BoxFuture<'c, Outcome>, Stop>;

trait Run<S>: MaybeSend + MaybeSync {
    fn start<'c>(&'c self, call: Unopened<'c, S>) -> Started<'c>;
}

/// An `async` function of one argument whose future may go where the host needs it.
///
/// It is there for every `async fn(A) -> T` and every `async` closure that captures nothing: on targets with threads,
/// their futures must be `Send`.
#[diagnostic::on_unimplemented(
    message = "this is not an async function or closure of `{A}` whose future is `Send`",
    note = "it must return what a tool may return; a closure that captures something is for `run_boxed`"
)]
pub trait Handler<A> {
    /// What the function's future gives.
    type Output: IntoOutcome;
    /// The function's future.
    type Future: Future<Output = Self::Output> + MaybeSend;

    /// Calls it.
    fn call(&self, argument: A) -> Self::Future;
}

#[diagnostic::do_not_recommend]
impl<A, F, Fut> Handler<A> for F
where
    F: Fn(A) -> Fut,
    Fut: Future<Output: IntoOutcome> + MaybeSend,
{
    type Output = Fut::Output;
    type Future = Fut;

    fn call(&self, argument: A) -> Fut {
        self(argument)
    }
}

/// Reads and checks the whole input by the tool's declaration, and passes the gate.
fn open<S>(call: Unopened<'_, S>) -> Result<Context<'_, S>, Stop> {
    call.fields().check_all()?;
    let checked = call.fields().finish()?;
    call.open(checked)
}

struct ByHandler<F>(F);

impl<S, F> Run<S> for ByHandler<F>
where
    S: MaybeSync + 'static,
    F: for<'c> Handler<Context<'c, S>> + MaybeSend + MaybeSync + 'static,
{
    fn start<'c>(&'c self, call: Unopened<'c, S>) -> Started<'c> {
        let context = open(call)?;
        Ok(Box::pin(async move { self.0.call(context).await.into_outcome() }))
    }
}

struct Boxed<F, T>(F, PhantomData<fn() -> T>);

impl<S, F, T> Run<S> for Boxed<F, T>
where
    S: MaybeSync + 'static,
    F: for<'c> Fn(Context<'c, S>) -> BoxFuture<'c, T> + MaybeSend + MaybeSync,
    T: IntoOutcome + 'static,
{
    fn start<'c>(&'c self, call: Unopened<'c, S>) -> Started<'c> {
        let context = open(call)?;
        let future = (self.0)(context);
        Ok(Box::pin(async move { future.await.into_outcome() }))
    }
}

impl<S> Run<S> for for<'c> fn(Unopened<'c, S>) -> Started<'c> {
    fn start<'c>(&'c self, call: Unopened<'c, S>) -> Started<'c> {
        self(call)
    }
}

/// What `#[tool]` makes of a function, beside the function itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool for the state `{S}`",
    note = "put `#[tool(risk = \"…\")]` on the function; `tools!` takes the function's name or path"
)]
pub trait IntoTool<S> {
    /// The tool.
    fn tool() -> Tool<S>;

    /// Reads the input, passes the gate, takes what else the function takes, and starts it.
    #[doc(hidden)]
    fn start(call: Unopened<'_, S>) -> Started<'_>;
}
