//! Terraform's values as SQLite's, and back.

use denobridge_core::cty::{Number, Type, Value, ValueKind};
use rusqlite::types::Value as Cell;

use crate::database::DatabaseError;

/// What to store for a value.
///
/// # Errors
/// SQLite has nothing of the kind; `column` is named.
pub(crate) fn cell(column: &str, value: &Value) -> Result<Cell, DatabaseError> {
    let refused = |what: &str| DatabaseError::Refused(format!("the column \"{column}\" cannot hold {what}"));
    match value.kind() {
        ValueKind::Null(_) => Ok(Cell::Null),
        ValueKind::String(text) => Ok(Cell::Text(text.to_string())),
        ValueKind::Bool(flag) => Ok(Cell::Integer(i64::from(*flag))),
        ValueKind::Number(number) => match (number.to_i64(), number.to_f64_exact()) {
            (Some(integer), _) => Ok(Cell::Integer(integer)),
            (None, Some(double)) => Ok(Cell::Real(double)),
            // A double that prints the same is what everybody means by a decimal such as 0.1.
            (None, None) => match Number::from_f64(number.to_f64()) {
                Some(near) if near.to_string() == number.to_string() || !number.is_integer() => {
                    Ok(Cell::Real(number.to_f64()))
                }
                _ => Err(refused("a whole number of more than 64 bits; write it as text")),
            },
        },
        ValueKind::Unknown(..) => Err(refused("what is not known yet")),
        _ => Err(refused("a list or an object; write it as text with jsonencode")),
    }
}

/// What is stored, as a value. What `written` would have stored comes back as it was written: SQLite knows no bools, and
/// turns text into a number where the column's type says so.
pub(crate) fn value(stored: &Cell, written: Option<&Value>) -> Value {
    if let Some(written) = written
        && let Ok(cell) = cell("", written)
        && text(&cell) == text(stored)
    {
        return written.clone();
    }
    match stored {
        Cell::Integer(integer) => Value::number(*integer),
        Cell::Real(double) => {
            Number::from_f64(*double).map_or_else(|| Value::string(double.to_string()), Value::number)
        }
        Cell::Null | Cell::Text(_) | Cell::Blob(_) => text(stored).map_or(Value::null(Type::Dynamic), Value::string),
    }
}

/// What is stored, as text: bytes in hexadecimal digits, nothing for null.
pub(crate) fn text(stored: &Cell) -> Option<String> {
    match stored {
        Cell::Null => None,
        Cell::Integer(integer) => Some(integer.to_string()),
        Cell::Real(double) => Some(double.to_string()),
        Cell::Text(text) => Some(text.clone()),
        Cell::Blob(bytes) => Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
    }
}
