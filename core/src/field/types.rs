//! The Rust types that fields are read into.

use alloc::string::String;

use super::{Argument, Field, Kind, Mismatch, Raw};

impl Argument for String {
    const IS_FIELD: bool = true;
}

impl Field for String {
    const KIND: Kind = Kind::String;

    fn parse(raw: Raw<'_>) -> Result<Self, Mismatch> {
        raw.string().map(alloc::borrow::Cow::into_owned)
    }
}

impl Argument for f64 {
    const IS_FIELD: bool = true;
}

impl Field for f64 {
    const KIND: Kind = Kind::Number;

    fn parse(raw: Raw<'_>) -> Result<Self, Mismatch> {
        raw.number()
    }
}

impl Argument for bool {
    const IS_FIELD: bool = true;
}

impl Field for bool {
    const KIND: Kind = Kind::Boolean;

    fn parse(raw: Raw<'_>) -> Result<Self, Mismatch> {
        raw.boolean()
    }
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Argument for $type {
            const IS_FIELD: bool = true;
        }

        impl Field for $type {
            #[allow(clippy::cast_lossless)] // `From` is not const.
            const KIND: Kind = Kind::Integer { min: <$type>::MIN as i128, max: <$type>::MAX as i128 };

            fn parse(raw: Raw<'_>) -> Result<Self, Mismatch> {
                // Reading checks the range of the kind; a field declared by hand may have named a wider one.
                <$type>::try_from(raw.integer()?).map_err(|_| Mismatch::new(concat!("must fit ", stringify!($type))))
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 u8 u16 u32 u64);

impl<T: Field> Argument for Option<T> {
    const IS_FIELD: bool = true;
}

impl<T: Field> Field for Option<T> {
    const KIND: Kind = T::KIND;
    const CHOICES: &'static [&'static str] = T::CHOICES;
    const REQUIRED: bool = false;

    fn parse(raw: Raw<'_>) -> Result<Self, Mismatch> {
        T::parse(raw).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

/// A closed set of texts: what `#[derive(Choice)]` makes of an enum without data.
///
/// ```
/// use median_edge::field::Choice;
/// # #[cfg(feature = "macros")] {
/// use median_edge::Choice;
///
/// #[derive(Choice, Clone, Copy, Debug, PartialEq)]
/// enum Speed {
///     Standard,
///     #[choice(rename = "nextDay")]
///     Express,
/// }
///
/// assert_eq!(Speed::TEXTS, ["standard", "nextDay"]);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a closed set of texts",
    note = "derive `Choice` on an enum whose variants have no data"
)]
pub trait Choice: Sized {
    /// The texts, in the order of the variants.
    const TEXTS: &'static [&'static str];

    /// The variant at a place in the list.
    fn at(place: usize) -> Option<Self>;

    /// The text of this variant.
    fn text(&self) -> &'static str;
}
