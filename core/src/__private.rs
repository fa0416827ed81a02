//! What the macros' code stands on. Not for other code: it changes without notice.

pub use crate::context::Unopened;
pub use crate::field::{Argument, Bound, Checks, Choice, Field, FieldSpec, Kind, Mismatch, Raw};
pub use crate::input::Fields;
pub use crate::limits::{is_name, is_reserved};
pub use crate::outcome::{IntoOutcome, Outcome, Stop};
pub use crate::schema::SchemaJson;
pub use crate::sendable::MaybeSync;
pub use crate::tool::{IntoTool, Started, Tool};
pub use crate::{BoxFuture, Context, Effect, Extract, Object, Risk};
/// Not by its own name: `Box::pin` stands at a place in the user's code, where their lints would find the path too long.
pub use alloc::boxed::Box as Boxed;
pub use alloc::vec::Vec;
pub use core::option::Option;
pub use core::result::Result;
pub use serde::Serialize;

use crate::limits::MAX_FIELDS;

/// Joins fields and extractors: `Select<true>` is a field's way, `Select<false>` an extractor's. The macro writes the
/// same code for every argument, and the argument's own type picks the way.
#[allow(missing_debug_implementations)]
pub struct Select<const FIELD: bool>;

/// Adds an argument to the declaration: a field, or a handle for a job.
pub trait Declare<T> {
    /// What the schema says of it, if it is a field.
    const KIND: Option<Kind>;
    fn declare(declared: &mut Declared, name: &'static str, description: &'static str, checks: Checks);
}

impl<T: Field> Declare<T> for Select<true> {
    const KIND: Option<Kind> = Some(T::KIND);

    fn declare(declared: &mut Declared, name: &'static str, description: &'static str, checks: Checks) {
        declared.fields.push(FieldSpec::of::<T>(name, description, checks));
    }
}

impl<T: Argument> Declare<T> for Select<false> {
    const KIND: Option<Kind> = None;

    fn declare(declared: &mut Declared, _: &'static str, _: &'static str, _: Checks) {
        declared.handles.extend(T::ENQUEUES);
    }
}

/// What a tool's arguments declare: its fields, and the jobs that it has handles for.
#[derive(Debug, Default)]
pub struct Declared {
    pub(crate) fields: Vec<FieldSpec>,
    pub(crate) handles: Vec<&'static str>,
}

impl Declared {
    pub fn new() -> Self {
        Self::default()
    }
}

/// Takes an argument in two steps: what a field reads before the gate, and what an extractor takes after it.
pub trait Take<'c, S, T> {
    type Read;
    fn read(fields: &Fields<'c>, place: usize) -> Result<Self::Read, Stop>;
    fn take(read: Self::Read, context: Context<'c, S>) -> Result<T, Stop>;
}

impl<'c, S, T: Field> Take<'c, S, T> for Select<true> {
    type Read = T;

    fn read(fields: &Fields<'c>, place: usize) -> Result<T, Stop> {
        fields.take(place)
    }

    fn take(read: T, _: Context<'c, S>) -> Result<T, Stop> {
        Ok(read)
    }
}

impl<'c, S, T: Extract<'c, S>> Take<'c, S, T> for Select<false> {
    type Read = ();

    fn read(_: &Fields<'c>, _: usize) -> Result<(), Stop> {
        Ok(())
    }

    fn take((): (), context: Context<'c, S>) -> Result<T, Stop> {
        Ok(T::extract(context)?)
    }
}

/// What a function returns. The macro writes an argument's type as `<fn(&'call ()) -> Type as Returns>::Type`, so that
/// lifetimes which the type leaves out are the call's, by the compiler's own rules.
pub trait Returns {
    type Type;
}

impl<A, R> Returns for fn(A) -> R {
    type Type = R;
}

/// What a function returns, to be asked for its schema: `(&Returned::<T>::TYPE).schema()` finds [`SchemaOfReturned`] where
/// the type has one, and else, one reference further, [`NoSchema`].
#[allow(missing_debug_implementations)]
pub struct Returned<T>(core::marker::PhantomData<fn() -> T>);

impl<T> Returned<T> {
    pub const TYPE: Self = Self(core::marker::PhantomData);
}

/// Of types that say what they are written as.
pub trait SchemaOfReturned {
    fn schema(&self) -> Option<SchemaJson>;
}

#[cfg(feature = "application-manifest")]
impl<T: crate::outcome::Described> SchemaOfReturned for Returned<T> {
    fn schema(&self) -> Option<SchemaJson> {
        Some(SchemaJson::written::<T::As>())
    }
}

/// Of all others.
pub trait NoSchema {
    fn schema(&self) -> Option<SchemaJson>;
}

impl<T> NoSchema for &Returned<T> {
    fn schema(&self) -> Option<SchemaJson> {
        None
    }
}

/// A choice that is what the input says.
///
/// # Errors
///
/// When the input is none of its texts.
pub fn parse_choice<T: Choice>(raw: Raw<'_>) -> Result<T, Mismatch> {
    T::at(raw.choice()?).ok_or(Mismatch::new("must be one of the texts of the choice"))
}

/// A field's checks.
pub const fn checks(
    min: Option<Bound>,
    max: Option<Bound>,
    min_length: Option<usize>,
    max_length: Option<usize>,
    not_blank: bool,
) -> Checks {
    Checks { min, max, min_length, max_length, not_blank }
}

/// An assertion for consts: the compiler shows the message at the place of the call.
#[track_caller]
pub const fn require(holds: bool, message: &'static str) {
    assert!(holds, "{}", message);
}

/// Asserts that a tool has no more fields than it may.
#[track_caller]
pub const fn require_few_fields(fields: usize) {
    const { assert!(MAX_FIELDS == 20, "the message names the limit") };
    require(fields <= MAX_FIELDS, "a tool has 20 fields at most");
}

/// Asserts that an argument with `#[field(…)]` is a field, of a kind that its checks are for.
#[track_caller]
pub const fn require_checks(checks: Checks, kind: Option<Kind>) {
    match kind {
        Some(kind) => {
            if let Some(problem) = checks.problem(kind) {
                require(false, problem);
            }
        }
        None => {
            require(false, "`#[field]` is for fields of the input, and this argument is taken from the call");
        }
    }
}
