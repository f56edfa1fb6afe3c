//! Messages about functions.

use std::sync::Arc;

use crate::dynamic_value::DynamicValue;

/// A function's failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionError {
    /// What was wrong.
    pub text: String,
    /// Which argument, counted from 0.
    pub argument: Option<i64>,
}

/// Request of `CallFunction`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallFunctionRequest {
    /// The function's name.
    pub name: Arc<str>,
    /// One value per argument, variadic ones apart.
    pub arguments: Vec<DynamicValue>,
}

/// Response of `CallFunction`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallFunctionResponse {
    /// The result.
    pub result: DynamicValue,
    /// Set when it failed.
    pub error: Option<FunctionError>,
}
