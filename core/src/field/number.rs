//! Numbers from their own text, so that integers keep every digit.

/// A JSON number, read as a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    /// Exactly this.
    Exact(i128),
    /// Whole, and beyond what 128 bits hold.
    Huge { negative: bool },
    /// It has a fraction.
    Fraction,
}

/// Reads the text of a JSON number. `2.0`, `1e2` and `100e-2` are whole; the time is linear in the text.
pub(super) fn whole(text: &str) -> Whole {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = parts(unsigned);
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));

    // The digits without the zeros at either end, and the power of ten of the last of them.
    let digits = || integer.bytes().chain(fraction.bytes());
    let last_nonzero = digits().enumerate().filter(|(_, digit)| *digit != b'0').last();
    let Some((last, _)) = last_nonzero else {
        return Whole::Exact(0);
    };
    let digits_after_point = clamp(fraction.len());
    let zeros_dropped = clamp(integer.len() + fraction.len() - 1 - last);
    let power = exponent_of(exponent).saturating_sub(digits_after_point).saturating_add(zeros_dropped);
    if power < 0 {
        return Whole::Fraction;
    }
    let huge = Whole::Huge { negative };
    let mut value: i128 = 0;
    for digit in digits().take(last + 1) {
        let next = value.checked_mul(10).and_then(|v| v.checked_sub(i128::from(digit - b'0')));
        match next {
            Some(next) => value = next,
            None => return huge,
        }
    }
    // Built below zero, where there is room for one more.
    let scaled = u32::try_from(power)
        .ok()
        .and_then(|power| 10_i128.checked_pow(power))
        .and_then(|scale| value.checked_mul(scale));
    match scaled {
        Some(value) if negative => Whole::Exact(value),
        Some(value) => value.checked_neg().map_or(huge, Whole::Exact),
        None => huge,
    }
}

/// The digits of a number without a sign, and its exponent.
pub(super) fn parts(unsigned: &str) -> (&str, &str) {
    unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"))
}

/// An exponent's value, held at the ends of the range when it is beyond them.
pub(super) fn exponent_of(text: &str) -> i64 {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = digits
        .bytes()
        .fold(0_i64, |sum, digit| sum.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    if negative { -value } else { value }
}

fn clamp(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Whole, whole};
    use alloc::format;
    use alloc::string::ToString;
    use proptest::prelude::*;

    #[test]
    fn whole_numbers_may_be_written_in_any_way() {
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("0.0", 0),
            ("0e99", 0),
            ("2.0", 2),
            ("1e2", 100),
            ("1.5e1", 15),
            ("100e-2", 1),
            ("-120.0e-1", -12),
            ("1E+2", 100),
            ("9007199254740993", 9_007_199_254_740_993),
        ] {
            assert_eq!(whole(text), Whole::Exact(value), "{text}");
        }
        for text in ["1.5", "1e-1", "-0.1", "1e-999999999999999999999"] {
            assert_eq!(whole(text), Whole::Fraction, "{text}");
        }
        for text in ["1e99999999999999999999", "1e39", "999999999999999999999999999999999999999999"] {
            assert_eq!(whole(text), Whole::Huge { negative: false }, "{text}");
        }
        assert_eq!(whole("-1e39"), Whole::Huge { negative: true });
        assert_eq!(whole(&i128::MIN.to_string()), Whole::Exact(i128::MIN));
        assert_eq!(whole(&i128::MAX.to_string()), Whole::Exact(i128::MAX));
    }

    proptest! {
        #[test]
        fn every_integer_reads_back(value: i128, zeros in 0..5usize) {
            prop_assert_eq!(whole(&value.to_string()), Whole::Exact(value));
            prop_assert_eq!(whole(&format!("{value}.{}", "0".repeat(zeros + 1))), Whole::Exact(value));
        }

        #[test]
        fn any_json_number_is_read(text in "-?(0|[1-9][0-9]{0,60})(\\.[0-9]{1,60})?([eE][+-]?[0-9]{1,30})?") {
            let read = whole(&text);
            let float: f64 = text.parse().unwrap();
            #[allow(clippy::cast_precision_loss)]
            if let Whole::Exact(value) = read {
                prop_assert!((value as f64 - float).abs() <= float.abs() * 1e-12);
            }
        }
    }
}
