//! Functions made of Rust functions (F16, F55).

use denobridge_core::cty::Type;
use denobridge_core::provider::{CallFunctionRequest, Provider};
use denobridge_core::{Call, DynamicValue};

use crate::prelude::*;

/// Joins words.
///
/// Null is no word.
#[function(name = "join_words", deprecated = "Use join.")]
async fn join(
    _: &Context,
    /// What stands between two words.
    separator: &str,
    words: &[Option<String>],
) -> Result<String, FunctionFailure> {
    if separator.len() > 3 {
        return Err(FunctionFailure::argument(0, "The separator is too long."));
    }
    Ok(words.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(separator))
}

/// Whether a value is known.
#[function]
fn is_known(value: Tf<i64>) -> bool {
    !value.is_unknown()
}

#[function]
fn parsed(text: String) -> Result<i64, std::num::ParseIntError> {
    text.parse()
}

fn provider() -> impl Provider {
    let builder = ProviderBuilder::new("words").add_function::<join>().add_function::<is_known>();
    builder.add_function::<parsed>().build().unwrap()
}

async fn called(name: &str, arguments: &[Value]) -> Result<Value, (Option<i64>, String)> {
    let arguments = arguments.iter().cloned().map(DynamicValue::from).collect();
    let request = CallFunctionRequest { name: name.into(), arguments };
    let response = provider().call_function(&Call::new(), request).await.unwrap();
    match response.error {
        Some(error) => Err((error.argument, error.text)),
        None => Ok(response.result.decode(&Type::Dynamic).unwrap()),
    }
}

#[test]
fn f16_the_signature_of_a_rust_function_is_that_of_the_provider_s() {
    use crate::typed::Function;
    assert_eq!(join::NAME, "join_words");
    let signature = join::signature();
    assert_eq!(signature.summary, "Joins words.");
    assert_eq!(signature.description.text, "Joins words.\n\nNull is no word.");
    assert_eq!(signature.deprecation.as_deref(), Some("Use join."));
    assert_eq!((signature.parameters.len(), &*signature.parameters[0].name), (1, "separator"));
    assert_eq!(signature.parameters[0].description.text, "What stands between two words.");
    assert!(!signature.parameters[0].allow_null && !signature.parameters[0].allow_unknown);
    let words = signature.variadic.unwrap();
    assert_eq!((words.ty, words.allow_null, words.allow_unknown), (Type::String, true, false));
    let value = &is_known::signature().parameters[0];
    assert!(value.allow_null && value.allow_unknown);
    assert_eq!((value.ty.clone(), is_known::signature().returns), (Type::Number, Type::Bool));
}

#[tokio::test]
async fn f55_rust_functions_are_called_with_their_types() {
    let text = Value::string;
    let joined = called("join_words", &[text("-"), text("a"), Value::null(Type::String), text("b")]).await;
    assert_eq!(joined, Ok(text("a-b")));
    let refused = called("join_words", &[text("long")]).await;
    assert_eq!(refused, Err((Some(0), "The separator is too long.".to_owned())));
    assert_eq!(called("is_known", &[Value::unknown(Type::Number)]).await, Ok(Value::bool(false)));
    let (argument, reason) = called("is_known", &[text("1.5").clone()]).await.unwrap_err();
    assert_eq!(argument, Some(0), "{reason}");
    let (argument, reason) = called("is_known", &[Value::number(half())]).await.unwrap_err();
    assert_eq!((argument, &*reason), (Some(0), "It cannot be used: a whole number is required."));
    assert_eq!(called("parsed", &[text("12")]).await, Ok(Value::number(12)));
    assert_eq!(called("parsed", &[text("x")]).await, Err((None, "invalid digit found in string".to_owned())));
}

fn half() -> Number {
    Number::from_f64(0.5).unwrap()
}
