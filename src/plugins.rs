//! The embedded provider as a plugin of each tool.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use denobridge_core::Provider;
use denobridge_core::provider::Layered;
use denobridge_core::provider::reencode::Reencode;
use denobridge_framework::BuildError;
use denobridge_integrations::protocol::{HostKind, ShutdownReason};
use denobridge_pulumi::{Ending, Invocation, Options, PackageSource};
use denobridge_registry::Environment;
use denobridge_terraform::{ServeError, ServeOptions};
use thiserror::Error;

use crate::bridged::{Bridge, PluginIdentity};
use crate::layers::{Layers, LayersError};
use crate::packages::{Packages, Unparameterized, VERSION, generic_resource};
use crate::scripted::{self, PROVIDER_NAME, Runtime, ScriptedOptions};
use crate::sidecar::SidecarError;
use crate::typed::{self, RecordedScripts, Release, ScriptPackages, TypedError};
use crate::wrapped::{self, WrapError, Wrapped};

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
    /// What is to be around every provider cannot be had.
    #[error(transparent)]
    Layers(#[from] LayersError),
    /// What stands beside the executable cannot be used.
    #[error(transparent)]
    Sidecar(#[from] SidecarError),
    /// Nobody could stand before a provider.
    #[error(transparent)]
    Wrapped(#[from] WrapError),
    /// The scripts that the program was released with make no provider.
    #[error(transparent)]
    Typed(#[from] TypedError),
    /// The process was called by the name of a plugin that it is not.
    #[error("started as pulumi-resource-{0}, but this program is a Pulumi plugin as {PROVIDER_NAME}, {others} only; a package of scripts that `denobridge build` has made needs the file {sidecar} beside it", others = GO_PLUGIN_NAMES.join(", "), sidecar = Release::file_name(_0))]
    UnknownPlugin(String),
}

/// The embedded provider with the layers that this process wants around it.
///
/// # Errors
/// None that depends on input.
pub fn embedded(runtime: Runtime) -> Result<Arc<dyn Provider>, BuildError> {
    scripted::provider(ScriptedOptions { runtime, deno: None }).map(layered)
}

/// A provider of ours with the layers that this process wants around it.
pub(crate) fn layered(provider: Arc<dyn Provider>) -> Arc<dyn Provider> {
    match std::env::var_os(REENCODE) {
        Some(_) => Arc::new(Layered(Reencode::new(provider))),
        None => provider,
    }
}

/// What this process is to Terraform, with its layers, and its address: the scripts that it was released with, or any script.
fn served_to_terraform(runtime: Runtime, layers: &Layers) -> Result<(Arc<dyn Provider>, String), PluginError> {
    Ok(match Release::of_process()? {
        Some(release) => {
            note(&release, layers);
            (layers.around(released(&release, runtime)?, &release.address), release.address)
        }
        None => (layers.around_embedded(embedded(runtime)?, TERRAFORM_ADDRESS), TERRAFORM_ADDRESS.to_owned()),
    })
}

/// Records what the process was released with, if anything is recorded.
fn note(release: &Release, layers: &Layers) {
    if let Some(recorder) = layers.recorder() {
        RecordedScripts::from(release).note(recorder);
    }
}

fn released(release: &Release, runtime: Runtime) -> Result<Arc<dyn Provider>, TypedError> {
    typed::provider(&release.package, ScriptedOptions { runtime, deno: None }).map(layered)
}

/// Serves the provider to the Terraform that started this process, until that ends it.
///
/// # Errors
/// The host's environment makes no sense, or there is nowhere to listen.
pub async fn serve_terraform() -> Result<(), PluginError> {
    if let Some(wrapped) = Wrapped::of_process()? {
        return Ok(wrapped::serve(wrapped).await?);
    }
    let runtime = Runtime::default();
    let layers = Layers::of_process(HostKind::Terraform, None)?;
    let (provider, address) = served_to_terraform(runtime.clone(), &layers)?;
    let farewell = layers.clone();
    let options = ServeOptions::new(address).with_farewell(Arc::new(move || {
        let layers = farewell.clone();
        Box::pin(async move { layers.end(ShutdownReason::Complete).await })
    }));
    let served = denobridge_terraform::serve(provider, options).await;
    layers.end(ShutdownReason::Interrupted).await;
    runtime.shutdown().await;
    Ok(served?)
}

/// Serves the provider to every Terraform that is told where it is, until an interrupt.
///
/// # Errors
/// There is nowhere to listen.
pub async fn serve_terraform_debug() -> Result<(), PluginError> {
    let runtime = Runtime::default();
    let layers = Layers::of_process(HostKind::Terraform, None)?;
    let (provider, address) = served_to_terraform(runtime.clone(), &layers)?;
    let served = denobridge_terraform::serve_debug(provider, ServeOptions::new(address)).await;
    layers.end(ShutdownReason::Complete).await;
    runtime.shutdown().await;
    Ok(served?)
}

/// Serves the packages of the plugin `name` to the Pulumi engine, until the engine ends it. `arguments` are those of the
/// process, without its name.
///
/// # Errors
/// This is no plugin of that name, or there is nowhere to listen.
pub async fn serve_pulumi(name: String, arguments: Vec<String>) -> Result<(), PluginError> {
    let is_any = name == PROVIDER_NAME || GO_PLUGIN_NAMES.contains(&name.as_str());
    let release =
        if is_any { None } else { Some(Release::of_process()?.ok_or(PluginError::UnknownPlugin(name.clone()))?) };
    let version = release.as_ref().map_or_else(|| plugin_version(&name), |release| release.package.version.clone());
    let plugin = PluginIdentity { version, name };
    let engine_address = match Invocation::of(&plugin.name, &plugin.version, &arguments) {
        Invocation::Serve { engine_address } => engine_address,
        Invocation::Show(text) => {
            print!("{text}");
            return Ok(());
        }
        Invocation::Refuse(text) => return Err(denobridge_pulumi::ServeError::Usage(text).into()),
    };
    let layers = Layers::of_process(HostKind::Pulumi, Some(&plugin))?;
    let options = Options::new(&plugin.name, &plugin.version, engine_address);
    let options = Options { recorder: layers.recorder().cloned(), ..options };
    match release {
        Some(release) => serve_release(release, options, layers).await,
        None => serve_any(plugin, options, layers).await,
    }
}

/// Serves any script, any package of scripts and any Terraform provider, as far as the plugin is for them.
async fn serve_any(plugin: PluginIdentity, options: Options, layers: Layers) -> Result<(), PluginError> {
    let runtime = Runtime::default();
    let (unparameterized, scripts) = if plugin.name == PROVIDER_NAME {
        let packages = ScriptPackages::new(plugin.clone(), Environment::of_process(), runtime.clone());
        let (runtime, layers) = (runtime.clone(), layers.clone());
        let packages = packages.within(layers.clone());
        let unparameterized = Unparameterized::scripts(move || {
            Ok::<_, BuildError>(layers.around_embedded(embedded(runtime.clone())?, TERRAFORM_ADDRESS))
        });
        (unparameterized, Some(packages))
    } else {
        (Unparameterized::AnyProvider(plugin.clone()), None)
    };
    let bridge = Arc::new(Bridge::new(plugin, Environment::of_process()).within(layers.clone()));
    let source = Arc::new(Packages::new(unparameterized, Arc::clone(&bridge), scripts));
    let shutdown = async {
        // Before what they are asked about is gone.
        layers.end(ShutdownReason::Complete).await;
        futures::future::join(runtime.shutdown(), bridge.shutdown()).await;
    };
    serve_source(options, source, shutdown).await
}

/// Serves the scripts that this process was released with.
async fn serve_release(release: Release, options: Options, layers: Layers) -> Result<(), PluginError> {
    let runtime = Runtime::default();
    let scripts = runtime.clone();
    let described = release.package_options()?;
    note(&release, &layers);
    let package = denobridge_pulumi::plugin(&release.package.name, &release.package.version)
        .describe(|package| *package = described)
        .takes_over(generic_resource().into_iter().collect());
    let around = layers.clone();
    let source = package.source_of_each(move || {
        Ok::<_, TypedError>(around.around(released(&release, scripts.clone())?, &release.address))
    });
    let shutdown = async {
        layers.end(ShutdownReason::Complete).await;
        runtime.shutdown().await;
    };
    serve_source(options, Arc::new(source), shutdown).await
}

/// Serves packages, and ends what they have started.
async fn serve_source(
    options: Options,
    source: Arc<dyn PackageSource>,
    shutdown: impl Future<Output = ()>,
) -> Result<(), PluginError> {
    match denobridge_pulumi::serve_packages(options, source).await {
        // Scripts and providers that are left are killed when this process ends.
        Ok(Ending::EngineDied) => {
            let _ = tokio::time::timeout(ORPHAN_GRACE, shutdown).await;
            Ok(())
        }
        served => {
            shutdown.await;
            served.map(drop).map_err(PluginError::from)
        }
    }
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
