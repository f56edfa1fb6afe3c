//! What a provider written in Rust needs: `use denobridge_framework::prelude::*;`.

pub use denobridge_core::cty::{Number, Path, Value};
pub use denobridge_core::{Diagnostic, Diagnostics};
pub use denobridge_framework_macros::{
    action, capability, data_source, ephemeral_resource, function, list_resource, resource, state_store,
};

pub use crate::context::Context;
pub use crate::explained;
pub use crate::model::{Model, ModelValue, Secret, Tf, ToValue};
pub use crate::plan::PlanKind;
pub use crate::provider::{BuildError, ProviderBuilder};
pub use crate::typed::{
    Action, Asked, Capability, Change, Closing, Configuration, DataSource, EphemeralResource, Failure, Find, Function,
    FunctionFailure, Identity, Invocation, ListResource, Moves, Opening, Outcome, Planned, Planning, Removed, Renewing,
    Resource, Search, Sought, StateStore, Stored, Upgrades,
};
