//! Objects that were of another type, in another package: a program has made one of ours of it by an alias. The engine then
//! knows the object under its new name, and sends what the other type has stored of it.
//!
//! What was stored is told by its names, since a request does not say what the object was. The provider makes a state of its
//! own of it, as for Terraform's `moved` block. That state is written by an update, even where there is nothing to do:
//! programs would not find their outputs otherwise.

use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::planning::rules;
use denobridge_core::provider::{MoveResourceStateRequest, RawState};

use super::Operation;
use super::prior::Prior;
use crate::conventions::Conventions;
use crate::errors::Failure;
use crate::package::FormerType;
use crate::property_value::PropertyMap;
use crate::state;

impl Operation {
    /// The type that has stored these outputs, if it was not that of the resource.
    pub(super) fn former_type(&self, outputs: &PropertyMap) -> Option<&FormerType> {
        let is_of = |names: &denobridge_sdk_gen::ObjectNames| {
            outputs.keys().all(|name| name.starts_with("__") || names.by_pulumi(name).is_some())
        };
        let mut others = self.package.served.takes_over.iter();
        others.find(|other| !is_of(self.fields()) && is_of(&other.names.fields))
    }

    /// The state that the provider makes of what `former` has stored.
    pub(super) async fn take_over(&self, former: &FormerType, outputs: &PropertyMap) -> Result<Prior, Failure> {
        let stored = state::read(Conventions::Own, outputs, &former.names.fields)?;
        let identity = stored.kept.identity.unwrap_or_default();
        let raw_identity = match &identity.raw {
            serde_json::Value::Null => RawState::default(),
            raw => RawState { json: raw.to_string().into(), ..RawState::default() },
        };
        let request = MoveResourceStateRequest {
            source_provider_address: former.provider_address.clone(),
            source_type_name: former.names.type_name.to_string(),
            source_schema_version: stored.kept.schema_version,
            source_state: RawState { json: stored.raw, ..RawState::default() },
            target_type_name: Arc::clone(&self.type_name),
            source_private: stored.kept.private,
            source_identity: raw_identity,
            source_identity_schema_version: identity.schema_version,
        };
        let answer = self.ask(|provider, call| provider.move_resource_state(call, request)).await?;
        self.settle(&answer.diagnostics)?;
        let schema = self.schema()?;
        let value = self.decode(&answer.target_state, &schema.implied_type())?;
        self.require(&rules::moved_state(&schema.block, &value))?;
        let identity = self.required_identity(answer.target_identity.as_ref(), false)?;
        let private_is_secret = stored.kept.private_is_secret;
        Ok(Prior { value, private: answer.target_private, private_is_secret, identity })
    }

    /// A plan by which nothing changes, carried out: its state is written, and the provider is not asked.
    pub(super) fn written_anew(&self, prior: &Prior, config: &Value) -> Result<PropertyMap, Failure> {
        let value = self.marked(&prior.value, config, &prior.value);
        let applied = self.kept(&Prior { value, ..prior.clone() })?;
        if applied.left_out.is_empty() { Ok(applied.outputs) } else { Err(self.failed(&applied.left_out)) }
    }
}
