//! What a script is told once, when its process has started.
//!
//! A script that answers `health` with `"configure": true` gets one call of `configure` before any other. Others get none, so
//! that scripts written before there was such a call never meet it.

use denobridge_core::mask::Secrets;
use serde_json::{Value, json};

/// The params of `configure`, the same for all processes of a pool.
#[derive(Clone)]
pub struct Configuration {
    /// Sent as it is; must be an object.
    pub params: Value,
    /// Texts in it that must not show up in logs and errors.
    pub secrets: Secrets,
}

impl Default for Configuration {
    /// For those who have nothing to say: a script that wants to be configured learns just that.
    fn default() -> Self {
        Self { params: json!({ "config": null, "sensitiveConfig": null }), secrets: Secrets::default() }
    }
}

impl std::fmt::Debug for Configuration {
    /// Without the values, which may be secret.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Configuration").finish_non_exhaustive()
    }
}
