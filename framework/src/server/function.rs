//! CallFunction. Functions work before the provider is configured, so it is not looked at whether it is, nor whether the
//! capability that a function belongs to is.

use denobridge_core::cty::Value;
use denobridge_core::provider::*;
use denobridge_core::schema::{FunctionParameter, FunctionSignature};
use denobridge_core::{Call, Diagnostic, DynamicValue};

use super::Server;
use crate::erased::argument_error;
use crate::guard::Operation;
use crate::mask::Secrets;

pub(super) async fn call(server: &Server, call: &Call, request: CallFunctionRequest) -> CallFunctionResponse {
    match called(server, call, request).await {
        Ok(result) => CallFunctionResponse { result, error: None },
        Err(mut error) => {
            error.text = server.secrets_of_text(&error.text, &Secrets::default());
            CallFunctionResponse { result: DynamicValue::Absent, error: Some(error) }
        }
    }
}

async fn called(server: &Server, call: &Call, request: CallFunctionRequest) -> Result<DynamicValue, FunctionError> {
    let name = &request.name;
    let entry = server.find(&server.catalog().functions, "function", name).map_err(about_no_argument)?;
    let signature = &entry.signature;
    let arguments = arguments(name, signature, &request.arguments)?;
    // Who allows unknown arguments deals with them; for others the host answers, and this is what it answers.
    let parameters = parameters(signature, arguments.len());
    if parameters.zip(&arguments).any(|(parameter, argument)| !parameter.allow_unknown && !argument.is_wholly_known()) {
        return Ok(Value::unknown(signature.returns.without_optional()).into());
    }
    let operation = Operation { name: "call", component: name };
    let context = |call| server.context(call, name).with_capability(entry.capability.clone());
    let handler = |call| async { entry.function.call(&context(call), arguments).await };
    let result = server.run(call, operation, &Secrets::default(), handler).await.map_err(about_no_argument)??;
    if !result.ty().conforms_to(&signature.returns) {
        let text = format!("It returned a {} instead of a {}.", result.ty(), signature.returns);
        return Err(about_no_argument(operation.error(text)));
    }
    Ok(result.into())
}

/// The arguments as values of the parameters' types.
fn arguments(name: &str, signature: &FunctionSignature, given: &[DynamicValue]) -> Result<Vec<Value>, FunctionError> {
    let wanted = signature.parameters.len();
    if given.len() < wanted || (given.len() > wanted && signature.variadic.is_none()) {
        let at_least = if signature.variadic.is_some() { "at least " } else { "" };
        let text = format!("{name} takes {at_least}{wanted} arguments, and was given {}.", given.len());
        let argument = if given.len() > wanted { i64::try_from(wanted).ok() } else { None };
        return Err(FunctionError { text, argument });
    }
    parameters(signature, given.len())
        .zip(given)
        .enumerate()
        .map(|(index, (parameter, argument))| {
            let value = argument
                .decode(&parameter.ty.without_optional())
                .map_err(|error| argument_error(index, format!("{} does not fit: {error}.", parameter.name)))?;
            if value.is_null() && !parameter.allow_null {
                return Err(argument_error(index, format!("{} must not be null.", parameter.name)));
            }
            if !value.ty().conforms_to(&parameter.ty) {
                let text = format!("{} must be a {}, not a {}.", parameter.name, parameter.ty, value.ty());
                return Err(argument_error(index, text));
            }
            Ok(value)
        })
        .collect()
}

/// The parameter of each of `count` arguments.
fn parameters(signature: &FunctionSignature, count: usize) -> impl Iterator<Item = &FunctionParameter> {
    signature.parameters.iter().chain(signature.variadic.iter().cycle()).take(count)
}

fn about_no_argument(diagnostic: Diagnostic) -> FunctionError {
    let text = format!("{}: {}", diagnostic.summary, diagnostic.detail);
    FunctionError { text, argument: None }
}
