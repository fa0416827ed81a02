//! Checks that the schema cannot carry.

use core::fmt;

use super::Kind;

/// One end of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// A whole number.
    Integer(i128),
    /// Any finite number.
    Number(f64),
}

impl Bound {
    #[allow(clippy::cast_precision_loss)] // A bound of over 2^53 on a number is as exact as the number itself.
    pub(crate) const fn as_f64(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Number(value) => value,
        }
    }

    /// The least whole number that is not below it.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
    pub(super) fn ceil(self) -> i128 {
        match self {
            Self::Integer(value) => value,
            Self::Number(value) => {
                let whole = value as i128;
                whole.saturating_add(i128::from((whole as f64) < value))
            }
        }
    }

    /// The greatest whole number that is not above it.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
    pub(super) fn floor(self) -> i128 {
        match self {
            Self::Integer(value) => value,
            Self::Number(value) => {
                let whole = value as i128;
                whole.saturating_sub(i128::from((whole as f64) > value))
            }
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            // As JSON writes it, which is linked anyway: the standard library's way is larger than this crate's parser.
            Self::Number(value) => f.write_str(&serde_json::to_string(value).map_err(|_| fmt::Error)?),
        }
    }
}

/// `Option::is_some_and` is not const.
const fn is_nan(bound: Option<Bound>) -> bool {
    matches!(bound, Some(Bound::Number(value)) if value.is_nan())
}

/// What a field's value must be beyond its kind. Lengths are in characters (UTF-16 code units).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Checks {
    /// The least that a number may be.
    pub min: Option<Bound>,
    /// The greatest that a number may be.
    pub max: Option<Bound>,
    /// The fewest characters that a string may have.
    pub min_length: Option<usize>,
    /// The most characters that a string may have.
    pub max_length: Option<usize>,
    /// Whether a string must have something in it besides white space.
    pub not_blank: bool,
}

impl Checks {
    /// No checks.
    pub const NONE: Self =
        Self { min: None, max: None, min_length: None, max_length: None, not_blank: false };

    /// What is wrong with these checks on a field of this kind, if anything is.
    #[doc(hidden)]
    pub const fn problem(&self, kind: Kind) -> Option<&'static str> {
        let lengths = self.min_length.is_some() || self.max_length.is_some() || self.not_blank;
        let range = self.min.is_some() || self.max.is_some();
        match kind {
            Kind::String if range => {
                return Some("a range (min, max) is for numbers; a string has min_length and max_length");
            }
            Kind::Number | Kind::Integer { .. } if lengths => {
                return Some("lengths and not_blank are for strings; a number has min and max");
            }
            Kind::Boolean | Kind::Choice if lengths || range => {
                return Some("a boolean or a choice has nothing to check");
            }
            _ => {}
        }
        if is_nan(self.min) || is_nan(self.max) {
            return Some("an end of the range is not a number");
        }
        if let (Some(min), Some(max)) = (self.min_length, self.max_length)
            && min > max
        {
            return Some("min_length is more than max_length");
        }
        if let (Some(min), Some(max)) = (self.min, self.max)
            && min.as_f64() > max.as_f64()
        {
            return Some("min is more than max");
        }
        None
    }
}
