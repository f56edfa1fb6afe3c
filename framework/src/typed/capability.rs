//! A capability, with types.

use std::sync::Arc;

use denobridge_core::Diagnostics;
use denobridge_core::cty::Value;
use denobridge_core::schema::Block;

use super::failure::Failure;
use super::values;
use crate::erased::{ErasedCapability, unset_settings};
use crate::model::Model;

/// A part of a provider with settings of its own, which become part of the provider's configuration. It is configured or
/// not, and its components work only when it is; see [`crate::ProviderBuilder::component_of`]. The provider's configure
/// function reads the settings with [`super::Configuration::settings`].
pub trait Capability: Send + Sync + 'static {
    /// The settings. What is `required` must be set whether or not the capability is used, so most are optional.
    type Settings: Model;

    /// Checks the settings; called often, so it must be quick and not look at the outside world. Not called while a part is
    /// unknown that the model has no room for.
    ///
    /// # Errors
    /// The settings are not accepted.
    fn validate(&self, settings: &Self::Settings) -> Result<(), Failure> {
        let _ = settings;
        Ok(())
    }

    /// The settings that its components need; all of them, unless this says otherwise. It is configured when none of these
    /// is left out.
    fn needed(&self) -> Vec<&'static str> {
        Vec::new()
    }
}

/// A typed capability as the server sees it.
pub(super) struct Bridge<C>(pub C);

impl<C: Capability> ErasedCapability for Bridge<C> {
    fn settings(&self) -> Block {
        C::Settings::definition().build()
    }

    fn validate(&self, config: &Value) -> Diagnostics {
        values::validated(config, |settings| self.0.validate(settings))
    }

    fn missing_settings(&self, config: &Value) -> Vec<Arc<str>> {
        let needed = self.0.needed();
        let mut missing = unset_settings(&self.settings(), config);
        if !needed.is_empty() {
            missing.retain(|name| needed.contains(&&**name));
        }
        missing
    }
}
