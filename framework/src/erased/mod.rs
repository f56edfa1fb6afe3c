//! Components as the server sees them: object-safe, with a run-time schema, values in and values out.
//!
//! One trait per kind of component. Only the schema (or signature) and the work itself must be written; everything else
//! has a default that says so when it is missing.

mod action;
mod capability;
mod data_source;
mod ephemeral_resource;
mod function;
mod list_resource;
mod resource;
mod state_store;
mod upgrades;

pub use action::{ActionPlan, ErasedAction, Progress};
pub use capability::ErasedCapability;
pub(crate) use capability::unset_settings;
pub use data_source::{DataRead, ErasedDataSource};
pub use ephemeral_resource::{ErasedEphemeralResource, Opened, Renewed};
pub use function::{ErasedFunction, argument_error, async_function, function};
pub use list_resource::{ErasedListResource, Found, ListQuery, Listed};
pub use resource::{
    Create, Delete, ErasedResource, Import, ImportIdentity, ImportTarget, Move, MoveSource, Outcome, Read, Update,
    Upgrade, UpgradeIdentity,
};
pub use state_store::ErasedStateStore;
pub use upgrades::{StateUpgrades, UpgradeStep};
