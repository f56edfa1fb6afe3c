//! Requests and responses of the seam: protocol 6.11 with our own types.
//!
//! Where the protocol has a field we use its meaning and, but for words it shortens, its name. `type_name` is always
//! Terraform's name of the component (`denobridge_resource`).

mod action;
mod data_source;
mod ephemeral_resource;
mod function;
mod list_resource;
mod provider;
mod resource;
mod state_store;

use std::collections::BTreeMap;

use bytes::Bytes;

pub use action::*;
pub use data_source::*;
pub use ephemeral_resource::*;
pub use function::*;
pub use list_resource::*;
pub use provider::*;
pub use resource::*;
pub use state_store::*;

/// What the asker can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientCapabilities {
    /// The provider may answer that it cannot yet say ([`Deferred`]).
    pub deferral_allowed: bool,
    /// Write-only attributes may be in schemas.
    pub write_only_attributes_allowed: bool,
    /// Planned private data is handed back to the apply-time plan.
    pub store_planned_private: bool,
    /// Computed blocks may be in schemas.
    pub computed_blocks_allowed: bool,
}

/// What the provider can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerCapabilities {
    /// Wants to plan deletions too.
    pub plan_destroy: bool,
    /// Works although the schema was not asked for first.
    pub get_provider_schema_optional: bool,
    /// Can take over the state of other resource types.
    pub move_resource_state: bool,
    /// Can write configuration for existing objects.
    pub generate_resource_config: bool,
}

/// Why a provider cannot say yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deferred {
    /// No reason given.
    Unknown,
    /// The resource's configuration has unknown values.
    ResourceConfigUnknown,
    /// The provider's configuration has unknown values.
    ProviderConfigUnknown,
    /// Something that must exist first does not.
    AbsentPrerequisite,
}

/// State as stored, before its schema version is known to be current.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawState {
    /// JSON; empty when the state is in `flatmap`.
    pub json: Bytes,
    /// The form of Terraform before 0.12.
    pub flatmap: BTreeMap<String, String>,
}
