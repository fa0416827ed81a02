//! What a tool receives besides its input: who is asking, for which conversation, and the application's own state.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;
use core::time::Duration;

use crate::field::{Argument, Field};
use crate::host::Host;
use crate::input::{Checked, Fields};
use crate::job::JobQueue;
use crate::outcome::{Outcome, Refusal, Stop, ToolError, ToolResult};
use crate::risk::{Effect, Risk};
use crate::tool::Tool;

/// What the platform says about a call, decoded.
#[derive(Debug)]
pub(crate) struct CallContext<'a> {
    pub(crate) id: &'a str,
    pub(crate) conversation_id: &'a str,
    pub(crate) risk: Risk,
    pub(crate) verified: bool,
    pub(crate) external_id: Option<&'a str>,
    pub(crate) email: Option<&'a str>,
    pub(crate) name: Option<&'a str>,
    pub(crate) approved_by: Option<&'a str>,
}

impl CallContext<'_> {
    /// The visitor's id, when the platform vouches for it. The one way to it.
    fn verified_id(&self) -> Option<&str> {
        self.external_id.filter(|_| self.verified)
    }
}

/// A call whose input and risk have not been looked at yet. [`Unopened::open`] is the gate to everything else.
#[doc(hidden)]
#[derive(Debug)]
pub struct Unopened<'c, S> {
    context: Context<'c, S>,
}

impl<'c, S> Unopened<'c, S> {
    pub(crate) fn new(context: Context<'c, S>) -> Self {
        Self { context }
    }

    /// The values of the input by the tool's own fields.
    pub fn fields(&self) -> &'c Fields<'c> {
        self.context.fields
    }

    /// The gate: past it with a checked input, and, for a tool that needs approval, with an approver.
    ///
    /// # Errors
    ///
    /// The refusal `approval_required`.
    ///
    /// The tool's own risk decides and never the call's: a manifest that was synced before the risk was raised must not
    /// let a call through.
    pub fn open(self, _input: Checked) -> Result<Context<'c, S>, Stop> {
        let context = self.context;
        if context.tool.risk.needs_approval() && context.call.approved_by.is_none() {
            let refusal = Refusal::new("approval_required").detail(
                "This action needs approval, and the call does not say who approved it. The endpoint must be synced again.",
            );
            return Err(Stop::Ended(Outcome::refused(&refusal)));
        }
        Ok(context)
    }
}

/// Everything that a call brings, once its input is checked and its risk allowed.
pub struct Context<'c, S> {
    pub(crate) call: &'c CallContext<'c>,
    pub(crate) tool: &'c Tool<S>,
    pub(crate) fields: &'c Fields<'c>,
    pub(crate) state: &'c S,
    pub(crate) host: &'c dyn Host,
    pub(crate) queue: Option<&'c dyn JobQueue>,
    pub(crate) deadline_ms: u64,
}

impl<S> Clone for Context<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Context<'_, S> {}

impl<S> fmt::Debug for Context<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("tool", &self.tool.name()).finish_non_exhaustive()
    }
}

impl<'c, S> Context<'c, S> {
    /// Reads one field of the input, for tools that are built without the macro. It has been checked already.
    ///
    /// # Errors
    ///
    /// When the tool does not declare such a field, or not of this type: the agent reads a neutral message, and the
    /// event says which.
    pub fn get<T: Field>(&self, name: &str) -> ToolResult<T> {
        let wrong = |why: &str| ToolError::internal(alloc::format!("the tool read its field {name}, {why}"));
        let specs = &self.tool.fields;
        let place = specs.iter().position(|spec| spec.name == name);
        let place = place.ok_or_else(|| wrong("which it does not declare"))?;
        self.fields.take(place).map_err(|_| wrong("as another type than it declares"))
    }

    /// Takes what a tool can take: the visitor, the call, the state.
    ///
    /// # Errors
    ///
    /// Those of the type: [`VerifiedVisitor`] refuses with `not_signed_in`.
    pub fn extract<T: Extract<'c, S>>(&self) -> ToolResult<T> {
        T::extract(*self)
    }

    /// The tool that is called.
    pub fn tool(&self) -> &'c Tool<S> {
        self.tool
    }

    /// The application's own state.
    pub fn state(&self) -> &'c S {
        self.state
    }
}

/// Something that a tool can take besides the fields of its input.
///
/// ```
/// use median_edge::prelude::*;
/// use median_edge::field::Argument;
///
/// /// The name of whoever let this call run; refuses a call that nobody approved.
/// struct Approver(String);
///
/// impl Argument for Approver {}
///
/// impl<'c, S> Extract<'c, S> for Approver {
///     fn extract(context: Context<'c, S>) -> ToolResult<Self> {
///         let call: Call = context.extract()?;
///         match call.approved_by() {
///             Some(name) => Ok(Self(name.to_owned())),
///             None => Err(Refusal::new("not_approved").into()),
///         }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be taken from a call with the state `{S}`",
    note = "implement `Extract` for it beside `Argument`; a field of the input implements `Field` instead"
)]
pub trait Extract<'c, S>: Argument + Sized {
    /// Takes it from the call.
    ///
    /// # Errors
    ///
    /// A refusal or an error ends the call with it.
    fn extract(context: Context<'c, S>) -> ToolResult<Self>;
}

/// A state that holds a `T`. Every state holds itself; implement it to give a tool, or a plugin's tools, a part.
///
/// ```
/// use median_edge::Has;
///
/// struct Orders;
/// struct Shop { orders: Orders }
///
/// impl Has<Orders> for Shop {
///     fn part(&self) -> &Orders {
///         &self.orders
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "the endpoint's state `{Self}` does not hold a `{T}`",
    note = "a tool here takes `State<'_, {T}>`: build the endpoint with that state, or implement `Has<{T}>` for `{Self}`"
)]
pub trait Has<T> {
    /// The part.
    fn part(&self) -> &T;
}

impl<T> Has<T> for T {
    fn part(&self) -> &T {
        self
    }
}

/// The application's own state, or a part of it.
pub struct State<'c, T>(&'c T);

impl<'c, T> State<'c, T> {
    /// For calling a tool's function directly, in a test.
    pub fn new(state: &'c T) -> Self {
        Self(state)
    }
}

impl<T> Clone for State<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for State<'_, T> {}

impl<T> Deref for State<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}

/// Says nothing of what the state holds.
impl<T> fmt::Debug for State<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("State(…)")
    }
}

impl<T> Argument for State<'_, T> {}

impl<'c, S: Has<T>, T> Extract<'c, S> for State<'c, T> {
    fn extract(context: Context<'c, S>) -> ToolResult<Self> {
        Ok(Self(context.state.part()))
    }
}

/// A visitor whose identity your own server signed. Authorise on [`VerifiedVisitor::id`].
///
/// A tool that takes one refuses a call from anyone else with `not_signed_in`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedVisitor {
    id: String,
}

impl VerifiedVisitor {
    /// Your own id of the visitor. Never blank.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// A visitor for calling a tool's function directly, in a test.
    #[cfg(feature = "testing")]
    #[cfg_attr(docsrs, doc(cfg(feature = "testing")))]
    pub fn for_tests(id: impl Into<String>) -> Self {
        Self { id: id.into() }
    }
}

impl Argument for VerifiedVisitor {}

impl<'c, S> Extract<'c, S> for VerifiedVisitor {
    fn extract(context: Context<'c, S>) -> ToolResult<Self> {
        match context.call.verified_id() {
            Some(id) => Ok(Self { id: id.into() }),
            None => Err(Refusal::new("not_signed_in")
                .detail("Sign in first: this needs to know who is asking.")
                .into()),
        }
    }
}

/// Who the agent is talking to, verified or not.
#[derive(Clone, Debug)]
pub struct Visitor {
    verified: Option<VerifiedVisitor>,
    email: Option<String>,
    name: Option<String>,
}

impl Visitor {
    /// The visitor's proven identity, if there is one.
    pub fn verified(&self) -> Option<&VerifiedVisitor> {
        self.verified.as_ref()
    }

    /// The address that the page or the customer gave. Nobody has checked it: do not authorise on it.
    pub fn unverified_email(&self) -> Option<&str> {
        self.email.as_deref()
    }

    /// The name that the page or the customer gave. Nobody has checked it: do not authorise on it.
    pub fn unverified_name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

impl Argument for Visitor {}

impl<'c, S> Extract<'c, S> for Visitor {
    fn extract(context: Context<'c, S>) -> ToolResult<Self> {
        let call = context.call;
        Ok(Self {
            verified: call.verified_id().map(|id| VerifiedVisitor { id: id.into() }),
            email: call.email.map(String::from),
            name: call.name.map(String::from),
        })
    }
}

/// The call itself: its ids, and who let it run.
#[derive(Clone, Debug)]
pub struct Call {
    id: String,
    conversation_id: String,
    risk: Risk,
    approved_by: Option<String>,
    effect: Effect,
    scopes: Vec<Cow<'static, str>>,
}

impl Call {
    /// The call's id. Opaque. Use it as the idempotency key of whatever you write to.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The conversation that the call came from. Opaque.
    pub fn conversation_id(&self) -> &str {
        &self.conversation_id
    }

    /// The risk that the platform holds the tool to be: that of its last sync. The gate goes by the tool's own.
    pub fn risk(&self) -> Risk {
        self.risk
    }

    /// Who let the call run: a name for people, not an identity. Never blank.
    pub fn approved_by(&self) -> Option<&str> {
        self.approved_by.as_deref()
    }

    /// The effect that the tool declares.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// The scopes that the tool declares: what whoever it works for must be allowed. The endpoint does not know who may do
    /// what, so it checks none of them.
    pub fn scopes(&self) -> impl Iterator<Item = &str> {
        self.scopes.iter().map(AsRef::as_ref)
    }
}

impl Argument for Call {}

impl<'c, S> Extract<'c, S> for Call {
    fn extract(context: Context<'c, S>) -> ToolResult<Self> {
        let call = context.call;
        Ok(Self {
            id: call.id.into(),
            conversation_id: call.conversation_id.into(),
            risk: call.risk,
            approved_by: call.approved_by.map(String::from),
            effect: context.tool.effect,
            scopes: context.tool.scopes.clone(),
        })
    }
}

/// The host's clock, where the standard library's is not to be had.
#[derive(Clone, Copy)]
pub struct Clock<'c>(&'c dyn Host);

impl Clock<'_> {
    /// Unix time in milliseconds.
    pub fn now_ms(&self) -> u64 {
        self.0.now_ms()
    }
}

impl fmt::Debug for Clock<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock(…)")
    }
}

impl Argument for Clock<'_> {}

impl<'c, S> Extract<'c, S> for Clock<'c> {
    fn extract(context: Context<'c, S>) -> ToolResult<Self> {
        Ok(Self(context.host))
    }
}

/// When this call is cut off.
#[derive(Clone, Copy, Debug)]
pub struct Deadline<'c> {
    clock: Clock<'c>,
    at_ms: u64,
}

impl Deadline<'_> {
    /// The moment, as Unix time in milliseconds on the host's clock.
    pub fn at_ms(&self) -> u64 {
        self.at_ms
    }

    /// How long there is left: what to give a request to another service as its time limit.
    pub fn remaining(&self) -> Duration {
        Duration::from_millis(self.at_ms.saturating_sub(self.clock.now_ms()))
    }
}

impl Argument for Deadline<'_> {}

impl<'c, S> Extract<'c, S> for Deadline<'c> {
    fn extract(context: Context<'c, S>) -> ToolResult<Self> {
        Ok(Self { clock: Clock(context.host), at_ms: context.deadline_ms })
    }
}
