//! Packages of scripts as Pulumi packages: from words of a command line, and again from what an SDK keeps.
//!
//! ```text
//! words ────────────► location ─► folder ─► provider ─► package, with the parameter that leads there
//! parameter in an SDK ──┘                                 └─► offer: has anything changed since?
//! ```
//!
//! What an SDK was made of holds: the name, and the permissions that were shown when it was made. What the scripts say of
//! themselves is read anew each time, so that an edit that changes nothing for programs needs no new SDK.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use denobridge_core::call::LogLevel;
use denobridge_core::{Call, Provider};
use denobridge_pulumi::{Conventions, PackageError, PackageOptions, ServedPackage};
use denobridge_registry::Environment;
use denobridge_sdk_gen::{BasePlugin, generate};

use super::collect::{Collector, CollectorOptions};
use super::folder::{self, Manifest, Opened, Wishes};
use super::location::{WantedScripts, is_local, is_url, local};
use super::offer::{Changes, Offer};
use super::parameter::{Kept, Pin, ScriptParameter};
use super::remote::Remote;
use super::{RecordedScripts, ScriptPackage, TypedError, component_names, provider, type_prefix};
use crate::bridged::{PluginIdentity, kept_path};
use crate::layers::Layers;
use crate::packages::{generic_resource, schema_of};
use crate::plugins::layered;
use crate::scripted::{Runtime, ScriptedOptions};

/// Who speaks in the log.
const MODULE: &str = "package";

/// Makes Pulumi packages of scripts.
pub struct ScriptPackages {
    plugin: PluginIdentity,
    environment: Environment,
    runtime: Runtime,
    layers: Layers,
}

impl ScriptPackages {
    /// For this plugin, on the machine that the environment describes, with scripts that end with `runtime`.
    #[must_use]
    pub fn new(plugin: PluginIdentity, environment: Environment, runtime: Runtime) -> Self {
        Self { plugin, environment, runtime, layers: Layers::default() }
    }

    /// The same, with these layers around its providers.
    #[must_use]
    pub fn within(self, layers: Layers) -> Self {
        Self { layers, ..self }
    }

    /// The package that the words of a command line ask for.
    ///
    /// # Errors
    /// It is not there, or is no package.
    pub async fn by_arguments(&self, call: &Call, wanted: &WantedScripts) -> Result<ServedPackage, PackageError> {
        let wishes = Wishes { name: wanted.name.clone(), allow: wanted.allow.clone(), is_known: false };
        let opened = self.open(call, &wanted.location, &wishes, None).await;
        let (opened, pin) = opened.map_err(PackageError::Unavailable)?;
        self.plugin.refuse_own_name(&opened.package.name)?;
        if let Some(permissions) = told_permissions(&opened.package) {
            call.log(LogLevel::Info, MODULE, &permissions);
        }
        let described = self.describe(call, opened).await?;
        let mut kept = Kept::new(described.package.name.clone(), described.package.version.clone());
        kept.asks = asks(&described.package);
        kept.allow.clone_from(&wanted.allow);
        kept.offer = described.offer()?;
        kept.pin = pin;
        let script = match is_url(&wanted.location) {
            true => wanted.location.clone(),
            false => kept_path(&wanted.location, &self.environment),
        };
        self.served(described, &ScriptParameter { script, denobridge: kept }.write())
    }

    /// The package that was described by `parameter` when the SDK of the package `name` was made.
    ///
    /// # Errors
    /// The bytes are not such a parameter, or the package is not there any more, or none any more.
    pub async fn by_parameter(&self, call: &Call, name: &str, parameter: &[u8]) -> Result<ServedPackage, PackageError> {
        let ScriptParameter { script, denobridge: kept } = ScriptParameter::read(parameter).map_err(|reason| {
            PackageError::InvalidParameter(format!(
                "the parameter in the SDK of the package {name} cannot be read: {reason}. Generate the SDK again with \
                 `pulumi package add {} -- …`.",
                self.plugin.name
            ))
        })?;
        let again = self.command(&script, &kept);
        let wishes = Wishes { name: Some(kept.name.clone()), allow: kept.allow.clone(), is_known: true };
        let opened = self.open(call, &script, &wishes, kept.pin.as_ref()).await;
        let (mut opened, _) = opened.map_err(|reason| {
            PackageError::Unavailable(format!(
                "the SDK of the package {name} was made of {script}: {reason}\nIf the scripts are elsewhere now, or have changed \
                 on purpose, make the SDK again: {again}\nA stack keeps what it was made with until the next `pulumi up`; until \
                 then `pulumi refresh` and `pulumi destroy` take the new SDK with `--run-program`."
            ))
        })?;
        restrict(call, &mut opened.package, &kept, &again);
        // Programs and stacks know the package by the version of the SDK.
        opened.package.version.clone_from(&kept.version);
        let served = self.served(self.describe(call, opened).await?, parameter)?;
        let changes = kept.offer.changes(&Offer::of(&served.package.schema.to_value()));
        if !changes.is_empty() {
            call.log(LogLevel::Warn, MODULE, &told(&kept.name, &changes, &again));
        }
        Ok(served)
    }

    /// The command that makes an SDK again.
    fn command(&self, script: &str, kept: &Kept) -> String {
        let allow: String = kept.allow.iter().map(|entry| format!(" --allow {entry}")).collect();
        format!("`pulumi package add {} -- {script} --provider-name {}{allow}`", self.plugin.name, kept.name)
    }

    /// Reads the package. Whoever hangs up is not waited for.
    async fn open(
        &self,
        call: &Call,
        location: &str,
        wishes: &Wishes,
        pin: Option<&Pin>,
    ) -> Result<(Opened, Option<Pin>), String> {
        tokio::select! {
            opened = self.read(call, location, wishes, pin) => opened,
            () = call.cancellation().cancelled() => Err("cancelled while the scripts were being read".to_owned()),
        }
    }

    async fn read(
        &self,
        call: &Call,
        location: &str,
        wishes: &Wishes,
        pin: Option<&Pin>,
    ) -> Result<(Opened, Option<Pin>), String> {
        let options = CollectorOptions::from_environment().map_err(|error| error.to_string())?;
        let collector = Collector::new(options.clone());
        if is_local(location) {
            let place = local(location, &self.environment)?;
            let opened = folder::open(call, &place, wishes, &collector).await;
            return opened.map(|opened| (opened, None)).map_err(|error| error.to_string());
        }
        let cache = options.cache.as_deref().ok_or("there is no place for caches on this machine: set HOME")?;
        let remote = Remote { collector: &collector, deno: &options.deno, cache };
        let opened = remote.open(call, location, wishes, pin).await;
        opened.map(|(opened, pin)| (opened, Some(pin))).map_err(|error| error.to_string())
    }

    /// Asks the provider that is made of the package what it has.
    async fn describe(&self, call: &Call, opened: Opened) -> Result<Described, PackageError> {
        let options = ScriptedOptions { runtime: self.runtime.clone(), deno: None };
        let provider = provider(&opened.package, options).map_err(|error| cannot_be(&opened.package, &error))?;
        let provider = self.layers.around(layered(provider), &opened.package.name);
        Described::of(call, self.plugin.clone(), provider, opened.package, opened.manifest).await
    }

    /// The package, to be found again by `parameter`.
    fn served(&self, described: Described, parameter: &[u8]) -> Result<ServedPackage, PackageError> {
        if let Some(recorder) = self.layers.recorder() {
            let (package, manifest) = (described.package.clone(), described.manifest.clone());
            RecordedScripts::new(package, manifest, parameter).note(recorder);
        }
        described.served(Some(parameter))
    }
}

/// What a package says of itself, as Pulumi's schema has it.
///
/// # Errors
/// Its components cannot have the names that they should.
pub(super) fn package_options(package: &ScriptPackage, manifest: &Manifest) -> Result<PackageOptions, TypedError> {
    let manifest = manifest.clone();
    Ok(PackageOptions {
        name: package.name.clone(),
        version: package.version.clone(),
        type_prefix: Some(type_prefix(package)?),
        description: manifest.description,
        homepage: manifest.homepage,
        license: manifest.license,
        repository: manifest.repository,
        publisher: manifest.publisher,
        component_names: component_names(package)?,
        primitive_results_in_objects: true,
        ..PackageOptions::default()
    })
}

fn cannot_be(package: &ScriptPackage, reason: &dyn Display) -> PackageError {
    PackageError::Unavailable(format!("the scripts of {} cannot be a Pulumi package: {reason}", package.name))
}

/// A package whose provider has told what it has.
pub(super) struct Described {
    plugin: PluginIdentity,
    provider: Arc<dyn Provider>,
    schema: Arc<denobridge_core::schema::ProviderSchema>,
    pub options: PackageOptions,
    package: ScriptPackage,
    manifest: Manifest,
}

impl Described {
    /// Asks the provider of the package, or what stands in for it.
    pub async fn of(
        call: &Call,
        plugin: PluginIdentity,
        provider: Arc<dyn Provider>,
        package: ScriptPackage,
        manifest: Manifest,
    ) -> Result<Self, PackageError> {
        let schema = schema_of(call, &*provider).await.map_err(|reason| cannot_be(&package, &reason))?;
        let options = package_options(&package, &manifest).map_err(|error| cannot_be(&package, &error))?;
        Ok(Self { plugin, provider, schema, options, package, manifest })
    }

    fn generate(&self, options: &PackageOptions) -> Result<denobridge_sdk_gen::Package, PackageError> {
        generate(&self.schema, options).map_err(|error| cannot_be(&self.package, &error))
    }

    /// What programs can use.
    fn offer(&self) -> Result<Offer, PackageError> {
        Ok(Offer::of(&self.generate(&self.options)?.schema.to_value()))
    }

    /// The package, to be found again by `parameter`, or that of a plugin of its own.
    pub fn served(self, parameter: Option<&[u8]>) -> Result<ServedPackage, PackageError> {
        let PluginIdentity { name, version } = self.plugin.clone();
        let parameterization = parameter.map(|bytes| BasePlugin { name, version, parameter: bytes.to_vec() });
        let package = self.generate(&PackageOptions { parameterization, ..self.options.clone() })?;
        Ok(ServedPackage {
            provider: self.provider,
            package,
            name: self.package.name,
            version: self.package.version,
            conventions: Conventions::Own,
            takes_over: generic_resource().into_iter().collect(),
        })
    }
}

/// What each script asks for.
fn asks(package: &ScriptPackage) -> BTreeMap<String, Vec<String>> {
    let asking = package.scripts.iter().filter(|script| !script.asks.is_empty());
    asking.map(|script| (script.file.clone(), script.asks.clone())).collect()
}

/// What a package asks for, to be told to who is about to use it; nothing where it asks for nothing.
#[must_use]
pub fn told_permissions(package: &ScriptPackage) -> Option<String> {
    let asks = asks(package);
    let lines: String = asks.iter().map(|(file, asked)| format!("\n  {file}: {}", asked.join(", "))).collect();
    (!asks.is_empty()).then(|| {
        format!(
            "the scripts of {} ask for these permissions:{lines}\nNone is in force until the provider's configuration grants \
             it, such as by `permissions: {{ all: true }}`.",
            package.name
        )
    })
}

/// Takes away what a script asks for now and did not when the SDK was made: nobody has seen that.
fn restrict(call: &Call, package: &mut ScriptPackage, kept: &Kept, again: &str) {
    for script in &mut package.scripts {
        let known = kept.asks.get(&script.file).map(Vec::as_slice).unwrap_or_default();
        let (asks, more): (Vec<_>, Vec<_>) =
            std::mem::take(&mut script.asks).into_iter().partition(|entry| known.contains(entry));
        script.asks = asks;
        if !more.is_empty() {
            let message = format!(
                "{} of {} asks for {} since the SDK was made, and does not get it. Make the SDK again to have it recorded: {again}",
                script.file,
                kept.name,
                more.join(", ")
            );
            call.log(LogLevel::Warn, MODULE, &message);
        }
    }
}

/// What has changed since an SDK was made.
fn told(name: &str, changes: &Changes, again: &str) -> String {
    let mut lines = vec![match changes.breaking.is_empty() {
        true => format!("the scripts of {name} can do more than the SDK knows:"),
        false => {
            format!("the scripts of {name} have changed since the SDK was made, and programs may not fit any more:")
        }
    }];
    lines.extend(changes.breaking.iter().chain(&changes.new).map(|change| format!("  {change}")));
    lines.push(format!("Make the SDK again: {again}"));
    lines.join("\n")
}
