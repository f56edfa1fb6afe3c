//! The same conversions seen from the other side, for when we are the host: the seam's requests to protocol 6 messages, and
//! a provider's answers back.
//!
//! Requests need the types that a provider's schema gives their values; answers stay encoded until somebody reads them.

mod action;
mod component;
mod diagnostics;
mod function;
mod list;
mod provider;
mod resource;
mod schema;
mod state_store;

pub(crate) use action::{invoke_action, invoke_action_event, plan_action, validate_action_config};
pub(crate) use component::{
    close_ephemeral_resource, open_ephemeral_resource, read_data_source, renew_ephemeral_resource,
    validate_data_resource_config, validate_ephemeral_resource_config,
};
pub(crate) use diagnostics::from_wire as diagnostics;
pub(crate) use function::call_function;
pub(crate) use list::{list_resource, list_resource_event, validate_list_resource_config};
pub(crate) use provider::{configure_provider, validate_provider_config};
pub(crate) use resource::{
    apply_resource_change, generate_resource_config, import_resource_state, move_resource_state, plan_resource_change,
    read_resource, upgrade_resource_identity, upgrade_resource_state, validate_resource_config,
};
pub(crate) use schema::provider_schema;
pub(crate) use state_store::{
    configure_state_store, delete_state, get_states, lock_state, read_state_bytes, read_state_chunk, unlock_state,
    validate_state_store_config, write_state_chunks,
};

use std::sync::Arc;

use bytes::Bytes;
use denobridge_core::cty::Type;
use denobridge_core::provider::{ClientCapabilities, Deferred, RawState, ServerCapabilities};
use denobridge_core::{CallError, DynamicValue};

use super::Component;
use crate::proto::tfplugin6 as pb;

/// The types of what a request about one component holds.
pub(crate) struct Types {
    /// The component's own.
    pub component: Arc<Component>,
    /// That of the `provider_meta` block, where the provider has one.
    pub meta: Option<Type>,
}

impl Types {
    /// A configuration or state of the component.
    fn value(&self, value: &DynamicValue, what: &str) -> Result<Option<pb::DynamicValue>, CallError> {
        encode(value, &self.component.ty, what)
    }

    /// The identity; `None` where the resource has none or none is known.
    fn identity(&self, identity: Option<&DynamicValue>) -> Result<Option<pb::ResourceIdentityData>, CallError> {
        let (Some(identity), Some(ty)) = (identity, &self.component.identity) else { return Ok(None) };
        Ok(Some(pb::ResourceIdentityData { identity_data: encode(identity, ty, "resource identity")? }))
    }

    /// The `provider_meta` block. Terraform core sends none to a provider that has no schema for it.
    fn meta(&self, meta: &DynamicValue) -> Result<Option<pb::DynamicValue>, CallError> {
        let Some(ty) = &self.meta else { return Ok(None) };
        encode(meta, ty, "provider_meta block")
    }
}

/// Encodes `value` of type `ty`. What does not fit never reaches the provider.
fn encode(value: &DynamicValue, ty: &Type, what: &str) -> Result<Option<pb::DynamicValue>, CallError> {
    let msgpack = value.to_msgpack(ty).map_err(|error| CallError::Internal {
        message: format!("the {what} does not fit the provider's schema: {error}"),
    })?;
    Ok(Some(pb::DynamicValue { msgpack, json: Bytes::new() }))
}

fn client_capabilities(capabilities: ClientCapabilities) -> Option<pb::ClientCapabilities> {
    Some(pb::ClientCapabilities {
        deferral_allowed: capabilities.deferral_allowed,
        write_only_attributes_allowed: capabilities.write_only_attributes_allowed,
        store_planned_private: capabilities.store_planned_private,
        computed_blocks_allowed: capabilities.computed_blocks_allowed,
    })
}

fn server_capabilities(capabilities: Option<pb::ServerCapabilities>) -> ServerCapabilities {
    let capabilities = capabilities.unwrap_or_default();
    ServerCapabilities {
        plan_destroy: capabilities.plan_destroy,
        get_provider_schema_optional: capabilities.get_provider_schema_optional,
        move_resource_state: capabilities.move_resource_state,
        generate_resource_config: capabilities.generate_resource_config,
    }
}

fn deferred(deferred: Option<pb::Deferred>) -> Option<Deferred> {
    use pb::deferred::Reason;
    // A reason from a later protocol is one that we cannot name.
    Some(match deferred?.reason() {
        Reason::Unknown => Deferred::Unknown,
        Reason::ResourceConfigUnknown => Deferred::ResourceConfigUnknown,
        Reason::ProviderConfigUnknown => Deferred::ProviderConfigUnknown,
        Reason::AbsentPrereq => Deferred::AbsentPrerequisite,
    })
}

fn raw_state(state: RawState) -> Option<pb::RawState> {
    Some(pb::RawState { json: state.json, flatmap: state.flatmap })
}
