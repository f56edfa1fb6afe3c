//! Conversions between strings, numbers and bools.

use crate::cty::failure::Failure;
use crate::cty::{Number, NumberError, Type, Value, ValueKind};

/// A known primitive as another primitive type.
pub(super) fn convert(value: &Value, wanted: &Type) -> Result<Value, Failure> {
    match (value.kind(), wanted) {
        (ValueKind::Number(number), Type::String) => Ok(Value::string(number.to_string())),
        (ValueKind::Bool(value), Type::String) => Ok(Value::string(if *value { "true" } else { "false" })),
        (ValueKind::String(text), Type::Number) => {
            let number: Result<Number, NumberError> = text.parse();
            number.map(Value::number).map_err(|error| Failure::new(error.to_string()))
        }
        (ValueKind::String(text), Type::Bool) => parse_bool(text).map(Value::bool).map_err(Failure::new),
        _ => Ok(value.clone()),
    }
}

/// Text as a bool: `true` or `1`, `false` or `0`. The error helps those who write it as Python does.
pub(in crate::cty) fn parse_bool(text: &str) -> Result<bool, String> {
    match text {
        "true" | "1" => return Ok(true),
        "false" | "0" => return Ok(false),
        _ => {}
    }
    let lowercase = text.to_lowercase();
    Err(match lowercase.as_str() {
        "true" | "false" => format!("a bool is required; to convert from string, use lowercase \"{lowercase}\""),
        _ => "a bool is required".to_owned(),
    })
}
