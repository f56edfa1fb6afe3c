//! Text, bools, numbers, and values as they are.

use denobridge_core::cty::{Number, Type, Value};

use super::{ModelError, ModelProblem, ModelValue, Shape, ToValue};

impl ToValue for &str {
    fn to_value(&self) -> Value {
        Value::string(self)
    }
}

impl ToValue for String {
    fn to_value(&self) -> Value {
        Value::string(self)
    }
}

impl ModelValue for String {
    type Known = Self;

    fn shape() -> Shape {
        Shape::Plain(Type::String)
    }

    fn from_value(value: &Value) -> Result<Self, ModelError> {
        value.as_str().map(str::to_owned).ok_or_else(|| ModelError::mismatch(value, Type::String))
    }

    fn known(&self) -> Option<&Self> {
        Some(self)
    }
}

impl ToValue for bool {
    fn to_value(&self) -> Value {
        Value::bool(*self)
    }
}

impl ModelValue for bool {
    type Known = Self;

    fn shape() -> Shape {
        Shape::Plain(Type::Bool)
    }

    fn from_value(value: &Value) -> Result<Self, ModelError> {
        value.as_bool().ok_or_else(|| ModelError::mismatch(value, Type::Bool))
    }

    fn known(&self) -> Option<&Self> {
        Some(self)
    }
}

fn number(value: &Value) -> Result<&Number, ModelError> {
    value.as_number().ok_or_else(|| ModelError::mismatch(value, Type::Number))
}

impl ToValue for Number {
    fn to_value(&self) -> Value {
        Value::number(self.clone())
    }
}

impl ModelValue for Number {
    type Known = Self;

    fn shape() -> Shape {
        Shape::Plain(Type::Number)
    }

    fn from_value(value: &Value) -> Result<Self, ModelError> {
        number(value).cloned()
    }

    fn known(&self) -> Option<&Self> {
        Some(self)
    }
}

macro_rules! integers {
    ($($integer:ty as $wide:ty),*) => {
        $(
            impl ToValue for $integer {
                fn to_value(&self) -> Value {
                    Value::number(<$wide>::from(*self))
                }
            }

            impl ModelValue for $integer {
                type Known = Self;

                fn shape() -> Shape {
                    Shape::Plain(Type::Number)
                }

                fn from_value(value: &Value) -> Result<Self, ModelError> {
                    let number = number(value)?;
                    if !number.is_integer() {
                        return Err(ModelError::new(ModelProblem::NotWhole));
                    }
                    let fitting = match number.to_i64() {
                        Some(small) => Self::try_from(small).ok(),
                        // Integers beyond 64 bits with a sign print in full.
                        None => number.to_string().parse().ok(),
                    };
                    fitting.ok_or_else(|| {
                        ModelError::new(ModelProblem::OutOfRange {
                            least: Self::MIN.to_string(),
                            most: Self::MAX.to_string(),
                        })
                    })
                }

                fn known(&self) -> Option<&Self> {
                    Some(self)
                }
            }
        )*
    };
}

integers!(i64 as i64, i32 as i64, u64 as u64, u32 as i64, u16 as i64);

impl ToValue for f64 {
    /// Terraform has neither infinities nor NaN. They become an unknown value, which no state accepts, so that the fault is
    /// reported with the attribute's name instead of being stored as something else.
    fn to_value(&self) -> Value {
        Number::from_f64(*self).map_or_else(|| Value::unknown(Type::Number), Value::number)
    }
}

impl ModelValue for f64 {
    type Known = Self;

    fn shape() -> Shape {
        Shape::Plain(Type::Number)
    }

    /// The nearest double; [`Number`] is exact. What a resource or an ephemeral resource returns as this double keeps the digits
    /// that it was given.
    fn from_value(value: &Value) -> Result<Self, ModelError> {
        let double = number(value)?.to_f64();
        if double.is_finite() {
            return Ok(double);
        }
        let (least, most) = (format!("{:e}", Self::MIN), format!("{:e}", Self::MAX));
        Err(ModelError::new(ModelProblem::OutOfRange { least, most }))
    }

    fn known(&self) -> Option<&Self> {
        Some(self)
    }
}

impl ToValue for Value {
    fn to_value(&self) -> Value {
        self.clone()
    }
}

/// A value whose type is decided by the configuration.
impl ModelValue for Value {
    type Known = Self;

    const HOLDS_NULL: bool = true;
    const HOLDS_UNKNOWN: bool = true;

    fn shape() -> Shape {
        Shape::Plain(Type::Dynamic)
    }

    fn from_value(value: &Value) -> Result<Self, ModelError> {
        Ok(value.clone())
    }

    fn known(&self) -> Option<&Self> {
        (!self.is_null() && self.is_known()).then_some(self)
    }
}
