//! Check: are the program's inputs acceptable?

use std::sync::Arc;

use denobridge_core::cty::Path;
use denobridge_core::planning;
use denobridge_core::provider::ValidateResourceConfigRequest;
use denobridge_sdk_gen::{ObjectNames, PropertyPath, Shape};

use super::{CAPABILITIES, Operation};
use crate::assets;
use crate::errors::{Failure, diagnostic_text};
use crate::property_value::{Output, PropertyMap, PropertyValue};
use crate::proto::pulumirpc::CheckFailure;

impl Operation {
    /// Checks inputs. They come back as given, except that what must be kept secret is a secret.
    pub(crate) async fn check(&self, inputs: PropertyMap) -> Result<(PropertyMap, Vec<CheckFailure>), Failure> {
        let mut loaded = inputs.clone();
        assets::load(&mut loaded).await?;
        let (config, errors) = self.config(&loaded);
        let mut failures: Vec<_> = errors.iter().map(|error| failure(&error.path(), &error.to_string())).collect();
        let schema = self.schema()?;
        if failures.is_empty()
            && let Err(problems) = planning::conform_config(&schema.block, &config)
        {
            failures.extend(problems.iter().map(|problem| {
                // Terraform's message has Terraform's name in it.
                let missing = problem.summary == "Missing required argument";
                let reason = if missing { "the property is required, but it is not set" } else { &problem.message };
                self.failure(&problem.path, reason)
            }));
        }
        if failures.is_empty() {
            let request = ValidateResourceConfigRequest {
                type_name: Arc::clone(&self.type_name),
                config: config.into(),
                client_capabilities: CAPABILITIES,
            };
            let answer = self.ask(|provider, call| provider.validate_resource_config(call, request)).await?;
            self.warn(&answer.diagnostics);
            failures.extend(answer.diagnostics.errors().map(|error| {
                let text = self.worded(&diagnostic_text(error, &ObjectNames::default()));
                self.failure(&error.attribute, &text)
            }));
        }
        Ok((secret_inputs(inputs, self.fields()), failures))
    }

    fn failure(&self, path: &Path, reason: &str) -> CheckFailure {
        failure(&self.fields().to_pulumi(path), reason)
    }
}

/// A failure about one property. The engine prints the value of `property` if that is a top-level name, so a deeper path
/// goes into the text.
pub(crate) fn failure(path: &PropertyPath, reason: &str) -> CheckFailure {
    let property = path.first_property().unwrap_or_default().to_owned();
    let reason = if path.steps().len() > 1 { format!("{reason} (at `{path}`)") } else { reason.to_owned() };
    CheckFailure { property, reason }
}

/// Inputs with what the schema calls sensitive or write-only as secrets: inputs are stored.
pub(crate) fn secret_inputs(inputs: PropertyMap, names: &ObjectNames) -> PropertyMap {
    inputs
        .into_iter()
        .map(|(name, value)| {
            let value = match names.by_pulumi(&name) {
                Some(field) if field.sensitive && !matches!(value, PropertyValue::Null) => value.into_secret(),
                Some(field) => secret_parts(value, &field.shape),
                None => value,
            };
            (name, value)
        })
        .collect()
}

fn secret_parts(value: PropertyValue, shape: &Shape) -> PropertyValue {
    match (value, shape) {
        (PropertyValue::Secret(inner), _) => PropertyValue::Secret(inner),
        (PropertyValue::Output(Output { value: Some(inner), secret, dependencies }), shape) => {
            let value = Some(Box::new(secret_parts(*inner, shape)));
            PropertyValue::Output(Output { value, secret, dependencies })
        }
        (PropertyValue::Object(entries), Shape::Object(names)) => PropertyValue::Object(secret_inputs(entries, names)),
        (PropertyValue::Object(entries), Shape::Map(element)) => {
            PropertyValue::Object(entries.into_iter().map(|(key, value)| (key, secret_parts(value, element))).collect())
        }
        (PropertyValue::Array(items), Shape::List(element) | Shape::Set(element)) => {
            PropertyValue::Array(items.into_iter().map(|item| secret_parts(item, element)).collect())
        }
        // A flattened list or set is its only element by itself.
        (value @ PropertyValue::Object(_), Shape::List(element) | Shape::Set(element)) => secret_parts(value, element),
        (value, _) => value,
    }
}
