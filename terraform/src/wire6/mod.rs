//! Protocol 6 messages to the seam's requests and back, one module per part of the protocol. By hand, so that neither side
//! can change unnoticed by the other.

mod action;
mod component;
mod data_source;
mod diagnostics;
mod ephemeral;
mod function;
pub(crate) mod host;
mod list;
mod provider;
mod resource;
mod schema;
mod state_store;
mod value;

pub(crate) use action::{completed, invoke_action_event};
pub(crate) use component::{Component, ComponentKind, Components};
pub(crate) use data_source::read_data_source;
pub(crate) use diagnostics::to_wire as diagnostics;
pub(crate) use ephemeral::{open_ephemeral_resource, renew_ephemeral_resource};
pub(crate) use function::call_function;
pub(crate) use list::list_resource_event;
pub(crate) use provider::{get_metadata, metadata_of};
pub(crate) use resource::{
    apply_resource_change, generate_resource_config, import_resource_state, move_resource_state, plan_resource_change,
    read_resource, upgrade_resource_identity, upgrade_resource_state,
};
pub(crate) use schema::{functions, identity_schemas, provider_schema};
pub(crate) use state_store::{read_state_chunk, written_chunks};

use denobridge_core::provider::{ClientCapabilities, Deferred, RawState, ServerCapabilities};

use crate::proto::tfplugin6 as pb;

fn client_capabilities(capabilities: Option<pb::ClientCapabilities>) -> ClientCapabilities {
    let capabilities = capabilities.unwrap_or_default();
    ClientCapabilities {
        deferral_allowed: capabilities.deferral_allowed,
        write_only_attributes_allowed: capabilities.write_only_attributes_allowed,
        store_planned_private: capabilities.store_planned_private,
        computed_blocks_allowed: capabilities.computed_blocks_allowed,
    }
}

fn server_capabilities(capabilities: ServerCapabilities) -> pb::ServerCapabilities {
    pb::ServerCapabilities {
        plan_destroy: capabilities.plan_destroy,
        get_provider_schema_optional: capabilities.get_provider_schema_optional,
        move_resource_state: capabilities.move_resource_state,
        generate_resource_config: capabilities.generate_resource_config,
    }
}

fn deferred(deferred: Option<Deferred>) -> Option<pb::Deferred> {
    use pb::deferred::Reason;
    let reason = match deferred? {
        Deferred::Unknown => Reason::Unknown,
        Deferred::ResourceConfigUnknown => Reason::ResourceConfigUnknown,
        Deferred::ProviderConfigUnknown => Reason::ProviderConfigUnknown,
        Deferred::AbsentPrerequisite => Reason::AbsentPrereq,
    };
    Some(pb::Deferred { reason: reason.into() })
}

fn raw_state(state: Option<pb::RawState>) -> RawState {
    let state = state.unwrap_or_default();
    RawState { json: state.json, flatmap: state.flatmap }
}
