//! Functions for those who write SQL in a configuration.

use denobridge_core::cty::Type;
use denobridge_core::provider::FunctionError;
use denobridge_core::schema::{Description, FunctionParameter, FunctionSignature};
use denobridge_framework::erased::{argument_error, function};
use denobridge_framework::prelude::*;

use crate::database::quoted;

/// Adds all functions.
pub(crate) fn add_all(provider: ProviderBuilder) -> ProviderBuilder {
    provider
        .function(
            "quote_identifier",
            function(
                signature("A name as SQL has it", Type::String, [parameter("name", "A table or column.")], None),
                |arguments| Ok(Value::string(identifier(&arguments, 0)?)),
            ),
        )
        .function(
            "select",
            function(
                signature(
                    "A query for columns of a table",
                    Type::String,
                    [parameter("table", "The table.")],
                    Some(parameter("columns", "The columns; none of them means all.")),
                ),
                |arguments| Ok(Value::string(select(&arguments)?)),
            ),
        )
        .function(
            "parse_literal",
            function(
                signature(
                    "What an SQL literal stands for",
                    Type::Dynamic,
                    [parameter("literal", "A number, a text in single quotes, TRUE, FALSE or NULL.")],
                    None,
                ),
                |arguments| literal(text(&arguments, 0)),
            ),
        )
}

fn select(arguments: &[Value]) -> Result<String, FunctionError> {
    let table = identifier(arguments, 0)?;
    let columns = (1..arguments.len()).map(|index| identifier(arguments, index)).collect::<Result<Vec<_>, _>>()?;
    let columns = if columns.is_empty() { "*".to_owned() } else { columns.join(", ") };
    Ok(format!("SELECT {columns} FROM {table}"))
}

fn literal(text: &str) -> Result<Value, FunctionError> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        // Inside, a quote is written twice.
        if inner.replace("''", "").contains('\'') {
            return Err(argument_error(0, "the text ends before the literal does"));
        }
        return Ok(Value::string(inner.replace("''", "'")));
    }
    match text.to_ascii_uppercase().as_str() {
        "NULL" => Ok(Value::null(Type::Dynamic)),
        "TRUE" => Ok(Value::bool(true)),
        "FALSE" => Ok(Value::bool(false)),
        _ => {
            let number: Result<Number, _> = text.parse();
            number
                .map(Value::number)
                .map_err(|_| argument_error(0, "this is no number, text, bool or NULL as SQL has it"))
        }
    }
}

fn identifier(arguments: &[Value], index: usize) -> Result<String, FunctionError> {
    match text(arguments, index) {
        "" => Err(argument_error(index, "a name cannot be empty")),
        name if name.contains('\0') => Err(argument_error(index, "a name cannot contain a NUL character")),
        name => Ok(quoted(name)),
    }
}

fn text(arguments: &[Value], index: usize) -> &str {
    arguments.get(index).and_then(Value::as_str).unwrap_or_default()
}

fn parameter(name: &str, description: &str) -> FunctionParameter {
    FunctionParameter {
        name: name.into(),
        ty: Type::String,
        allow_null: false,
        allow_unknown: false,
        description: description.into(),
    }
}

fn signature<const N: usize>(
    summary: &str,
    returns: Type,
    parameters: [FunctionParameter; N],
    variadic: Option<FunctionParameter>,
) -> FunctionSignature {
    FunctionSignature {
        parameters: parameters.into(),
        variadic,
        returns,
        summary: summary.to_owned(),
        description: Description::default(),
        deprecation: None,
    }
}
