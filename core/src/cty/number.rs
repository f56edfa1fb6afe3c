//! Numbers: exact decimals.
//!
//! go-cty holds 512-bit binary floats, which keep about 154 significant decimal digits; longer texts it rounds, and here
//! they stay exact (up to [`MAX_NUMBER_DIGITS`]), so a number that passes through unchanged is written as it was read.
//!
//! There is no infinity. go-cty can carry one in MessagePack, but Terraform's language cannot write it, JSON state cannot
//! store it, and no provider can mean it; it is refused where it enters instead of failing when the state is saved.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::str::FromStr;
use std::sync::Arc;

use bigdecimal::{BigDecimal, ToPrimitive};
use thiserror::Error;

use crate::limits::MAX_NUMBER_DIGITS;

/// An exact number. Most are small integers and need no allocation.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// Every integer that fits, and only those: equality relies on each number having one representation.
    Small(i64),
    /// Everything else, normalised (no trailing zeros).
    Big(Arc<BigDecimal>),
}

/// Why a text is not a number.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NumberError {
    /// The text is not a decimal number.
    #[error("a number is required")]
    NotANumber,
    /// Written in full the number would need more digits than [`MAX_NUMBER_DIGITS`].
    #[error("the number needs more than {MAX_NUMBER_DIGITS} digits")]
    TooLong,
}

impl Number {
    fn from_decimal(decimal: BigDecimal) -> Result<Self, NumberError> {
        // The bound is checked on digits and scale, before normalising could expand anything.
        let (digits, scale) = decimal.as_bigint_and_scale();
        if digits.sign() == num_bigint::Sign::NoSign {
            return Ok(Self(Repr::Small(0)));
        }
        let length = usize::try_from(digits.bits() / 3).unwrap_or(usize::MAX);
        if length > MAX_NUMBER_DIGITS * 2 || scale.unsigned_abs() > MAX_NUMBER_DIGITS as u64 {
            return Err(NumberError::TooLong);
        }
        drop(digits);
        if decimal.is_integer()
            && let Some(small) = decimal.to_i64()
        {
            return Ok(Self(Repr::Small(small)));
        }
        Ok(Self(Repr::Big(Arc::new(decimal.normalized()))))
    }

    /// The number that a double was most likely written as: the shortest decimal that reads back as this double, except
    /// that integers within 64 bits are exact. This is also how go-cty prints and compares numbers that arrive as doubles,
    /// so that the double 0.1 equals the text "0.1". `None` for NaN and the infinities.
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        // `i64::MAX as f64` rounds up to 2^63, which is out of range, so the upper comparison is strict.
        if value.fract() == 0.0 && value >= i64::MIN as f64 && value < i64::MAX as f64 {
            return Some(Self(Repr::Small(value as i64)));
        }
        // Rust prints doubles as their shortest decimal.
        format!("{value:e}").parse().ok()
    }

    /// The integer, if it is one and fits.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(value) => Some(*value),
            Repr::Big(_) => None,
        }
    }

    /// The nearest double.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small(value) => *value as f64,
            // The standard library's parser rounds correctly and turns what is too large into an infinity.
            Repr::Big(value) => value.to_scientific_notation().parse().unwrap_or(f64::NAN),
        }
    }

    /// The double that is exactly this number, if there is one.
    #[must_use]
    pub fn to_f64_exact(&self) -> Option<f64> {
        // A double's last binary digit is at most 2^-1074, and each binary place needs one decimal place.
        const MOST_DECIMAL_PLACES: i64 = 1074;
        let decimal = self.to_decimal();
        if decimal.fractional_digit_count() > MOST_DECIMAL_PLACES {
            return None;
        }
        let double = self.to_f64();
        (BigDecimal::try_from(double).ok()? == *decimal).then_some(double)
    }

    /// The double as which MessagePack has it in Terraform's protocol; `None` for a whole number and for what no double is exactly.
    #[must_use]
    pub fn to_wire_f64(&self) -> Option<f64> {
        if self.is_integer() { None } else { self.to_f64_exact() }
    }

    /// The decimal.
    fn to_decimal(&self) -> Cow<'_, BigDecimal> {
        match &self.0 {
            Repr::Small(value) => Cow::Owned(BigDecimal::from(*value)),
            Repr::Big(value) => Cow::Borrowed(value),
        }
    }

    /// Digits without trailing zeros, and the decimal point's place before them: the number is 0.DIGITS × 10^point.
    pub(super) fn digits_and_point(&self) -> (bool, String, i64) {
        let (integer, scale) = self.to_decimal().as_bigint_and_exponent();
        let negative = integer.sign() == num_bigint::Sign::Minus;
        let digits = integer.magnitude().to_string();
        let point = digits.len() as i64 - scale;
        (negative, digits.trim_end_matches('0').to_owned(), point)
    }

    /// Whether there is no fraction.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small(_) => true,
            Repr::Big(value) => value.is_integer(),
        }
    }
}

impl FromStr for Number {
    type Err = NumberError;

    /// Decimal text with an optional sign, fraction and exponent: `-1.5e3`, `.5`, `5.`. As in go-cty there is no other
    /// base, no separator and no space; unlike there `Inf` is refused too.
    fn from_str(text: &str) -> Result<Self, NumberError> {
        if let Ok(small) = text.parse::<i64>() {
            return Ok(Self(Repr::Small(small)));
        }
        if !is_decimal(text) {
            return Err(NumberError::NotANumber);
        }
        // Reading digits takes time that grows with their square, so the bound comes first.
        if text.len() > MAX_NUMBER_DIGITS * 2 {
            return Err(NumberError::TooLong);
        }
        // What remains to fail is an exponent that does not even fit 64 bits.
        Self::from_decimal(BigDecimal::from_str(text).map_err(|_| NumberError::TooLong)?)
    }
}

/// Whether the text is a sign, digits with at most one point and an exponent. The parser behind accepts more (underscores
/// between digits, for one).
fn is_decimal(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    all_digits(whole)
        && all_digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|exponent| !exponent.is_empty() && all_digits(exponent))
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(Repr::Small(value))
    }
}

impl From<i32> for Number {
    fn from(value: i32) -> Self {
        Self(Repr::Small(value.into()))
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        match i64::try_from(value) {
            Ok(small) => Self(Repr::Small(small)),
            Err(_) => Self(Repr::Big(Arc::new(BigDecimal::from(value).normalized()))),
        }
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(left), Repr::Small(right)) => left.cmp(right),
            (Repr::Small(left), Repr::Big(right)) => BigDecimal::from(*left).cmp(right),
            (Repr::Big(left), Repr::Small(right)) => (**left).cmp(&BigDecimal::from(*right)),
            (Repr::Big(left), Repr::Big(right)) => left.cmp(right),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Display for Number {
    /// In full, without exponent: what Terraform sends for numbers that no integer or double holds.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Repr::Small(value) => write!(f, "{value}"),
            Repr::Big(value) => f.write_str(&value.to_plain_string()),
        }
    }
}

impl std::fmt::Debug for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        text.parse().unwrap()
    }

    #[test]
    fn texts_of_one_value_are_equal() {
        for (text, plain) in [
            ("1", "1"),
            ("+1.0", "1"),
            ("-0", "0"),
            ("0e99999999", "0"),
            ("100e-2", "1"),
            (".5", "0.5"),
            ("5.", "5"),
            ("1E3", "1000"),
            ("1e+20", "100000000000000000000"),
            ("-1.50e-3", "-0.0015"),
            ("9223372036854775808", "9223372036854775808"),
        ] {
            assert_eq!(number(text), number(plain), "{text}");
            assert_eq!(number(text).to_string(), plain);
        }
    }

    #[test]
    fn other_texts_are_no_numbers() {
        for text in
            ["", " 1", "1 ", "1_000", "0x10", "Inf", "-inf", "NaN", "1e", "1e+", ".", "-", "+-1", "1.2.3", "1p3", "١"]
        {
            assert_eq!(text.parse::<Number>(), Err(NumberError::NotANumber), "{text:?}");
        }
    }

    /// go-cty would round it to 512 bits.
    #[test]
    fn long_numbers_stay_exact() {
        let digits = "1234567890".repeat(20);
        assert_eq!(number(&digits).to_string(), digits);
        let fraction = format!("0.{}1", "0".repeat(300));
        assert_eq!(number(&fraction).to_string(), fraction);
        assert_ne!(number(&digits), number(&format!("{digits}.1")));
    }

    #[test]
    fn numbers_too_long_to_write_are_refused() {
        for text in ["1e5000", "1e-5000", "1e999999999999", "-1e99999999999999999999", &"9".repeat(100_000)] {
            assert_eq!(text.parse::<Number>(), Err(NumberError::TooLong));
        }
        assert_eq!(number("1e4000").to_string().len(), 4001);
    }

    #[test]
    fn doubles_stand_for_their_shortest_decimal() {
        let from = |double: f64| Number::from_f64(double).map(|number| number.to_string());
        assert_eq!(from(0.1).as_deref(), Some("0.1"));
        assert_eq!(from(-1e21).as_deref(), Some("-1000000000000000000000"));
        assert_eq!(from(9_007_199_254_740_994.0).as_deref(), Some("9007199254740994"));
        assert_eq!(from(4_611_686_018_427_387_904.0).as_deref(), Some("4611686018427387904"));
        assert_eq!(from(f64::NAN), None);
        assert_eq!(from(f64::NEG_INFINITY), None);
        assert_eq!(from(f64::MAX).map(|text| text.parse()), Some(Ok(f64::MAX)));
        assert_eq!(number("1e400").to_f64(), f64::INFINITY);
    }

    #[test]
    fn only_some_decimals_are_doubles() {
        assert_eq!(number("0.5").to_f64_exact(), Some(0.5));
        assert_eq!(number("0.1").to_f64_exact(), None);
        assert_eq!(number("9007199254740993").to_f64_exact(), None);
        assert_eq!(number("1e-2000").to_f64_exact(), None);
        assert_eq!(number("1e400").to_f64_exact(), None);
    }

    #[test]
    fn order_is_by_value() {
        let mut numbers: Vec<Number> = ["1e20", "0.5", "-3", "1e-9", "9223372036854775808", "2"].map(number).into();
        numbers.sort();
        let sorted: Vec<String> = numbers.iter().map(Number::to_string).collect();
        assert_eq!(sorted, ["-3", "0.000000001", "0.5", "2", "9223372036854775808", "100000000000000000000"]);
    }
}
