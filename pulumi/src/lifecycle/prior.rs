//! From stored outputs and a program's inputs to the values that requests carry.

use std::sync::Arc;

use bytes::Bytes;
use denobridge_core::CallError;
use denobridge_core::cty::{Value, json};
use denobridge_core::planning::rules;
use denobridge_core::provider::{RawState, UpgradeResourceStateRequest};
use denobridge_sdk_gen::PropertyPath;

use super::{Operation, ignored, stored_assets};
use crate::errors::Failure;
use crate::property_value::PropertyMap;
use crate::state::{self, StateError};
use crate::translate::{TranslateError, align, inputs, outputs};

/// A state, such as that before an operation, with what is kept beside it.
#[derive(Clone, Debug)]
pub(crate) struct Prior {
    pub(crate) value: Value,
    pub(crate) private: Bytes,
    /// See [`state::Kept::private_is_secret`].
    pub(crate) private_is_secret: bool,
    /// Its identity, as far as it is known, if the resource has one.
    pub(crate) identity: Option<Value>,
}

impl Prior {
    pub(crate) fn new(value: Value, private: Bytes) -> Self {
        Self { value, private, private_is_secret: false, identity: None }
    }
}

impl Operation {
    /// No state: the resource does not exist.
    pub(crate) fn nothing(&self) -> Result<Prior, Failure> {
        Ok(Prior::new(Value::null(self.schema()?.implied_type()), Bytes::new()))
    }

    /// Refuses what a newer version of the provider has stored: only it knows what is in there.
    pub(super) fn not_newer(&self, what: &str, stored: i64, ours: i64) -> Result<(), Failure> {
        if stored <= ours {
            return Ok(());
        }
        Err(self.failed(&[format!(
            "{what} was created by a newer provider version (its schema has version {stored}, this one's {ours}); use that \
             version of the provider or a newer one"
        )]))
    }

    /// The state that was stored as `outputs`, brought to the current schema by the provider.
    pub(crate) async fn prior(&self, outputs: &PropertyMap) -> Result<Prior, Failure> {
        if let Some(former) = self.former_type(outputs) {
            return self.take_over(former, outputs).await;
        }
        let stored = state::read(self.conventions(), outputs, self.fields())?;
        let schema = self.schema()?;
        self.not_newer("the stored state", stored.kept.schema_version, schema.version)?;
        let current = stored.kept.schema_version == schema.version;
        if current && let Some(problem) = stored.problems.first() {
            return Err(StateError::Output(problem.clone()).into());
        }
        let request = UpgradeResourceStateRequest {
            type_name: Arc::clone(&self.type_name),
            version: stored.kept.schema_version,
            raw_state: RawState { json: stored.raw.clone(), ..RawState::default() },
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
            None => json::decode(&stored.raw, &schema.implied_type()).map_err(StateError::Raw)?,
            Some(answer) => {
                self.settle(&answer.diagnostics)?;
                let value = self.decode(&answer.upgraded_state, &schema.implied_type())?;
                self.require(&rules::upgraded_state(&schema.block, &value))?;
                value
            }
        };
        let value = align::with_marks_of(&value, &stored.value);
        let state::Kept { private, private_is_secret, identity, .. } = stored.kept;
        let identity = self.stored_identity(identity).await?;
        Ok(Prior { value, private, private_is_secret, identity })
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
        self.take_unknown(&mut properties);
        let known = outputs::root(prior, self.fields());
        ignored::keep_ignored(&mut properties, &known, ignored, self.fields());
        stored_assets::restore(&mut properties, &known);
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
