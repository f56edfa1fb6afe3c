//! Functions for those who write SQL in a configuration.

use denobridge_core::cty::Type;
use denobridge_framework::prelude::*;

use crate::database::quoted;

/// A name as SQL has it
#[function]
pub(crate) fn quote_identifier(
    /// A table or column.
    name: &str,
) -> Result<String, FunctionFailure> {
    identifier(0, name)
}

/// A query for columns of a table
#[function]
pub(crate) fn select(
    /// The table.
    table: &str,
    /// The columns; none of them means all.
    columns: &[String],
) -> Result<String, FunctionFailure> {
    let table = identifier(0, table)?;
    let columns = columns.iter().zip(1..).map(|(column, index)| identifier(index, column));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let columns = if columns.is_empty() { "*".to_owned() } else { columns.join(", ") };
    Ok(format!("SELECT {columns} FROM {table}"))
}

/// What an SQL literal stands for
#[function]
pub(crate) fn parse_literal(
    /// A number, a text in single quotes, TRUE, FALSE or NULL.
    literal: &str,
) -> Result<Value, FunctionFailure> {
    let text = literal.trim();
    if let Some(inner) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        // Inside, a quote is written twice.
        if inner.replace("''", "").contains('\'') {
            return Err(FunctionFailure::argument(0, "the text ends before the literal does"));
        }
        return Ok(Value::string(inner.replace("''", "'")));
    }
    match text.to_ascii_uppercase().as_str() {
        "NULL" => Ok(Value::null(Type::Dynamic)),
        "TRUE" => Ok(Value::bool(true)),
        "FALSE" => Ok(Value::bool(false)),
        _ => match text.parse::<Number>() {
            Ok(number) => Ok(Value::number(number)),
            Err(_) => Err(FunctionFailure::argument(0, "this is no number, text, bool or NULL as SQL has it")),
        },
    }
}

/// The name as SQL has it, or what is wrong with the argument of that index.
fn identifier(index: usize, name: &str) -> Result<String, FunctionFailure> {
    match name {
        "" => Err(FunctionFailure::argument(index, "a name cannot be empty")),
        name if name.contains('\0') => Err(FunctionFailure::argument(index, "a name cannot contain a NUL character")),
        name => Ok(quoted(name)),
    }
}
