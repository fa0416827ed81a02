//! What the macros' code stands on. Not for other code: it changes without notice.

use alloc::vec::Vec;

pub use crate::context::Unopened;
pub use crate::field::{Argument, Bound, Checks, Choice, Field, FieldSpec, Kind, Mismatch, Raw};
pub use crate::input::Fields;
pub use crate::outcome::{IntoOutcome, Outcome, Stop};
pub use crate::sendable::MaybeSync;
pub use crate::tool::{IntoTool, Started, Tool};
pub use crate::{BoxFuture, Context, Effect, Extract, Object, Risk};
pub use alloc::boxed::Box;
pub use core::option::Option;
pub use core::result::Result;
pub use core::{assert, concat, stringify};
pub use serde::Serialize;

use crate::limits::{is_name, is_reserved};

/// Joins fields and extractors: `Select<true>` is a field's way, `Select<false>` an extractor's. The macro writes the
/// same code for every argument, and the argument's own type picks the way.
#[allow(missing_debug_implementations)]
pub struct Select<const FIELD: bool>;

/// Adds an argument to the declaration, if it is a field.
pub trait Declare<T> {
    fn declare(fields: &mut Vec<FieldSpec>, name: &'static str, description: &'static str, checks: Checks);
}

impl<T: Field> Declare<T> for Select<true> {
    fn declare(fields: &mut Vec<FieldSpec>, name: &'static str, description: &'static str, checks: Checks) {
        fields.push(FieldSpec::of::<T>(name, description, checks));
    }
}

impl<T> Declare<T> for Select<false> {
    fn declare(_: &mut Vec<FieldSpec>, _: &'static str, _: &'static str, _: Checks) {}
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

/// Whether a tool may have this name: a letter, then letters, digits and underscores, and none of the agent's own.
pub fn tool_name_is_free(name: &str) -> bool {
    is_name(name) && !is_reserved(name)
}
