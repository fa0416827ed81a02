//! The double nearest to a JSON number.
//!
//! The standard library's way is faster in the hard cases, by a table of 10 KB that no compression makes smaller: a
//! Worker is sent without it. This one asks for each bit by long division, which needs no table and no proof.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// More significant digits than it takes to tell any double from its neighbours (767), and so to know the side of a
/// half that a number is on.
const KEPT_DIGITS: usize = 800;
/// The powers of two of the smallest bit of a double, and of the largest.
const SMALLEST: i64 = -1074;
const LARGEST: i64 = 1023;

/// Reads the text of a JSON number: the nearest double, of two the even one, and infinity for what is beyond all of
/// them. The time is linear in the text.
pub(super) fn nearest(text: &str) -> f64 {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let magnitude = of_decimal(&decimal(unsigned));
    if negative { -magnitude } else { magnitude }
}

/// Digits, and the power of ten of the last of them.
struct Decimal {
    digits: Vec<u8>,
    power: i64,
}

fn decimal(text: &str) -> Decimal {
    let (mantissa, exponent) = super::number::parts(text);
    let point = mantissa.find('.').unwrap_or(mantissa.len());
    let mut digits = Vec::new();
    let mut power = super::number::exponent_of(exponent);
    let mut cut_off = false;
    for (at, digit) in mantissa.bytes().enumerate() {
        if at == point {
            continue;
        }
        let digit = digit - b'0';
        let keep = digits.len() < KEPT_DIGITS;
        if keep && (digit != 0 || !digits.is_empty()) {
            digits.push(digit);
        }
        cut_off |= !keep && digit != 0;
        let moves = i64::from(!keep) - i64::from(at > point);
        power = power.saturating_add(moves);
    }
    if cut_off {
        // One digit more says that there was something: on which side of a half the number is does not change.
        digits.push(1);
        power = power.saturating_sub(1);
    }
    Decimal { digits, power }
}

#[allow(clippy::cast_precision_loss)] // Nothing is lost: it is below 2^53.
fn of_decimal(Decimal { digits, power }: &Decimal) -> f64 {
    /// Numbers of so many digits, and powers of ten up to this one, are doubles, so that one operation rounds once.
    const EXACT_DIGITS: usize = 15;
    const EXACT_POWER: u64 = 22;
    if digits.is_empty() {
        return 0.0;
    }
    if digits.len() <= EXACT_DIGITS && power.unsigned_abs() <= EXACT_POWER {
        let value = digits.iter().fold(0, |value: u64, digit| value * 10 + u64::from(*digit)) as f64;
        let scale = (0..power.unsigned_abs()).fold(1.0, |scale: f64, _| scale * 10.0);
        return if *power < 0 { value / scale } else { value * scale };
    }
    // The number is below ten to this power, and not below a tenth of that.
    match power.saturating_add(i64::try_from(digits.len()).unwrap_or(i64::MAX)) {
        310.. => f64::INFINITY,
        ..=-330 => 0.0,
        _ => of_fraction(digits, *power),
    }
}

/// A number that is a whole number by a whole number: its bits, from the highest, by long division.
fn of_fraction(digits: &[u8], power: i64) -> f64 {
    let mut above = Big::of_digits(digits.iter().copied());
    let mut below = Big::of_digits([1].into_iter());
    (if power < 0 { &mut below } else { &mut above }).times_power(10, power.unsigned_abs());

    // Scaled so that `above / below` is at least 1 and less than 2, and two to this power times that is the number.
    let mut highest = above.bits() - below.bits();
    (if highest < 0 { &mut above } else { &mut below }).times_power(2, highest.unsigned_abs());
    if above.cmp(&below) == Ordering::Less {
        highest -= 1;
        above.times_plus(2, 0);
    }
    if highest > LARGEST {
        return f64::INFINITY;
    }
    let lowest = (highest - 52).max(SMALLEST);
    let mut bits = 0_u64;
    for _ in lowest..=highest {
        bits *= 2;
        if above.cmp(&below) != Ordering::Less {
            above.minus(&below);
            bits += 1;
        }
        above.times_plus(2, 0);
    }
    // What is left, twice: more than a half of the lowest bit rounds up, and so does a half beside an odd bit. It must
    // be within one bit of the lowest to be a half at all.
    let rest = if highest < lowest - 1 { Ordering::Less } else { above.cmp(&below) };
    if rest == Ordering::Greater || (rest == Ordering::Equal && bits % 2 == 1) {
        bits += 1;
    }
    // The exponent counts from the smallest, and the highest bit, which the format leaves out, adds one to it. A carry
    // out of the bits moves it on, up to infinity.
    let exponent = u64::try_from(lowest - SMALLEST).unwrap_or_default();
    f64::from_bits((exponent << 52) + bits)
}

/// A whole number of any size, its lowest part first.
struct Big(Vec<u32>);

impl Big {
    fn of_digits(digits: impl Iterator<Item = u8>) -> Self {
        let mut big = Self(vec![0]);
        digits.for_each(|digit| big.times_plus(10, u32::from(digit)));
        big
    }

    #[allow(clippy::cast_possible_truncation)] // The parts are the halves of 64 bits.
    fn times_plus(&mut self, factor: u32, addend: u32) {
        let mut carry = u64::from(addend);
        for part in &mut self.0 {
            carry += u64::from(*part) * u64::from(factor);
            *part = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn times_power(&mut self, base: u32, power: u64) {
        // Nine at a time: the ninth power of ten is the last that a part holds.
        (0..power / 9).for_each(|_| self.times_plus(base.pow(9), 0));
        (0..power % 9).for_each(|_| self.times_plus(base, 0));
    }

    /// How many bits it has.
    fn bits(&self) -> i64 {
        let highest = self.0.last().map_or(0, |part| part.leading_zeros());
        i64::try_from(self.0.len() * 32).unwrap_or(i64::MAX) - i64::from(highest)
    }

    /// The highest part of neither is 0, but for what is left of a subtraction.
    fn cmp(&self, other: &Self) -> Ordering {
        let parts = self.0.iter().rev().cmp(other.0.iter().rev());
        self.0.len().cmp(&other.0.len()).then(parts)
    }

    /// Takes away what is not more.
    fn minus(&mut self, other: &Self) {
        let mut borrow = false;
        for (at, part) in self.0.iter_mut().enumerate() {
            let (less, first) = part.overflowing_sub(other.0.get(at).copied().unwrap_or_default());
            let (less, second) = less.overflowing_sub(u32::from(borrow));
            (*part, borrow) = (less, first || second);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;
    use alloc::format;
    use alloc::string::{String, ToString};
    use proptest::prelude::*;

    fn same(text: &str) {
        let expected: f64 = text.parse().unwrap();
        assert_eq!(nearest(text).to_bits(), expected.to_bits(), "{text}");
    }

    #[test]
    fn the_hard_cases_are_the_standard_librarys() {
        for text in [
            "0",
            "-0",
            "0.0",
            "-0e5",
            "0e-999999999999999999999",
            "1",
            "-1.5",
            "3.0e2",
            "1e22",
            "1e23",
            "1E-22",
            "9007199254740993",
            "9007199254740992.5",
            "9007199254740993.0000000000000000000001",
            "123456789012345678",
            // The largest, what rounds to it, and what does not.
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1e309",
            "-1e400",
            "179769313486231580793728971405301e276",
            "1e99999999999999999999",
            // The smallest ordinary one, those below it, the smallest, its half, and what is around them.
            "2.2250738585072014e-308",
            "2.2250738585072011e-308",
            "2.225073858507201136057409796709131975934819546351645648023426109724822222021076945516529523908135087914149158913039621106870086438694594645527657207407820621743379988141063267329253552286881372149012981122451451889849057222307285255133155755015914397476397983411801999323962548289017107081850690630666655994938275772572015763062690663332647565300009245888316433037779791869612049497390377829704905051080609940730262937128958950003583799967207254304360284078895771796150945516748243471030702609144621572289880258182545180325707018860872113128079512233426288368622321503775666622503982534335974568884423900265498198385487948292206894721689831099698365846814022854243330660339850886445804001034933970427567186443383770486037861622771738545623065874679014086723327636718751234567890123456789012345678901e-308",
            "4.9406564584124654e-324",
            "5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.4703282292062329e-324",
            "3e-324",
            "1e-323",
            "1.5e-323",
            "1e-324",
            "1e-325",
            "1e-400",
        ] {
            same(text);
        }
        same(&format!("2.4703282292062327208{}", "0".repeat(900) + "1e-324"));
        same(&format!("0.{}1", "0".repeat(2_000)));
        same(&format!("0.{}1e2000", "0".repeat(2_000)));
        same(&format!("1{}e-5000", "0".repeat(5_000)));
        same(&format!("{}.{}", "9".repeat(309), "9".repeat(3_000)));
    }

    /// The number that is half way between two doubles, written in full.
    fn half_way(bits: u64) -> String {
        let low = f64::from_bits(bits);
        // 1,074 digits write any double in full, and one more the half between two.
        let (low, high) = (format!("{low:.1075}"), format!("{:.1075}", f64::from_bits(bits + 1)));
        let mut sum: alloc::vec::Vec<u8> = alloc::vec::Vec::new();
        let mut carry = 0;
        let width = low.len().max(high.len());
        let digits = |text: &str| format!("{text:0>width$}");
        for (a, b) in digits(&low).bytes().zip(digits(&high).bytes()).rev() {
            if a == b'.' {
                sum.push(b'.');
                continue;
            }
            let digit = a - b'0' + b - b'0' + carry;
            sum.push(digit % 10);
            carry = digit / 10;
        }
        sum.push(carry);
        let mut text = String::new();
        let mut rest = 0;
        for digit in sum.into_iter().rev() {
            if digit == b'.' {
                text.push('.');
                continue;
            }
            let value = rest * 10 + digit;
            text.push(char::from(b'0' + value / 2));
            rest = value % 2;
        }
        let text = text.trim_start_matches('0');
        if text.starts_with('.') { format!("0{text}") } else { text.to_string() }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn every_double_reads_back(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            prop_assert_eq!(nearest(&format!("{value:e}")).to_bits(), bits);
            prop_assert_eq!(nearest(&value.to_string()).to_bits(), bits);
        }

        #[test]
        fn any_json_number_is_the_standard_librarys(
            text in "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?"
        ) {
            same(&text);
        }

        #[test]
        fn a_half_is_rounded_to_the_even_one(bits in 0..0x7fe0_0000_0000_0000_u64, tail in "0{0,20}1?") {
            let text = half_way(bits);
            same(&text);
            same(&(text + &tail));
        }

        #[test]
        fn a_half_of_the_smallest_ones_is_rounded_to_the_even_one(bits in 0..0x0020_0000_0000_0000_u64) {
            same(&half_way(bits));
        }
    }

    /// Twenty million where the tests are built for speed: `cargo test -p median-edge --release float` takes a minute.
    #[test]
    fn many_numbers_are_the_standard_librarys() {
        // SplitMix64: the same numbers each time.
        let mut seed = 0_u64;
        let mut next = || {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        };
        let rounds = if cfg!(debug_assertions) { 5_000 } else { 5_000_000 };
        for _ in 0..rounds {
            let value = f64::from_bits(next() & !(1 << 63));
            if value.is_finite() {
                same(&format!("{value:e}"));
                // One digit less lies off every double, and often near a half.
                same(&format!("{value:.15e}"));
            }
            let (digits, power) = (next() >> (next() % 60), next() % 700);
            same(&format!("{digits}e{}", i64::try_from(power).unwrap() - 350));
            same(&format!("{}.{}e{}", next() % 10, digits, i64::try_from(power).unwrap() - 350));
        }
    }
}
