//! What a tool's input is made of: kinds, checks, and the types that stand for them.
//!
//! A kind is all that the agent's schema can say, and it is kept to what every model provider accepts: an integer is
//! emitted as `number`. Checks (ranges, lengths, not blank) are enforced here and never emitted.

mod check;
mod float;
mod number;
mod raw;
mod spec;
mod types;

pub use check::{Bound, Checks};
pub use raw::{Mismatch, Raw};
pub use spec::{Choices, FieldSpec, boolean, choice, integer, number, string};
pub use types::Choice;

/// What kind of value a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Text.
    String,
    /// A finite number.
    Number,
    /// A whole number within a range, both ends included. `2.0` and `1e2` are whole.
    Integer {
        /// The least.
        min: i128,
        /// The greatest.
        max: i128,
    },
    /// `true` or `false`.
    Boolean,
    /// One of a closed set of texts.
    Choice,
}

impl Kind {
    /// The JSON Schema type.
    pub const fn schema_type(self) -> &'static str {
        match self {
            Self::String | Self::Choice => "string",
            Self::Number | Self::Integer { .. } => "number",
            Self::Boolean => "boolean",
        }
    }
}

/// Anything that a tool may take: a [`Field`] of its input, or an [`Extract`](crate::Extract)or.
///
/// Which of the two a type is, is the type's own matter: nothing is recognised by its name.
#[diagnostic::on_unimplemented(
    message = "a tool cannot take a `{Self}`",
    label = "neither a field of the input nor something the endpoint can hand to a tool",
    note = "a field is a `String`, `f64`, an integer from `i8` to `u64`, `bool`, an enum that derives `Choice`, or an `Option` of these",
    note = "besides fields, a tool can take `VerifiedVisitor`, `Visitor`, `Call`, `State<'_, T>`, `Deadline<'_>`, `Clock<'_>`, `Enqueue<'_, J>`, or a type of yours that implements `Argument` and `Extract`"
)]
pub trait Argument {
    /// Whether it is a field of the input. Only types that implement [`Field`] say so.
    const IS_FIELD: bool = false;
    /// The job that a tool which takes it can enqueue. Only [`Enqueue`](crate::job::Enqueue) says one.
    #[doc(hidden)]
    const ENQUEUES: Option<&'static str> = None;
}

/// A type that one field of a tool's input is read into.
///
/// ```
/// use median_edge::field::{Argument, Field, Kind, Mismatch, Raw};
///
/// /// An order number, like `ORD-1042`.
/// struct OrderNumber(u32);
///
/// impl Argument for OrderNumber {
///     const IS_FIELD: bool = true;
/// }
///
/// impl Field for OrderNumber {
///     const KIND: Kind = Kind::String;
///
///     fn parse(raw: Raw<'_>) -> Result<Self, Mismatch> {
///         let text = raw.string()?;
///         let digits = text.strip_prefix("ORD-").and_then(|digits| digits.parse().ok());
///         digits.map(Self).ok_or_else(|| Mismatch::new("must be an order number like ORD-1042"))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a field of a tool's input",
    note = "a field is a `String`, `f64`, an integer from `i8` to `u64`, `bool`, an enum that derives `Choice`, or an `Option` of these: inputs are flat"
)]
pub trait Field: Argument + Sized {
    /// What the schema says of it.
    const KIND: Kind;
    /// The texts that a choice allows.
    const CHOICES: &'static [&'static str] = &[];
    /// Whether the field must be there.
    const REQUIRED: bool = true;

    /// Reads a value that is there and not null.
    ///
    /// # Errors
    ///
    /// Says what the value must be and what came, for the agent to read; the field's name is put before it.
    fn parse(raw: Raw<'_>) -> Result<Self, Mismatch>;

    /// What stands for a value that is absent or null, if anything does.
    fn absent() -> Option<Self> {
        None
    }
}
