//! Functions.

use denobridge_core::Diagnostics;
use denobridge_core::cty::Type;
use denobridge_core::provider::{CallFunctionRequest, CallFunctionResponse, FunctionError};

use super::value::{from_wire, to_wire};
use crate::proto::tfplugin6 as pb;

impl From<pb::call_function::Request> for CallFunctionRequest {
    fn from(request: pb::call_function::Request) -> Self {
        Self {
            name: request.name.into(),
            arguments: request.arguments.into_iter().map(|argument| from_wire(Some(argument))).collect(),
        }
    }
}

/// A result or an error, never both: hosts look at the error first, but neither would be a broken answer.
pub(crate) fn call_function(response: CallFunctionResponse, returns: &Type) -> pb::call_function::Response {
    if let Some(error) = response.error {
        return failed(error);
    }
    let mut diagnostics = Diagnostics::new();
    match to_wire(&response.result, returns, "function result", &mut diagnostics) {
        Some(result) => pb::call_function::Response { result: Some(result), error: None },
        None => diagnostics.into(),
    }
}

/// Functions answer with one error text instead of diagnostics.
impl From<Diagnostics> for pb::call_function::Response {
    fn from(diagnostics: Diagnostics) -> Self {
        let texts: Vec<String> = diagnostics
            .errors()
            .map(|error| if error.detail.is_empty() { error.summary.clone() } else { error.detail.clone() })
            .collect();
        failed(FunctionError { text: texts.join("\n"), argument: None })
    }
}

fn failed(error: FunctionError) -> pb::call_function::Response {
    let error = pb::FunctionError { text: unended(error.text), function_argument: error.argument };
    pb::call_function::Response { result: None, error: Some(error) }
}

/// The text without its full stop, since Terraform makes it the end of a sentence and adds one.
fn unended(mut text: String) -> String {
    if text.ends_with('.') && !text.ends_with("..") {
        text.pop();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terraform_ends_the_sentence_of_an_error() {
        let text = |text: &str| {
            let error = FunctionError { text: text.to_owned(), argument: Some(1) };
            failed(error).error.map(|error| (error.text, error.function_argument))
        };
        assert_eq!(text("It is too long. Cut it."), Some(("It is too long. Cut it".to_owned(), Some(1))));
        assert_eq!(text("at most 100 times"), Some(("at most 100 times".to_owned(), Some(1))));
        assert_eq!(text("still waiting..."), Some(("still waiting...".to_owned(), Some(1))));
    }
}
