//! A field as it is declared.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::ops::RangeInclusive;

use super::{Bound, Checks, Field, Kind};
use crate::text::Quoted;

/// The texts that a choice allows, in the order of their declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Choices {
    /// Known when the program was written.
    Static(&'static [&'static str]),
    /// Known when the endpoint is built.
    Owned(Vec<String>),
}

impl Choices {
    /// The texts.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let (fixed, owned): (&[&str], &[String]) = match self {
            Self::Static(texts) => (texts, &[]),
            Self::Owned(texts) => (&[], texts),
        };
        fixed.iter().copied().chain(owned.iter().map(String::as_str))
    }
}

/// One field of a tool's input, as it is declared.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FieldSpec {
    /// The name, as the agent sends it.
    pub name: Cow<'static, str>,
    /// What the agent reads about it. Empty leaves it out of the schema.
    pub description: Cow<'static, str>,
    /// What the value must be.
    pub kind: Kind,
    /// The texts that a choice allows.
    pub choices: Choices,
    /// Whether it must be there.
    pub required: bool,
    /// What the value must be beyond its kind.
    pub checks: Checks,
}

impl FieldSpec {
    /// A field of this type, for the macros.
    #[doc(hidden)]
    pub fn of<T: Field>(name: &'static str, description: &'static str, checks: Checks) -> Self {
        Self {
            name: Cow::Borrowed(name),
            description: Cow::Borrowed(description),
            kind: T::KIND,
            choices: Choices::Static(T::CHOICES),
            required: T::REQUIRED,
            checks,
        }
    }

    fn new(name: impl Into<Cow<'static, str>>, kind: Kind) -> Self {
        Self {
            name: name.into(),
            description: Cow::Borrowed(""),
            kind,
            choices: Choices::Static(&[]),
            required: true,
            checks: Checks::NONE,
        }
    }

    /// What the value must be, for a sentence.
    pub(crate) fn expected(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self.kind {
            Kind::String => "a string",
            Kind::Number => "a number",
            Kind::Integer { .. } => "a whole number",
            Kind::Boolean => "a boolean (true or false)",
            Kind::Choice => {
                let mut words = String::from("one of ");
                for (at, text) in self.choices.iter().enumerate() {
                    let comma = if at == 0 { "" } else { ", " };
                    // Writing to a string does not fail.
                    let _ = write!(words, "{comma}{}", Quoted(text));
                }
                return Cow::Owned(words);
            }
        })
    }

    /// What the agent reads about the field.
    #[must_use]
    pub fn description(mut self, description: impl Into<Cow<'static, str>>) -> Self {
        self.description = description.into();
        self
    }

    /// Lets the field be absent or null.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// Takes numbers from here to there, both included.
    #[must_use]
    pub fn range<T: Into<f64>>(mut self, range: RangeInclusive<T>) -> Self {
        let (min, max) = range.into_inner();
        self.checks.min = Some(bound(min.into()));
        self.checks.max = Some(bound(max.into()));
        self
    }

    /// Takes numbers from here on.
    #[must_use]
    pub fn min(mut self, min: impl Into<f64>) -> Self {
        self.checks.min = Some(bound(min.into()));
        self
    }

    /// Takes numbers up to here.
    #[must_use]
    pub fn max(mut self, max: impl Into<f64>) -> Self {
        self.checks.max = Some(bound(max.into()));
        self
    }

    /// Takes strings of at least so many characters.
    #[must_use]
    pub fn min_length(mut self, characters: usize) -> Self {
        self.checks.min_length = Some(characters);
        self
    }

    /// Takes strings of at most so many characters.
    #[must_use]
    pub fn max_length(mut self, characters: usize) -> Self {
        self.checks.max_length = Some(characters);
        self
    }

    /// Refuses a string that is empty or only white space.
    #[must_use]
    pub fn not_blank(mut self) -> Self {
        self.checks.not_blank = true;
        self
    }
}

/// A bound that is whole is shown and compared as one.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::float_cmp)]
fn bound(value: f64) -> Bound {
    let whole = value as i128;
    if whole as f64 == value { Bound::Integer(whole) } else { Bound::Number(value) }
}

/// A field that takes text.
pub fn string(name: impl Into<Cow<'static, str>>) -> FieldSpec {
    FieldSpec::new(name, Kind::String)
}

/// A field that takes a finite number.
pub fn number(name: impl Into<Cow<'static, str>>) -> FieldSpec {
    FieldSpec::new(name, Kind::Number)
}

/// A field that takes a whole number of 64 bits with a sign.
pub fn integer(name: impl Into<Cow<'static, str>>) -> FieldSpec {
    FieldSpec::new(name, <i64 as Field>::KIND)
}

/// A field that takes `true` or `false`.
pub fn boolean(name: impl Into<Cow<'static, str>>) -> FieldSpec {
    FieldSpec::new(name, Kind::Boolean)
}

/// A field that takes one of these texts.
pub fn choice<T: Into<String>>(
    name: impl Into<Cow<'static, str>>,
    texts: impl IntoIterator<Item = T>,
) -> FieldSpec {
    let choices = Choices::Owned(texts.into_iter().map(Into::into).collect());
    FieldSpec { choices, ..FieldSpec::new(name, Kind::Choice) }
}
