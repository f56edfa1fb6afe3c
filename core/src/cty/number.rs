//! Numbers: exact decimals, as Terraform's own are exact to 512 bits.

use std::cmp::Ordering;
use std::str::FromStr;
use std::sync::Arc;

use bigdecimal::{BigDecimal, FromPrimitive, ToPrimitive};
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

    /// The number a double stands for, exactly; `None` for NaN and the infinities, which Terraform does not have.
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Self> {
        Self::from_decimal(BigDecimal::from_f64(value)?).ok()
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
            Repr::Big(value) => value.to_f64().unwrap_or(f64::NAN),
        }
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

    /// Decimal text with an optional sign, fraction and exponent.
    fn from_str(text: &str) -> Result<Self, NumberError> {
        if let Ok(small) = text.parse::<i64>() {
            return Ok(Self(Repr::Small(small)));
        }
        Self::from_decimal(BigDecimal::from_str(text).map_err(|_| NumberError::NotANumber)?)
    }
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
