//! Check: are the program's inputs acceptable?

use std::sync::Arc;

use denobridge_core::cty::{Path, Value};
use denobridge_core::planning;
use denobridge_core::provider::*;
use denobridge_core::{Diagnostics, DynamicValue};
use denobridge_sdk_gen::{ComponentKind, ObjectNames, PropertyPath, Shape};

use super::{CAPABILITIES, Naming, Operation};
use crate::assets;
use crate::errors::{Failure, diagnostic_text};
use crate::property_value::{Output, PropertyMap, PropertyValue};
use crate::proto::pulumirpc::CheckFailure;
use crate::translate::inputs;

/// Inputs as the provider takes them.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    /// The configuration.
    pub(crate) config: Value,
    /// What the provider does not get: an object with the [`own`](denobridge_sdk_gen::ComponentNames::own) inputs.
    pub(crate) own: Value,
}

impl Operation {
    /// Checks inputs. They come back as given, except that names are made up and that what must be kept secret is a
    /// secret.
    pub(crate) async fn check(
        &self,
        inputs: PropertyMap,
        naming: &Naming,
    ) -> Result<(PropertyMap, Vec<CheckFailure>), Failure> {
        self.learn(&[&inputs]);
        let given = inputs.clone();
        let mut inputs = inputs;
        let (named, refused) = match self.autoname(&mut inputs, naming) {
            Ok(named) => (named, None),
            Err(refused) => (Vec::new(), Some(refused)),
        };
        let mut failures = self.checked(&inputs).await?.err().unwrap_or_default();
        // The program may say by another property how to name it (`name_prefix`), or the provider may want other names:
        // what is wrong only because of a name that nobody asked for is not wrong.
        if !failures.is_empty() && !named.is_empty() && self.checked(&given).await?.is_ok() {
            (inputs, failures) = (given, Vec::new());
        }
        if let Some(refused) = refused {
            failures.retain(|failure| failure.property != refused.property);
            failures.insert(0, refused);
        }
        Ok((secret_inputs(inputs, self.fields()), failures))
    }

    /// Inputs that nothing is wrong with, or what is wrong with them.
    pub(crate) async fn checked(&self, inputs: &PropertyMap) -> Result<Result<Checked, Vec<CheckFailure>>, Failure> {
        let mut loaded = inputs.clone();
        assets::load(&mut loaded).await?;
        let own_names = self.own_names();
        let own = take_own(&mut loaded, &own_names);
        self.warn_of_unknown(&self.take_unknown(&mut loaded));
        let (own, mut errors) = inputs::root(&own, &own_names, inputs::Origin::Program);
        let (config, further) = self.config(&loaded);
        errors.extend(further);
        if !errors.is_empty() {
            return Ok(Err(errors.iter().map(|error| failure(&error.path(), &error.to_string())).collect()));
        }
        if let Err(problems) = planning::conform_config(&self.schema()?.block, &config) {
            let failures = problems.iter().map(|problem| {
                // Terraform's message has Terraform's name in it.
                let missing = problem.summary == "Missing required argument";
                let reason = if missing { "the property is required, but it is not set" } else { &problem.message };
                self.failure(&problem.path, reason)
            });
            return Ok(Err(failures.collect()));
        }
        let checked = Checked { config, own };
        let failures = self.told(&self.validate(&checked).await?);
        Ok(if failures.is_empty() { Ok(checked) } else { Err(failures) })
    }

    /// What the provider has to say about a configuration.
    pub(crate) async fn validate(&self, checked: &Checked) -> Result<Diagnostics, Failure> {
        let type_name = Arc::clone(&self.type_name);
        let config = DynamicValue::from(checked.config.clone());
        macro_rules! ask {
            ($procedure:ident($request:expr)) => {{
                let request = $request;
                self.ask(|provider, call| provider.$procedure(call, request)).await?.diagnostics
            }};
        }
        let diagnostics = match self.kind() {
            None => ask!(validate_provider_config(ValidateProviderConfigRequest { config })),
            Some(ComponentKind::Resource) => ask!(validate_resource_config(ValidateResourceConfigRequest {
                type_name,
                config,
                client_capabilities: CAPABILITIES
            })),
            Some(ComponentKind::DataSource) => {
                ask!(validate_data_resource_config(ValidateDataResourceConfigRequest { type_name, config }))
            }
            Some(ComponentKind::EphemeralResource) => {
                ask!(validate_ephemeral_resource_config(ValidateEphemeralResourceConfigRequest { type_name, config }))
            }
            Some(ComponentKind::Action) => {
                ask!(validate_action_config(ValidateActionConfigRequest { type_name, config }))
            }
            Some(ComponentKind::ListResource) => {
                let own = |name: &str| checked.own.attribute(name).cloned().map(DynamicValue::from).unwrap_or_default();
                let (include_resource_object, limit) = (own("include_resource"), own("limit"));
                ask!(validate_list_resource_config(ValidateListResourceConfigRequest {
                    type_name,
                    config,
                    include_resource_object,
                    limit
                }))
            }
            // A call is the only question that functions are asked.
            Some(ComponentKind::Function) => Diagnostics::new(),
        };
        self.learn_from(&diagnostics, &checked.config);
        Ok(diagnostics)
    }

    /// The errors among diagnostics as failures of properties. Warnings are passed on.
    pub(crate) fn told(&self, diagnostics: &Diagnostics) -> Vec<CheckFailure> {
        self.warn(diagnostics);
        let mut failures: Vec<CheckFailure> = Vec::new();
        for error in diagnostics.errors() {
            let text = self.worded(&diagnostic_text(error, &ObjectNames::default()));
            let failure = self.failure(&error.attribute, &text);
            // Some providers say the same for every part of a list.
            if !failures.contains(&failure) {
                failures.push(failure);
            }
        }
        failures
    }

    fn failure(&self, path: &Path, reason: &str) -> CheckFailure {
        failure(&self.fields().to_pulumi(path), reason)
    }
}

/// Takes out the inputs that the provider does not get.
pub(crate) fn take_own(inputs: &mut PropertyMap, own: &ObjectNames) -> PropertyMap {
    own.fields().filter_map(|field| inputs.remove_entry(&*field.pulumi)).collect()
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
