//! A field's value before it is a Rust value: its own JSON text, and what it must be.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::fmt;

use super::number::{Whole, whole};
use super::{Bound, FieldSpec, Kind, float};
use crate::json::{self, Type};
use crate::text::{characters, fits, is_blank};

/// What a value must be and what came, in words that the agent can act on: `must be a string; a number came`.
///
/// It shows lengths and types of what came, never the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch(Cow<'static, str>);

impl Mismatch {
    /// A mismatch in your own words. They follow the field's name: `must be …`.
    pub fn new(words: impl Into<Cow<'static, str>>) -> Self {
        Self(words.into())
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A value that is there and not null, with the field that it is for. Reading it checks it.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'a> {
    text: &'a str,
    spec: &'a FieldSpec,
}

impl<'a> Raw<'a> {
    pub(crate) fn new(text: &'a str, spec: &'a FieldSpec) -> Self {
        Self { text, spec }
    }

    /// Reads a string, within the field's lengths.
    ///
    /// # Errors
    ///
    /// When it is no string, holds half of a surrogate pair, or has a length that the field does not allow.
    pub fn string(self) -> Result<Cow<'a, str>, Mismatch> {
        let text = self.whole_text()?;
        let checks = &self.spec.checks;
        let outside = checks.max_length.is_some_and(|max| !fits(&text, max))
            || checks.min_length.is_some_and(|min| characters(&text) < min);
        if outside {
            let words = format!("must have {} characters; it has {}", self.lengths(), characters(&text));
            return Err(Mismatch::new(words));
        }
        if checks.not_blank && is_blank(&text) {
            return Err(Mismatch::new("must not be blank"));
        }
        Ok(text)
    }

    /// Reads a number, within the field's range. It is finite.
    ///
    /// # Errors
    ///
    /// When it is no number, too large to be one, or outside the range.
    pub fn number(self) -> Result<f64, Mismatch> {
        self.expect(Type::Number)?;
        let value = float::nearest(self.text);
        if !value.is_finite() {
            return Err(Mismatch::new("must be a finite number; the number that came is too large"));
        }
        let checks = &self.spec.checks;
        let below = checks.min.is_some_and(|min| value < min.as_f64());
        let above = checks.max.is_some_and(|max| value > max.as_f64());
        if below || above { Err(self.outside(below)) } else { Ok(value) }
    }

    /// Reads a whole number, exactly, within the range of its type and of the field.
    ///
    /// # Errors
    ///
    /// When it is no number, has a fraction, or is outside the range.
    pub fn integer(self) -> Result<i128, Mismatch> {
        self.expect(Type::Number)?;
        let (least, greatest) = self.integer_range();
        let below = match whole(self.text) {
            Whole::Fraction => {
                return Err(Mismatch::new("must be a whole number; the number that came has a fraction"));
            }
            Whole::Exact(value) if (least..=greatest).contains(&value) => return Ok(value),
            Whole::Exact(value) => value < least,
            // 128 bits hold more than any range, so what they cannot hold is outside of it.
            Whole::Huge { negative } => negative,
        };
        Err(self.outside(below))
    }

    /// Reads `true` or `false`.
    ///
    /// # Errors
    ///
    /// When it is neither.
    pub fn boolean(self) -> Result<bool, Mismatch> {
        self.expect(Type::Boolean)?;
        Ok(self.text == "true")
    }

    /// Reads a choice: the place of the text in the field's list.
    ///
    /// # Errors
    ///
    /// When it is no string, or none of the list.
    pub fn choice(self) -> Result<usize, Mismatch> {
        self.expect(Type::String)?;
        let text = json::text(self.text);
        let place = self.spec.choices.iter().position(|choice| Some(choice) == text.as_deref());
        place.ok_or_else(|| Mismatch::new(format!("must be {}; another text came", self.spec.expected())))
    }

    /// Reads the value as its field's kind says, and leaves it at that.
    pub(crate) fn check(self) -> Result<(), Mismatch> {
        match self.spec.kind {
            Kind::String => self.string().map(drop),
            Kind::Number => self.number().map(drop),
            Kind::Integer { .. } => self.integer().map(drop),
            Kind::Boolean => self.boolean().map(drop),
            Kind::Choice => self.choice().map(drop),
        }
    }

    #[inline(never)]
    fn expect(&self, expected: Type) -> Result<(), Mismatch> {
        match Type::of(self.text) {
            came if came == expected => Ok(()),
            came => Err(Mismatch::new(format!("must be {}; {} came", self.spec.expected(), came.named()))),
        }
    }

    fn whole_text(&self) -> Result<Cow<'a, str>, Mismatch> {
        self.expect(Type::String)?;
        json::text(self.text).ok_or_else(|| {
            Mismatch::new("must be whole text; half of a surrogate pair came (an emoji that was cut in two)")
        })
    }

    fn lengths(&self) -> String {
        match (self.spec.checks.min_length, self.spec.checks.max_length) {
            (Some(min), Some(max)) if min == max => format!("exactly {min}"),
            (Some(min), Some(max)) => format!("{min} to {max}"),
            (Some(min), None) => format!("at least {min}"),
            (_, max) => format!("at most {}", max.unwrap_or_default()),
        }
    }

    /// The range of the type, narrowed by the field's own.
    fn integer_range(&self) -> (i128, i128) {
        let (mut least, mut greatest) = match self.spec.kind {
            Kind::Integer { min, max } => (min, max),
            _ => (i128::MIN, i128::MAX),
        };
        if let Some(min) = self.spec.checks.min {
            least = least.max(min.ceil());
        }
        if let Some(max) = self.spec.checks.max {
            greatest = greatest.min(max.floor());
        }
        (least, greatest)
    }

    /// The mismatch of a number that is outside the range, below or above it.
    #[inline(never)]
    fn outside(&self, below: bool) -> Mismatch {
        let (words, min, max) = match self.spec.kind {
            Kind::Integer { .. } => {
                let (least, greatest) = self.integer_range();
                ("a whole number", Some(Bound::Integer(least)), Some(Bound::Integer(greatest)))
            }
            _ => ("a number", self.spec.checks.min, self.spec.checks.max),
        };
        let range = match (min, max) {
            (Some(min), Some(max)) => format!(" from {min} to {max}"),
            (Some(min), None) => format!(" of at least {min}"),
            (None, Some(max)) => format!(" of at most {max}"),
            (None, None) => String::new(),
        };
        let side = if below { "less" } else { "more" };
        Mismatch::new(format!("must be {words}{range}; the number that came is {side}"))
    }
}
