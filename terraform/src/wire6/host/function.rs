//! Functions.

use denobridge_core::CallError;
use denobridge_core::provider::{CallFunctionRequest, CallFunctionResponse, FunctionError};
use denobridge_core::schema::FunctionSignature;

use super::encode;
use crate::proto::tfplugin6 as pb;
use crate::wire6::value::from_wire;

/// Calls a function. Arguments beyond the parameters are the variadic one's.
pub(crate) fn call_function(
    request: CallFunctionRequest,
    signature: &FunctionSignature,
) -> Result<pb::call_function::Request, CallError> {
    let mut arguments = Vec::with_capacity(request.arguments.len());
    for (index, argument) in request.arguments.iter().enumerate() {
        let Some(parameter) = signature.parameters.get(index).or(signature.variadic.as_ref()) else {
            let most = signature.parameters.len();
            return Err(CallError::Internal {
                message: format!(
                    "the function {} takes {most} arguments, not {}",
                    request.name,
                    request.arguments.len()
                ),
            });
        };
        arguments.extend(encode(argument, &parameter.ty, &format!("argument {:?}", parameter.name))?);
    }
    Ok(pb::call_function::Request { name: request.name.to_string(), arguments })
}

impl From<pb::call_function::Response> for CallFunctionResponse {
    fn from(response: pb::call_function::Response) -> Self {
        let error = |error: pb::FunctionError| FunctionError { text: error.text, argument: error.function_argument };
        Self { result: from_wire(response.result), error: response.error.map(error) }
    }
}
