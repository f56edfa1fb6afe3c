//! One function.

use std::sync::Arc;

use denobridge_core::cty::{Path, Value, convert};
use denobridge_core::diagnostics::Diagnostic;
use denobridge_core::dynamic_value::DynamicValue;
use denobridge_core::planning::rules::{self, Rule, Violation};
use denobridge_core::provider::{CallFunctionRequest, CallFunctionResponse, FunctionError};
use denobridge_core::schema::{FunctionParameter, FunctionSignature};

use super::component::decoded;
use super::{Exchange, Host, Report, Step};

/// One function of a [`Host`].
pub struct FunctionHost<'h> {
    pub(super) host: &'h Host,
    pub(super) name: Arc<str>,
    pub(super) signature: &'h FunctionSignature,
}

impl FunctionHost<'_> {
    /// Parameters and result.
    #[must_use]
    pub fn signature(&self) -> &FunctionSignature {
        self.signature
    }

    /// Calls it with arguments as loosely typed as a user writes them. Core converts them to the parameters' types, sees to
    /// it that null and unknown values only reach parameters that allow them, and wants the same result for the same
    /// arguments each time (R19). An argument with unknown parts that its parameter does not allow makes the result
    /// unknown without a call. None when anything went wrong.
    pub async fn call(&self, arguments: &[Value]) -> Step<Option<Value>> {
        let mut report = Report::default();
        let arguments = match self.conformed(arguments) {
            Ok(arguments) => arguments,
            Err(diagnostic) => {
                report.diagnostics.push(diagnostic);
                return Step { value: None, report };
            }
        };
        if arguments
            .iter()
            .zip(self.parameters())
            .any(|(given, wants)| !given.is_wholly_known() && !wants.allow_unknown)
        {
            return Step { value: Some(Value::unknown(self.signature.returns.clone())), report };
        }
        let exchange =
            arguments.iter().fold(Exchange::new("CallFunction", Arc::clone(&self.name)), |exchange, argument| {
                exchange.sent("argument", argument.clone())
            });
        let request = CallFunctionRequest {
            name: Arc::clone(&self.name),
            arguments: arguments.iter().cloned().map(DynamicValue::from).collect(),
        };
        let answer = self.host.provider.call_function(&self.host.options.call, request);
        let Some((exchange, response)) = self.host.ask(exchange, answer, &mut report).await else {
            return Step { value: None, report };
        };
        let mut violations = Vec::new();
        let result = self.result(&response, &arguments, &mut violations);
        let exchange = match &result {
            Some(result) => exchange.received("result", result.clone()),
            None => exchange,
        };
        let failure = response.error.map(|error| self.failure(&error));
        self.host.heard(&self.subject(), exchange, failure.into_iter().collect(), violations, &mut report);
        Step { value: result.filter(|_| !report.failed()), report }
    }

    fn subject(&self) -> String {
        format!("the function {}", self.name)
    }

    /// The parameter of each argument in turn.
    fn parameters(&self) -> impl Iterator<Item = &FunctionParameter> {
        let rest = self.signature.variadic.iter().flat_map(std::iter::repeat);
        self.signature.parameters.iter().chain(rest)
    }

    fn conformed(&self, arguments: &[Value]) -> Result<Vec<Value>, Diagnostic> {
        let (given, fixed) = (arguments.len(), self.signature.parameters.len());
        let too_many = given > fixed && self.signature.variadic.is_none();
        if given < fixed || too_many {
            let summary = if too_many { "Too many function arguments" } else { "Not enough function arguments" };
            let at_least = if self.signature.variadic.is_some() { "at least " } else { "" };
            let detail = format!("{} takes {at_least}{fixed} arguments, but was given {given}.", self.subject());
            return Err(Diagnostic::error(summary, detail));
        }
        let each = arguments.iter().zip(self.parameters()).enumerate();
        each.map(|(index, (argument, parameter))| self.conformed_argument(index, argument, parameter)).collect()
    }

    fn conformed_argument(
        &self,
        index: usize,
        argument: &Value,
        parameter: &FunctionParameter,
    ) -> Result<Value, Diagnostic> {
        let invalid = |reason: String| {
            let place = format!("{}: argument {index} ({})", self.subject(), parameter.name);
            Diagnostic::error("Invalid function argument", format!("{place}: {reason}."))
        };
        let value = convert::convert(argument, &parameter.ty).map_err(|error| invalid(error.to_string()))?;
        if value.is_null() && !parameter.allow_null {
            return Err(invalid("must not be null".to_owned()));
        }
        Ok(value)
    }

    fn result(
        &self,
        response: &CallFunctionResponse,
        arguments: &[Value],
        violations: &mut Vec<Violation>,
    ) -> Option<Value> {
        let broken = |message: &str| Violation::new(Rule::Protocol, Path::root(), message);
        match (&response.error, &response.result) {
            (None, DynamicValue::Absent) => {
                violations.push(broken("the function returned neither a result nor an error"));
                None
            }
            (None, result) => {
                let result = decoded(result, &self.signature.returns, Rule::Conformance, violations)?;
                violations.extend(rules::value_conforms(&self.signature.returns, &result));
                violations.extend(self.host.memory.called(&self.name, arguments, &result));
                Some(result)
            }
            (Some(error), _) => {
                let named = error.argument.map(usize::try_from);
                if named.is_some_and(|index| index.map_or(true, |index| index >= arguments.len())) {
                    violations.push(broken("the error names an argument that was not given"));
                }
                None
            }
        }
    }

    fn failure(&self, error: &FunctionError) -> Diagnostic {
        let place = match error.argument {
            Some(index) => format!("{}: argument {index}", self.subject()),
            None => self.subject(),
        };
        Diagnostic::error("Error in function call", format!("{place}: {}", error.text))
    }
}
