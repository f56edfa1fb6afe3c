//! Calling a provider's function.

use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::provider::{CallFunctionRequest, FunctionError};
use denobridge_core::schema::FunctionSignature;
use denobridge_sdk_gen::{Field, PropertyPath, PropertyStep, Returns};

use super::Answer;
use crate::assets;
use crate::errors::Failure;
use crate::lifecycle::Operation;
use crate::lifecycle::check::failure;
use crate::property_value::PropertyMap;
use crate::proto::pulumirpc::CheckFailure;
use crate::translate::{inputs, outputs};

impl Operation {
    pub(super) async fn call_function(&self, arguments: &PropertyMap) -> Result<Answer, Failure> {
        let signature = self.package.schema.functions.get(&self.type_name);
        let signature = signature.ok_or_else(|| Failure::Bridge(format!("no signature of {}", self.type_name)))?;
        let mut loaded = arguments.clone();
        assets::load(&mut loaded).await?;
        let values = match self.arguments(&loaded, signature) {
            Ok(values) => values,
            Err(failures) => return Ok(Answer::Refused(failures)),
        };
        if !values.iter().all(Value::is_wholly_known) {
            return self.not_yet();
        }
        let secret = values.iter().any(|value| !value.marks_deep().is_empty());
        let request = CallFunctionRequest {
            name: Arc::clone(&self.type_name),
            arguments: values.into_iter().map(Into::into).collect(),
        };
        let answer = self.ask(|provider, call| provider.call_function(call, request)).await?;
        if let Some(error) = answer.error {
            return match self.parameter_of(&error, signature) {
                Some(path) => Ok(Answer::Refused(vec![failure(&path, &self.worded(&error.text))])),
                None => Err(self.failed(&[error.text])),
            };
        }
        let result = self.decode(&answer.result, &signature.returns.without_optional())?;
        if !result.is_wholly_known() {
            return Err(self.failed(&["the provider returned a value that is not known".to_owned()]));
        }
        let mut result = self.returned(result)?;
        if secret {
            // What a function makes of a secret may tell it.
            result = result.into_iter().map(|(name, property)| (name, property.into_secret())).collect();
        }
        self.answer(result)
    }

    /// The arguments in the order of the parameters, those of the last array apart; or what is wrong with them.
    fn arguments(&self, given: &PropertyMap, signature: &FunctionSignature) -> Result<Vec<Value>, Vec<CheckFailure>> {
        let mut errors = inputs::unexpected_properties(given, self.fields());
        let mut failures = Vec::new();
        let mut values = Vec::new();
        for (position, parameter) in signature.parameters.iter().enumerate() {
            let Some(field) = self.parameter(position) else { continue };
            match inputs::field_value(field, given.get(&*field.pulumi), inputs::Origin::Program) {
                Ok(value) if value.is_null() && !parameter.allow_null => {
                    failures.push(failure(&path(field, None), "the argument is required, but it is not given"));
                }
                Ok(value) => values.push(value),
                Err(error) => errors.push(error.inside_key(&field.pulumi)),
            }
        }
        if signature.variadic.is_some()
            && let Some(field) = self.parameter(signature.parameters.len())
        {
            match inputs::elements(field, given.get(&*field.pulumi), inputs::Origin::Program) {
                Ok(elements) => values.extend(elements),
                Err(error) => errors.push(error.inside_key(&field.pulumi)),
            }
        }
        failures.extend(errors.iter().map(|error| failure(&error.path(), &error.to_string())));
        if failures.is_empty() { Ok(values) } else { Err(failures) }
    }

    /// Which argument an error is about, in the words of the program.
    fn parameter_of(&self, error: &FunctionError, signature: &FunctionSignature) -> Option<PropertyPath> {
        let position = usize::try_from(error.argument?).ok()?;
        match position.checked_sub(signature.parameters.len()) {
            None => Some(path(self.parameter(position)?, None)),
            Some(rest) => Some(path(self.parameter(signature.parameters.len())?, Some(rest))),
        }
    }

    /// The field of a parameter; behind the last one, that of the rest.
    fn parameter(&self, position: usize) -> Option<&Field> {
        let name = self.component()?.parameters.get(position)?;
        self.fields().by_terraform(name)
    }

    fn returned(&self, result: Value) -> Result<PropertyMap, Failure> {
        match self.component().map(|component| &component.returns) {
            Some(Returns::Object(names)) => Ok(outputs::root(&result, names)),
            Some(Returns::Value(field)) => Ok(PropertyMap::from([outputs::only(field, &result)])),
            Some(Returns::Fields) | None => Err(Failure::Bridge(format!("{} returns nothing", self.type_name))),
        }
    }
}

fn path(field: &Field, index: Option<usize>) -> PropertyPath {
    let name = PropertyStep::Name(Arc::clone(&field.pulumi));
    std::iter::once(name).chain(index.map(PropertyStep::Index)).collect()
}
