//! The embedded provider as a plugin of each tool.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use denobridge_core::Provider;
use denobridge_core::provider::Layered;
use denobridge_core::provider::reencode::Reencode;
use denobridge_framework::BuildError;
use denobridge_pulumi::{Ending, Invocation, Options};
use denobridge_registry::Environment;
use denobridge_terraform::{ServeError, ServeOptions};
use thiserror::Error;

use crate::bridged::{Bridge, PluginIdentity};
use crate::packages::{Packages, Unparameterized, VERSION};
use crate::recording::{self, RecordError, recorded};
use crate::scripted::{self, PROVIDER_NAME, Runtime, ScriptedOptions};

/// Where Terraform users find the provider. Configurations and states written for the provider of that address work
/// with this one, so it serves under the same.
pub const TERRAFORM_ADDRESS: &str = "registry.terraform.io/brad-jones/denobridge";

/// Names of Pulumi's own plugin for any Terraform provider, whose place we can take.
pub const GO_PLUGIN_NAMES: [&str; 2] = ["terraform-provider", "terraform-bridge"];

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
    /// What passes cannot be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The process was called by the name of a plugin that it is not.
    #[error("started as pulumi-resource-{0}, but this program is a Pulumi plugin as {PROVIDER_NAME}, {others} only", others = GO_PLUGIN_NAMES.join(", "))]
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
    let provider = recorded(embedded(runtime.clone())?, recording::from_environment("terraform", None)?.as_ref());
    let served = denobridge_terraform::serve(provider, ServeOptions::new(TERRAFORM_ADDRESS)).await;
    runtime.shutdown().await;
    Ok(served?)
}

/// Serves the embedded provider to every Terraform that is told where it is, until an interrupt.
///
/// # Errors
/// There is nowhere to listen.
pub async fn serve_terraform_debug() -> Result<(), PluginError> {
    let runtime = Runtime::default();
    let provider = recorded(embedded(runtime.clone())?, recording::from_environment("terraform", None)?.as_ref());
    let served = denobridge_terraform::serve_debug(provider, ServeOptions::new(TERRAFORM_ADDRESS)).await;
    runtime.shutdown().await;
    Ok(served?)
}

/// Serves the packages of the plugin `name` to the Pulumi engine, until the engine ends it. `arguments` are those of the
/// process, without its name.
///
/// # Errors
/// This is no plugin of that name, or there is nowhere to listen.
pub async fn serve_pulumi(name: String, arguments: Vec<String>) -> Result<(), PluginError> {
    let plugin = PluginIdentity { version: plugin_version(&name), name };
    let engine_address = match Invocation::of(&plugin.name, &plugin.version, &arguments) {
        Invocation::Serve { engine_address } => engine_address,
        Invocation::Show(text) => {
            print!("{text}");
            return Ok(());
        }
        Invocation::Refuse(text) => return Err(denobridge_pulumi::ServeError::Usage(text).into()),
    };
    let runtime = Runtime::default();
    let recorder = recording::from_environment("pulumi", Some(&plugin))?;
    let unparameterized = match plugin.name.as_str() {
        PROVIDER_NAME => {
            let (scripts, recorder) = (runtime.clone(), recorder.clone());
            Unparameterized::scripts(move || {
                Ok::<_, BuildError>(recorded(embedded(scripts.clone())?, recorder.as_ref()))
            })
        }
        name if GO_PLUGIN_NAMES.contains(&name) => Unparameterized::AnyProvider(plugin.clone()),
        _ => return Err(PluginError::UnknownPlugin(plugin.name)),
    };
    let options = Options::new(&plugin.name, &plugin.version, engine_address);
    let options = Options { recorder: recorder.clone(), ..options };
    let bridge = Arc::new(Bridge::new(plugin, Environment::of_process()).recorded_by(recorder));
    let source = Arc::new(Packages::new(unparameterized, Arc::clone(&bridge)));
    let served = denobridge_pulumi::serve_packages(options, source).await;
    let shutdown = futures::future::join(runtime.shutdown(), bridge.shutdown());
    match served {
        // Scripts and providers that are left are killed when this process ends.
        Ok(Ending::EngineDied) => {
            let _ = tokio::time::timeout(ORPHAN_GRACE, shutdown).await;
        }
        _ => drop(shutdown.await),
    }
    served?;
    Ok(())
}

/// The version that this process is as a plugin: the one of its folder where Pulumi has installed it under a name of the Go
/// plugin, since SDKs name the version that they were made with and Pulumi looks for that folder; ours everywhere else.
fn plugin_version(name: &str) -> String {
    let program = std::env::current_exe().ok().filter(|_| GO_PLUGIN_NAMES.contains(&name));
    program.as_deref().and_then(|program| installed_version(name, program)).unwrap_or_else(|| VERSION.to_owned())
}

/// The version in `…/resource-NAME-vVERSION/pulumi-resource-NAME`.
fn installed_version(name: &str, program: &Path) -> Option<String> {
    let folder = program.parent()?.file_name()?.to_str()?;
    let version = folder.strip_prefix("resource-")?.strip_prefix(name)?.strip_prefix("-v")?;
    semver::Version::parse(version).ok().map(|version| version.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installed_plugin_has_the_version_of_its_folder() {
        let version = |path: &str| installed_version("terraform-provider", Path::new(path));
        let installed =
            "/home/ada/.pulumi/plugins/resource-terraform-provider-v0.9.1/pulumi-resource-terraform-provider";
        assert_eq!(version(installed).as_deref(), Some("0.9.1"));
        for other in [
            "/usr/bin/pulumi-resource-terraform-provider",
            "/plugins/resource-terraform-provider-v1/pulumi-resource-terraform-provider",
            "/plugins/resource-terraform-bridge-v0.9.1/pulumi-resource-terraform-provider",
            "pulumi-resource-terraform-provider",
        ] {
            assert_eq!(version(other), None, "{other}");
        }
    }
}
