//! Any Terraform provider as a Pulumi package: what the plugin becomes when it is given parameters.
//!
//! ```text
//! words of a command line ─► arguments ┐
//!                                      ├─► Wanted ─► find ─► start ─► package
//! bytes kept in an SDK ──────► value ──┘
//! ```
//!
//! The grammar of the words, the form of the bytes, and the names in the package are those of Pulumi's own
//! `terraform-provider` plugin, so that SDKs and stacks go from one to the other. What we add is ignored there.

mod any_provider;
mod arguments;
mod find;
mod log;
mod reattach;
mod recorded;
mod start;
mod unknown;
mod value;

use std::sync::{Arc, Mutex, PoisonError};

use denobridge_core::Call;
use denobridge_pulumi::{PackageError, ServedPackage};
use denobridge_registry::{Environment, PackageHash};
use denobridge_sdk_gen::Repairs;
use denobridge_terraform::ForeignProvider;
use futures::future::join_all;

use crate::children::Watcher;
use crate::layers::Layers;

pub use any_provider::AnyProvider;
pub(crate) use arguments::{Asked, Parsed};
pub(crate) use find::kept_path;
pub use recorded::RecordedPackage;
pub(crate) use start::{WatchedSpawner, start_limit};

/// The plugin that foreign providers are packages of.
#[derive(Clone, Debug)]
pub struct PluginIdentity {
    /// Its name, as in `pulumi-resource-NAME`.
    pub name: String,
    /// Its version: three numbers, no `v`.
    pub version: String,
}

impl PluginIdentity {
    /// Pulumi finds a plugin by the name of the package, so a package that is called like this plugin could not be told from it.
    pub(crate) fn refuse_own_name(&self, package: &str) -> Result<(), PackageError> {
        if package != self.name {
            return Ok(());
        }
        Err(PackageError::InvalidParameter(format!(
            "the package cannot be called {package}, since this plugin is; choose another name with --provider-name"
        )))
    }
}

/// What a parameter asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wanted {
    provider: WantedProvider,
    view: View,
}

/// Which provider.
#[derive(Clone, Debug, PartialEq, Eq)]
enum WantedProvider {
    /// One that a registry or a mirror has.
    Remote {
        /// Its address, as it was given.
        address: String,
        /// The versions that will do, as a constraint; empty for any.
        versions: String,
        /// What was recorded of its packages.
        hashes: Vec<PackageHash>,
    },
    /// A file.
    Local {
        /// As it was given.
        path: String,
    },
}

/// What a package shows of its provider, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct View {
    /// Terraform names of what it shows; empty for everything.
    includes: Vec<String>,
    /// Terraform names of what it does not show.
    excludes: Vec<String>,
    /// What the package is called, if not as the provider.
    package: Option<String>,
    /// What is done better than the Go plugin does it.
    repairs: Repairs,
}

async fn end(providers: &[Arc<ForeignProvider>]) {
    join_all(providers.iter().map(|provider| provider.shutdown())).await;
}

/// Makes packages of foreign providers, and ends the providers in the end.
pub struct Bridge {
    plugin: PluginIdentity,
    environment: Environment,
    watcher: Arc<Watcher>,
    running: Mutex<Vec<Arc<ForeignProvider>>>,
    layers: Layers,
}

impl Bridge {
    /// A bridge for this plugin, on the machine that the environment describes.
    #[must_use]
    pub fn new(plugin: PluginIdentity, environment: Environment) -> Self {
        Self { plugin, environment, watcher: Watcher::shared(), running: Mutex::default(), layers: Layers::default() }
    }

    /// The same bridge, with these layers around its providers.
    #[must_use]
    pub fn within(self, layers: Layers) -> Self {
        Self { layers, ..self }
    }

    /// What the words of a command line ask for: a provider, or scripts if the plugin takes them.
    ///
    /// # Errors
    /// The words make no sense.
    pub(crate) fn asked(&self, takes_scripts: bool, words: &[String]) -> Result<Asked, PackageError> {
        arguments::parse(&self.plugin.name, takes_scripts, words, &self.environment)
    }

    /// The package of a provider that words have asked for.
    ///
    /// # Errors
    /// The provider is not to be had.
    pub(crate) async fn by_arguments(&self, call: &Call, wanted: Parsed) -> Result<ServedPackage, PackageError> {
        if let Some(notice) = wanted.notice {
            call.log(denobridge_core::call::LogLevel::Warn, &self.plugin.name, &notice);
        }
        self.package(call, wanted.wanted, None).await
    }

    /// The package that was described by `parameter` when the SDK of the package `name` was made.
    ///
    /// # Errors
    /// The bytes are not such a parameter, or the provider is not to be had.
    pub async fn by_parameter(&self, call: &Call, name: &str, parameter: &[u8]) -> Result<ServedPackage, PackageError> {
        let wanted = value::read(parameter).map_err(|reason| {
            PackageError::InvalidParameter(format!(
                "the parameter in the SDK of the package {name} cannot be read: {reason}. Generate the SDK again with \
                 `pulumi package add {} -- …`.",
                self.plugin.name
            ))
        })?;
        self.package(call, wanted, Some(parameter)).await
    }

    /// Ends the providers that were started.
    pub async fn shutdown(&self) {
        let running = std::mem::take(&mut *self.running.lock().unwrap_or_else(PoisonError::into_inner));
        end(&running).await;
    }

    /// Finds and starts a provider, and describes it. Whoever hangs up gets a provider that is nowhere installed by half.
    async fn package(
        &self,
        call: &Call,
        wanted: Wanted,
        parameter: Option<&[u8]>,
    ) -> Result<ServedPackage, PackageError> {
        let cancelled = call.cancellation().cancelled();
        tokio::select! {
            package = self.made(call, wanted, parameter) => package,
            () = cancelled => Err(PackageError::Unavailable("cancelled while the provider was being started".to_owned())),
        }
    }

    async fn made(&self, call: &Call, wanted: Wanted, parameter: Option<&[u8]>) -> Result<ServedPackage, PackageError> {
        let found = find::find(call, &wanted.provider, &self.environment).await?;
        if parameter.is_none() {
            self.plugin.refuse_own_name(wanted.view.package.as_ref().unwrap_or(&found.name))?;
        }
        let provider = Arc::new(start::start(call, &found, &self.environment, Arc::clone(&self.watcher)).await?);
        if parameter.is_none() {
            // Not for what an SDK was made of: it may come to a version of the provider that has less.
            unknown::warn(call, &self.plugin.name, &provider, &wanted.view).await;
        }
        let parameter = parameter.map_or_else(|| value::write(&found.record, &wanted.view), <[u8]>::to_vec);
        let package = RecordedPackage::new(&found, &parameter);
        if let Some(recorder) = self.layers.recorder() {
            package.note(recorder);
        }
        let asked = self.layers.around(Arc::clone(&provider) as _, &found.address());
        let served = package.described(call, &self.plugin, asked, &wanted.view).await?;
        self.keep(provider);
        Ok(served)
    }

    /// Keeps a provider until the end, or until nobody needs it any more: a plugin that was started by hand lives through
    /// many deployments, and gets new providers in each.
    fn keep(&self, provider: Arc<ForeignProvider>) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let (needed, idle): (Vec<_>, Vec<_>) =
            std::mem::take(&mut *running).into_iter().partition(|kept| Arc::strong_count(kept) > 1);
        *running = needed;
        running.push(provider);
        if !idle.is_empty() {
            tokio::spawn(async move { end(&idle).await });
        }
    }
}
