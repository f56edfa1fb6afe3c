//! The embedded provider as a plugin of each tool.

use std::sync::Arc;
use std::time::Duration;

use denobridge_core::Provider;
use denobridge_core::provider::Layered;
use denobridge_core::provider::reencode::Reencode;
use denobridge_framework::BuildError;
use denobridge_pulumi::{Ending, Invocation, Options};
use denobridge_terraform::{ServeError, ServeOptions};
use thiserror::Error;

use crate::packages::{Generic, VERSION};
use crate::scripted::{self, PROVIDER_NAME, Runtime, ScriptedOptions};

/// Where Terraform users find the provider. Configurations and states written for the provider of that address work
/// with this one, so it serves under the same.
pub const TERRAFORM_ADDRESS: &str = "registry.terraform.io/brad-jones/denobridge";

/// Set to anything: every value at the seam is encoded and decoded again. For tests.
const REENCODE: &str = "DENOBRIDGE_REENCODE";

/// How long scripts have to end after the Pulumi engine was killed: nobody is left to tell what they did.
const ORPHAN_GRACE: Duration = Duration::from_millis(300);

/// Why a plugin ended otherwise than asked to.
#[derive(Debug, Error)]
pub enum PluginError {
    /// The provider could not be put together.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Terraform's door could not be opened.
    #[error(transparent)]
    Terraform(#[from] ServeError),
    /// Pulumi's door could not be opened.
    #[error(transparent)]
    Pulumi(#[from] denobridge_pulumi::ServeError),
    /// The process was called by the name of a plugin that it is not.
    #[error("started as pulumi-resource-{0}, but this program is the Pulumi plugin `{PROVIDER_NAME}` only")]
    UnknownPlugin(String),
}

/// The embedded provider with the layers that this process wants around it.
///
/// # Errors
/// None that depends on input.
pub fn embedded(runtime: Runtime) -> Result<Arc<dyn Provider>, BuildError> {
    let provider = scripted::provider(ScriptedOptions { runtime, deno: None })?;
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

/// Serves the embedded provider to the Pulumi engine as the plugin `name`, until the engine ends it. `arguments` are those
/// of the process, without its name.
///
/// # Errors
/// This is no plugin of that name, or there is nowhere to listen.
pub async fn serve_pulumi(name: String, arguments: Vec<String>) -> Result<(), PluginError> {
    if name != PROVIDER_NAME {
        return Err(PluginError::UnknownPlugin(name));
    }
    let engine_address = match Invocation::of(&name, VERSION, &arguments) {
        Invocation::Serve { engine_address } => engine_address,
        Invocation::Show(text) => {
            print!("{text}");
            return Ok(());
        }
        Invocation::Refuse(text) => return Err(denobridge_pulumi::ServeError::Usage(text).into()),
    };
    let runtime = Runtime::default();
    let options = Options::new(name, VERSION, engine_address);
    let scripts = runtime.clone();
    let source = Arc::new(Generic::new(move || embedded(scripts.clone())));
    let served = denobridge_pulumi::serve_packages(options, source).await;
    match served {
        // Scripts that are left are killed when this process ends.
        Ok(Ending::EngineDied) => {
            let _ = tokio::time::timeout(ORPHAN_GRACE, runtime.shutdown()).await;
        }
        _ => runtime.shutdown().await,
    }
    served?;
    Ok(())
}
