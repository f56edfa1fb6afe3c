//! What a provider written in Rust needs: `use denobridge_framework::prelude::*;`.

pub use denobridge_core::cty::{Number, Path, Value};
pub use denobridge_core::{Diagnostic, Diagnostics};
pub use denobridge_framework_macros::resource;

pub use crate::context::Context;
pub use crate::model::{Model, ModelValue, Secret, Tf, ToValue};
pub use crate::plan::PlanKind;
pub use crate::provider::{BuildError, ProviderBuilder};
pub use crate::typed::{Change, Failure, Outcome, Planned, Planning, Removed, Resource, Stored};
