//! From stored outputs and a program's inputs to the values that requests carry.

use std::sync::Arc;

use bytes::Bytes;
use denobridge_core::CallError;
use denobridge_core::cty::{Value, json};
use denobridge_core::planning::rules;
use denobridge_core::provider::{RawState, UpgradeResourceStateRequest};
use denobridge_sdk_gen::{ObjectNames, PropertyPath};
use serde_json::{Map, Value as Json};

use super::{Operation, edit};
use crate::errors::Failure;
use crate::property_value::{PropertyMap, PropertyValue};
use crate::state::{self, StateError, Stored};
use crate::translate::{TranslateError, align, inputs, outputs};

/// The state before an operation.
#[derive(Clone, Debug)]
pub(crate) struct Prior {
    pub(crate) value: Value,
    pub(crate) private: Bytes,
    /// See [`state::Kept::private_is_secret`].
    pub(crate) private_is_secret: bool,
}

impl Prior {
    pub(crate) fn new(value: Value, private: Bytes) -> Self {
        Self { value, private, private_is_secret: false }
    }
}

impl Operation {
    /// No state: the resource does not exist.
    pub(crate) fn nothing(&self) -> Result<Prior, Failure> {
        Ok(Prior::new(Value::null(self.schema()?.implied_type()), Bytes::new()))
    }

    /// The state that was stored as `outputs`, brought to the current schema by the provider.
    pub(crate) async fn prior(&self, outputs: &PropertyMap) -> Result<Prior, Failure> {
        let stored = state::read(outputs, self.fields())?;
        let schema = self.schema()?;
        if stored.kept.schema_version > schema.version {
            return Err(self.failed(&[format!(
                "the stored state was written by a newer version of the provider (schema version {}, this one has {}); \
                 use that version or a newer one",
                stored.kept.schema_version, schema.version
            )]));
        }
        let current = stored.kept.schema_version == schema.version;
        if current && let Some(problem) = stored.problems.first() {
            return Err(StateError::Output(problem.clone()).into());
        }
        let raw = raw_state(outputs, self.fields(), &stored)
            .map_err(|error| Failure::Bridge(format!("stored outputs have no JSON form: {error}")))?;
        let request = UpgradeResourceStateRequest {
            type_name: Arc::clone(&self.type_name),
            version: stored.kept.schema_version,
            raw_state: RawState { json: raw.into(), ..RawState::default() },
        };
        let answer = self.ask(|provider, call| {
            let answer = provider.upgrade_resource_state(call, request);
            async move {
                match answer.await {
                    // A provider without this procedure has only ever had one version.
                    Err(CallError::Unimplemented { .. }) if current => Ok(None),
                    other => other.map(Some),
                }
            }
        });
        let value = match answer.await? {
            None => stored.value,
            Some(answer) => {
                self.settle(&answer.diagnostics)?;
                let value = self.decode(&answer.upgraded_state, &schema.implied_type())?;
                self.require(&rules::upgraded_state(&schema.block, &value))?;
                align::with_marks_of(&value, &stored.value)
            }
        };
        Ok(Prior { private_is_secret: stored.kept.private_is_secret, ..Prior::new(value, stored.kept.private) })
    }

    /// The configuration that a program's inputs make. What is wrong with them is reported per property.
    pub(crate) fn config(&self, properties: &PropertyMap) -> (Value, Vec<TranslateError>) {
        inputs::root(properties, self.fields(), inputs::Origin::Program)
    }

    /// The configuration that checked inputs make, where there may be a prior state to compare with: properties that
    /// the user wants ignored keep their value, and what inputs cannot carry comes from the state.
    pub(crate) fn config_over(
        &self,
        mut properties: PropertyMap,
        prior: &Value,
        ignored: &[PropertyPath],
    ) -> Result<Value, Failure> {
        let known = outputs::root(prior, self.fields());
        edit::keep_ignored(&mut properties, &known, ignored, self.fields());
        edit::restore_assets(&mut properties, &known);
        let (config, errors) = self.config(&properties);
        if !errors.is_empty() {
            let reasons: Vec<_> = errors.iter().map(|error| format!("property `{}`: {error}", error.path())).collect();
            return Err(self.failed(&reasons));
        }
        Ok(self.fields().fields().fold(config, |config, field| {
            match (config.attribute(&field.terraform), prior.attribute(&field.terraform)) {
                (Some(value), Some(prior)) if !value.is_null() => {
                    let aligned = align::with_prior(value, prior);
                    config.with_attribute(Arc::clone(&field.terraform), aligned)
                }
                _ => config,
            }
        }))
    }
}

/// The stored state as JSON in Terraform's names. State of an older schema may hold what the current one does not know:
/// that is passed on by its nearest Terraform name, for the provider to make sense of.
fn raw_state(outputs: &PropertyMap, names: &ObjectNames, stored: &Stored) -> Result<Vec<u8>, json::JsonError> {
    let unreadable = |name: &str| stored.problems.iter().any(|problem| problem.path().first_property() == Some(name));
    let mut raw = Map::new();
    for field in names.fields() {
        let json = match (stored.value.attribute(&field.terraform), outputs.get(&*field.pulumi)) {
            (_, Some(property)) if unreadable(&field.pulumi) => natural(property),
            (Some(value), _) => json::to_json(&value.clone().without_marks_deep(), &field.ty)?,
            (None, _) => Json::Null,
        };
        raw.insert(field.terraform.to_string(), json);
    }
    for (name, property) in outputs {
        if !name.starts_with("__") && names.by_pulumi(name).is_none() {
            raw.entry(snake_case(name)).or_insert_with(|| natural(property));
        }
    }
    Ok(Json::Object(raw).to_string().into_bytes())
}

fn natural(property: &PropertyValue) -> Json {
    match property.plain() {
        PropertyValue::Bool(value) => Json::Bool(*value),
        PropertyValue::Number(double) => inputs::exact(*double)
            .and_then(|number| serde_json::from_str(&number.to_string()).ok())
            .unwrap_or(Json::Null),
        PropertyValue::String(text) => Json::String(text.clone()),
        PropertyValue::Array(items) => Json::Array(items.iter().map(natural).collect()),
        PropertyValue::Object(entries) => {
            Json::Object(entries.iter().map(|(name, value)| (name.clone(), natural(value))).collect())
        }
        _ => Json::Null,
    }
}

fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}
