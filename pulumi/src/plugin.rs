//! A provider of one's own as a Pulumi plugin.

use std::convert::Infallible;
use std::fmt::Display;
use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::provider::GetProviderSchemaRequest;
use denobridge_core::{Call, Provider};
use denobridge_sdk_gen::{PackageOptions, generate};

use crate::conventions::Conventions;
use crate::invocation::Invocation;
use crate::package::{FormerType, PackageError, PackageSource, Parameter, ServedPackage};
use crate::server::{Options, ServeError, serve_packages};

/// The plugin `pulumi-resource-NAME` in this version (three numbers, no `v`), whose package has the same name.
///
/// ```no_run
/// # async fn example(provider: std::sync::Arc<dyn denobridge_core::Provider>) -> Result<(), denobridge_pulumi::ServeError> {
/// denobridge_pulumi::plugin("tiny", env!("CARGO_PKG_VERSION")).serve(provider).await
/// # }
/// ```
///
/// A binary that is a plugin for Terraform as well asks [`started_as_plugin`](crate::started_as_plugin) which of the two
/// it was started as.
#[must_use]
pub fn plugin(name: impl Into<String>, version: impl Into<String>) -> Plugin {
    let package = PackageOptions { name: name.into(), version: version.into(), ..PackageOptions::default() };
    Plugin { package, takes_over: Vec::new() }
}

/// A plugin with one package of its own; see [`plugin`].
#[derive(Clone, Debug)]
pub struct Plugin {
    package: PackageOptions,
    takes_over: Vec<FormerType>,
}

impl Plugin {
    /// Says more about the package: what it is for, who publishes it, what components are called.
    ///
    /// ```
    /// let plugin = denobridge_pulumi::plugin("tiny", "1.0.0").describe(|package| {
    ///     package.description = Some("Small things.".to_owned());
    ///     package.license = Some("MIT".to_owned());
    /// });
    /// ```
    #[must_use]
    pub fn describe(mut self, change: impl FnOnce(&mut PackageOptions)) -> Self {
        change(&mut self.package);
        self
    }

    /// Says whose objects its resources may be able to take over.
    #[must_use]
    pub fn takes_over(self, takes_over: Vec<FormerType>) -> Self {
        Self { takes_over, ..self }
    }

    /// Serves `provider` to the Pulumi engine that started this process, until the engine ends it. This is all that the
    /// `main` of a plugin has to do.
    ///
    /// The engine starts a process for each of a program's provider resources. When it attaches to a process that was
    /// started by hand, they all have this one `provider`, and the settings of the last count;
    /// [`serve_each`](Self::serve_each) gives each its own.
    ///
    /// Reads the arguments of the process: `--version` and `--help` are answered, and without arguments an engine can
    /// attach. Nothing may be written to standard output before. Must run within a Tokio runtime.
    ///
    /// # Errors
    /// The arguments are not those of a plugin, or there is nowhere to listen.
    pub async fn serve(self, provider: Arc<dyn Provider>) -> Result<(), ServeError> {
        self.serve_each(move || Ok::<_, Infallible>(Arc::clone(&provider))).await
    }

    /// Like [`serve`](Self::serve), with a provider for each of the provider instances that this process is for. Why there
    /// is none becomes the error of the request that needs it.
    ///
    /// # Errors
    /// As for [`serve`](Self::serve).
    pub async fn serve_each<E: Display>(
        self,
        provider: impl Fn() -> Result<Arc<dyn Provider>, E> + Send + Sync + 'static,
    ) -> Result<(), ServeError> {
        let arguments: Vec<String> =
            std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
        let (name, version) = (self.package.name.clone(), self.package.version.clone());
        match Invocation::of(&name, &version, &arguments) {
            Invocation::Show(text) => {
                print!("{text}");
                Ok(())
            }
            Invocation::Refuse(text) => Err(ServeError::Usage(text)),
            Invocation::Serve { engine_address } => {
                let options = Options::new(name, version, engine_address);
                serve_packages(options, Arc::new(self.source_of_each(provider))).await.map(drop)
            }
        }
    }

    /// The package of `provider`, for [`serve_packages`] and [`PulumiServer`](crate::PulumiServer).
    #[must_use]
    pub fn source(self, provider: Arc<dyn Provider>) -> OwnPackage {
        self.source_of_each(move || Ok::<_, Infallible>(Arc::clone(&provider)))
    }

    /// The package of what `provider` makes, one for each provider instance.
    #[must_use]
    pub fn source_of_each<E: Display>(
        self,
        provider: impl Fn() -> Result<Arc<dyn Provider>, E> + Send + Sync + 'static,
    ) -> OwnPackage {
        let provider = move || provider().map_err(|error| error.to_string());
        OwnPackage { options: self.package, takes_over: self.takes_over, provider: Box::new(provider) }
    }
}

/// The one package of a plugin that takes no parameters.
pub struct OwnPackage {
    options: PackageOptions,
    takes_over: Vec<FormerType>,
    provider: Box<dyn Fn() -> Result<Arc<dyn Provider>, String> + Send + Sync>,
}

impl OwnPackage {
    /// Asks a provider for its schema and makes the package of it.
    ///
    /// # Errors
    /// The provider has no schema, or none that makes a package.
    pub async fn package(&self, call: &Call) -> Result<ServedPackage, PackageError> {
        let name = &self.options.name;
        let unavailable = |reason: &dyn Display| {
            PackageError::Unavailable(format!("the package {name} cannot be described: {reason}"))
        };
        let provider = (self.provider)().map_err(|error| unavailable(&error))?;
        let answer = provider.get_provider_schema(call, GetProviderSchemaRequest {}).await;
        let answer = answer.map_err(|error| unavailable(&error))?;
        if let Some(error) = answer.diagnostics.errors().next() {
            return Err(unavailable(&format!("{}: {}", error.summary, error.detail)));
        }
        let package = generate(&answer.schema, &self.options).map_err(|error| unavailable(&error))?;
        let (name, version) = (name.clone(), self.options.version.clone());
        let takes_over = self.takes_over.clone();
        Ok(ServedPackage { provider, package, name, version, conventions: Conventions::Own, takes_over })
    }
}

#[async_trait]
impl PackageSource for OwnPackage {
    async fn resolve(&self, call: &Call, parameter: Parameter) -> Result<ServedPackage, PackageError> {
        let PackageOptions { name, version, .. } = &self.options;
        match parameter {
            Parameter::None => self.package(call).await,
            Parameter::Arguments(words) => Err(PackageError::InvalidParameter(format!(
                "the plugin {name} {version} takes no parameters, and was given `{}`; add its package without them",
                words.join(" ")
            ))),
            Parameter::Value { name: wanted, .. } => Err(PackageError::InvalidParameter(format!(
                "the package {wanted} was made by a plugin that takes parameters; {name} {version} does not. Install the \
                 version of the plugin that the package names."
            ))),
        }
    }
}
