//! The embedded provider as a plugin of each tool.

use std::sync::Arc;

use denobridge_core::Provider;
use denobridge_core::provider::Layered;
use denobridge_core::provider::reencode::Reencode;
use denobridge_framework::BuildError;
use denobridge_terraform::{ServeError, ServeOptions};
use thiserror::Error;

use crate::scripted::{self, Runtime, ScriptedOptions};

/// Where Terraform users find the provider. Configurations and states written for the provider of that address work
/// with this one, so it serves under the same.
pub const TERRAFORM_ADDRESS: &str = "registry.terraform.io/brad-jones/denobridge";

/// Set to anything: every value at the seam is encoded and decoded again. For tests.
const REENCODE: &str = "DENOBRIDGE_REENCODE";

/// Why a plugin ended otherwise than asked to.
#[derive(Debug, Error)]
pub enum PluginError {
    /// The provider could not be put together.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Terraform's door could not be opened.
    #[error(transparent)]
    Terraform(#[from] ServeError),
}

/// The embedded provider with the layers that this process wants around it.
///
/// # Errors
/// None that depends on input.
pub fn embedded(runtime: Runtime) -> Result<Arc<dyn Provider>, BuildError> {
    let provider = scripted::provider(ScriptedOptions { runtime })?;
    Ok(match std::env::var_os(REENCODE) {
        Some(_) => Arc::new(Layered(Reencode::new(provider))),
        None => provider,
    })
}

/// Serves the embedded provider to the Terraform that started this process, until that ends it.
///
/// # Errors
/// The host's environment makes no sense, or there is nowhere to listen.
pub async fn serve_terraform() -> Result<(), PluginError> {
    let runtime = Runtime::default();
    let served = denobridge_terraform::serve(embedded(runtime.clone())?, ServeOptions::new(TERRAFORM_ADDRESS)).await;
    runtime.shutdown().await;
    Ok(served?)
}

/// Serves the embedded provider to every Terraform that is told where it is, until an interrupt.
///
/// # Errors
/// There is nowhere to listen.
pub async fn serve_terraform_debug() -> Result<(), PluginError> {
    let runtime = Runtime::default();
    let provider = embedded(runtime.clone())?;
    let served = denobridge_terraform::serve_debug(provider, ServeOptions::new(TERRAFORM_ADDRESS)).await;
    runtime.shutdown().await;
    Ok(served?)
}
