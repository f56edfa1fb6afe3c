//! Terraform's values as SQLite's, and back.

use denobridge_core::cty::{Number, Type, Value, ValueKind};
use rusqlite::types::{Value as Cell, ValueRef};

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

/// What was stored, as a value. What `written` would have stored comes back as it was written: SQLite knows no bools, and
/// turns text into a number where the column's type says so.
///
/// # Errors
/// It is text that is not UTF-8.
pub(crate) fn value(stored: ValueRef<'_>, written: Option<&Value>) -> Result<Value, DatabaseError> {
    if let Some(written) = written
        && let Ok(cell) = cell("", written)
        && same(&cell, stored)
    {
        return Ok(written.clone());
    }
    Ok(match stored {
        ValueRef::Null => Value::null(Type::Dynamic),
        ValueRef::Integer(integer) => Value::number(integer),
        ValueRef::Real(double) => {
            Number::from_f64(double).map_or_else(|| Value::string(double.to_string()), Value::number)
        }
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Value::string(text),
            Err(_) => return Err(DatabaseError::Refused("the database holds text that is not UTF-8".to_owned())),
        },
        ValueRef::Blob(bytes) => Value::string(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
    })
}

fn same(cell: &Cell, stored: ValueRef<'_>) -> bool {
    match (printed(ValueRef::from(cell)), printed(stored)) {
        (Some(left), Some(right)) => left == right,
        (left, right) => left.is_none() && right.is_none(),
    }
}

/// A number or text as text; nothing for null.
fn printed(stored: ValueRef<'_>) -> Option<String> {
    match stored {
        ValueRef::Null => None,
        ValueRef::Integer(integer) => Some(integer.to_string()),
        ValueRef::Real(double) => Some(double.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
    }
}
