//! A capability: a part of a provider with settings of its own.

use std::sync::Arc;

use denobridge_core::Diagnostics;
use denobridge_core::cty::Value;
use denobridge_core::schema::Block;

/// A part of a provider that is there or not, depending on whether its settings are made. Its settings become part of the
/// provider's configuration, and components can belong to it. Components of a capability that is not configured stay in
/// the schema, and fail with a message that names the missing settings.
pub trait ErasedCapability: Send + Sync {
    /// The attributes and blocks that it adds to the provider's configuration. Asked for once.
    fn settings(&self) -> Block;

    /// Checks the provider's configuration, which may have unknown parts. Called after the schema's own checks.
    fn validate(&self, config: &Value) -> Diagnostics {
        let _ = config;
        Diagnostics::new()
    }

    /// The settings without which its components cannot work and which the provider's configuration leaves out. By itself,
    /// all that [`ErasedCapability::settings`] has and `config` has not.
    fn missing_settings(&self, config: &Value) -> Vec<Arc<str>> {
        unset_settings(&self.settings(), config)
    }

    /// Whether its components can work.
    fn is_configured(&self, config: &Value) -> bool {
        self.missing_settings(config).is_empty()
    }
}

/// The settings that a provider's configuration leaves out.
pub(crate) fn unset_settings(settings: &Block, config: &Value) -> Vec<Arc<str>> {
    let attributes = settings.attributes.iter().map(|attribute| &attribute.name);
    let blocks = settings.blocks.iter().map(|nested| &nested.name);
    attributes.chain(blocks).filter(|name| is_unset(config.attribute(name))).cloned().collect()
}

/// Whether there is nothing: null, or no block.
fn is_unset(value: Option<&Value>) -> bool {
    value.is_none_or(|value| value.is_null() || value.as_elements().is_some_and(<[Value]>::is_empty))
}
