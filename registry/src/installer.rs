//! From an address and versions to a provider that can be run.
//!
//! 1. `dev_overrides` names a folder: that is the provider.
//! 2. Which version: the one that was asked for, or the newest that fits and that the provider's places have. When they
//!    cannot be reached, or the network is not to be used, the newest that is on this machine, with a warning.
//! 3. Where it is: in our cache, in Terraform's plugin cache, or at one of its places, from which it goes into our cache.
//! 4. What it must be: what its registry's list says, signed; and what was recorded when the package was added.

mod fetch;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use semver::Version;

use crate::address::ProviderAddress;
use crate::cache::{Cache, Found};
use crate::cli_config::{CliConfiguration, Method, Place, implied_mirrors};
use crate::constraint::VersionConstraint;
use crate::environment::Environment;
use crate::error::InstallError;
use crate::executable;
use crate::hashes::PackageHash;
use crate::http::Http;
use crate::platform::Platform;
use crate::source::{Content, FilesystemMirror, Listed, NetworkMirror, Registry, Source};
use crate::verification::Policy;

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The provider.
    pub address: ProviderAddress,
    /// The versions that will do.
    pub constraint: VersionConstraint,
    /// What was recorded of the packages for all platforms; the provider is one of them. Empty: nothing was.
    pub recorded: Vec<PackageHash>,
    /// The network is not to be used.
    pub offline: bool,
}

impl Requirement {
    /// A provider in some version, with nothing recorded.
    #[must_use]
    pub fn new(address: ProviderAddress, constraint: VersionConstraint) -> Self {
        Self { address, constraint, recorded: Vec::new(), offline: false }
    }

    /// As users write it.
    ///
    /// # Errors
    /// The address is none, or the version.
    pub fn parse(address: &str, version: &str) -> Result<Self, InstallError> {
        Ok(Self::new(ProviderAddress::parse(address)?, VersionConstraint::parse(version)?))
    }
}

/// A provider that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledProvider {
    /// The executable.
    pub path: PathBuf,
    /// Its version; 0.0.0 for one that is being developed.
    pub version: Version,
    /// What to record, so that the same provider is had everywhere: `zh:` hashes of the archives for all platforms that
    /// are known, and the `h1:` of this one. Empty for one that is being developed.
    pub hashes: Vec<PackageHash>,
    /// Sentences for the user, without secrets.
    pub warnings: Vec<String>,
}

/// Installs providers, as this machine's user has configured it.
#[derive(Debug)]
pub struct Installer {
    environment: Environment,
    configuration: Arc<CliConfiguration>,
    policy: Policy,
    platform: Platform,
    cache: Cache,
    /// Made when it is needed: a provider that is there already should not wait for certificate authorities to be read.
    http: OnceLock<Http>,
}

/// A version, and what the user should know about how it was chosen.
struct Choice {
    version: Version,
    warnings: Vec<String>,
}

/// What our cache has of a version.
enum Kept {
    /// It is there, and is what it should be.
    Good(InstalledProvider),
    /// It is there, and differs from what was installed: a clause that says how.
    Changed(String),
    /// It is not there, or it is another one than was recorded.
    Nothing,
}

impl Installer {
    /// An installer that follows the environment and the CLI configuration of Terraform or OpenTofu. Nothing is asked of
    /// the network, and nothing is written.
    ///
    /// # Errors
    /// The configuration cannot be used.
    pub fn from_environment(environment: &Environment) -> Result<Self, InstallError> {
        let mut configuration = CliConfiguration::load(environment)?;
        configuration.limits = configuration.limits.overridden_by(environment)?;
        let platform = Platform::current();
        Ok(Self {
            environment: environment.clone(),
            configuration: Arc::new(configuration),
            policy: Policy::from(environment),
            cache: Cache::of(environment, platform.clone())?,
            platform,
            http: OnceLock::new(),
        })
    }

    /// Finds a provider, and installs it if that is needed.
    ///
    /// # Errors
    /// It is not to be had, or not what it should be.
    pub async fn install(&self, requirement: &Requirement) -> Result<InstalledProvider, InstallError> {
        let mut warnings = self.configuration.warnings.clone();
        if let Some(folder) = self.configuration.dev_overrides.get(&requirement.address) {
            return self.overridden(requirement, folder, warnings);
        }
        if let Some(version) = requirement.constraint.exact()
            && let Kept::Good(installed) = self.kept(requirement, version).await?
        {
            warnings.extend(installed.warnings.clone());
            return Ok(InstalledProvider { warnings, ..installed });
        }
        let sources = self.sources(&requirement.address)?;
        let choice = self.choose(requirement, &sources).await?;
        let mut installed = self.obtain(requirement, &choice.version, &sources).await?;
        warnings.extend(choice.warnings);
        warnings.append(&mut installed.warnings);
        Ok(InstalledProvider { warnings, ..installed })
    }

    /// A provider that is being developed: neither its version nor its hashes mean anything.
    fn overridden(
        &self,
        requirement: &Requirement,
        folder: &Path,
        mut warnings: Vec<String>,
    ) -> Result<InstalledProvider, InstallError> {
        let address = &requirement.address;
        let place = format!("{} (dev_overrides)", folder.display());
        let path = executable::required(folder, &address.provider_type, &place)?;
        warnings.push(format!(
            "{} is the one in {}, since dev_overrides in Terraform's CLI configuration says so; versions and hashes are not looked at",
            address.for_display(),
            folder.display()
        ));
        Ok(InstalledProvider { path, version: Version::new(0, 0, 0), hashes: Vec::new(), warnings })
    }

    fn http(&self) -> Result<Http, InstallError> {
        if let Some(http) = self.http.get() {
            return Ok(http.clone());
        }
        let http = Http::new(&self.environment, self.configuration.limits.clone())?;
        Ok(self.http.get_or_init(|| http).clone())
    }

    /// The places that a provider may come from, in their order.
    fn sources(&self, address: &ProviderAddress) -> Result<Vec<Source>, InstallError> {
        let methods = match &self.configuration.installation {
            Some(installation) => installation.methods.clone(),
            None => return self.implied_sources(address),
        };
        let file = self.configuration.installation.as_ref().map(|it| it.file.clone()).unwrap_or_default();
        let sources = methods.into_iter().filter(|method| method.serves(address));
        let sources = sources.map(|Method { place, .. }| self.source(place, address, &file));
        let sources: Vec<Source> = sources.collect::<Result<_, _>>()?;
        if sources.is_empty() {
            return Err(InstallError::NoSource { address: address.clone(), file });
        }
        Ok(sources)
    }

    /// Without configuration: folders that are there, and for what is in none of them the registry.
    fn implied_sources(&self, address: &ProviderAddress) -> Result<Vec<Source>, InstallError> {
        let mirrors = implied_mirrors(&self.environment).into_iter().map(FilesystemMirror::implied);
        let mirrors: Vec<_> = mirrors.filter(|mirror| mirror.has(address)).map(Source::FilesystemMirror).collect();
        if !mirrors.is_empty() {
            return Ok(mirrors);
        }
        Ok(vec![self.source(Place::Direct { download_retries: None }, address, "")?])
    }

    fn source(&self, place: Place, address: &ProviderAddress, file: &str) -> Result<Source, InstallError> {
        let configuration = &self.configuration;
        Ok(match place {
            Place::Direct { download_retries } => {
                let registry = Registry::new(
                    &address.hostname,
                    self.http()?,
                    Arc::clone(configuration),
                    self.policy,
                    download_retries,
                );
                Source::Registry(registry)
            }
            Place::NetworkMirror { url, download_retries, trusts_all_hashes } => {
                let http = self.http()?;
                Source::NetworkMirror(NetworkMirror::new(url, http, configuration, download_retries, trusts_all_hashes))
            }
            Place::FilesystemMirror { folder } => Source::FilesystemMirror(FilesystemMirror::configured(folder)),
            Place::Unsupported { kind } => Source::Unsupported { kind, file: file.to_owned() },
        })
    }

    /// Which version it is to be.
    async fn choose(&self, requirement: &Requirement, sources: &[Source]) -> Result<Choice, InstallError> {
        if let Some(version) = requirement.constraint.exact() {
            return Ok(Choice { version: version.clone(), warnings: Vec::new() });
        }
        let asked: Vec<&Source> = sources.iter().filter(|source| !requirement.offline || !source.is_remote()).collect();
        let result = match asked.is_empty() {
            true => Err(offline(requirement)),
            false => self.newest(requirement, &asked).await,
        };
        match result {
            Err(error) if requirement.offline || error.is_unreachable() => self.newest_here(requirement, error),
            result => result,
        }
    }

    /// The newest version that the provider's places have.
    async fn newest(&self, requirement: &Requirement, sources: &[&Source]) -> Result<Choice, InstallError> {
        let (listed, warnings) = list(&requirement.address, sources).await?;
        match requirement.constraint.newest(listed.iter().map(|listed| &listed.version)) {
            Some(version) => Ok(Choice { version: version.clone(), warnings }),
            None => Err(no_version(requirement, sources, &listed)),
        }
    }

    /// The newest version on this machine, instead of an error.
    fn newest_here(&self, requirement: &Requirement, error: InstallError) -> Result<Choice, InstallError> {
        let address = &requirement.address;
        let mut here = self.cache.versions(address);
        let plugin_cache = self.plugin_cache().and_then(|mirror| mirror.versions_here(address));
        here.extend(plugin_cache.into_iter().flatten());
        let Some(version) = requirement.constraint.newest(&here) else { return Err(error) };
        let why = if requirement.offline { "the network is not to be used".to_owned() } else { error.to_string() };
        let warning = format!(
            "{} {version} is the newest that is on this machine; whether there is a newer one is not known: {why}",
            address.for_display()
        );
        Ok(Choice { version: version.clone(), warnings: vec![warning] })
    }

    fn plugin_cache(&self) -> Option<FilesystemMirror> {
        self.configuration.plugin_cache.clone().map(FilesystemMirror::implied)
    }

    /// What our cache has of a version.
    async fn kept(&self, requirement: &Requirement, version: &Version) -> Result<Kept, InstallError> {
        let entry = self.cache.entry(&requirement.address, version);
        let checked = {
            let entry = entry.clone();
            blocking(move || entry.check()).await?
        };
        Ok(match checked {
            Found::Good(record) if is_recorded(requirement, &record.own_hashes()) => {
                Kept::Good(fetch::from_entry(&requirement.address, version, &entry, &record)?)
            }
            Found::Good(_) | Found::Nothing => Kept::Nothing,
            Found::Changed(how) => Kept::Changed(how),
        })
    }

    /// A provider in one version: from this machine, or from where it is to be had.
    async fn obtain(
        &self,
        requirement: &Requirement,
        version: &Version,
        sources: &[Source],
    ) -> Result<InstalledProvider, InstallError> {
        let address = &requirement.address;
        let mut warnings = Vec::new();
        match self.kept(requirement, version).await? {
            Kept::Good(installed) => return Ok(installed),
            Kept::Changed(how) => warnings.push(format!(
                "{} {version} was installed again, since it was not as it had been installed: {how}",
                address.for_display()
            )),
            Kept::Nothing => {}
        }
        if let Some(installed) = self.in_plugin_cache(requirement, version).await {
            return Ok(installed);
        }
        let asked: Vec<&Source> = sources.iter().filter(|source| !requirement.offline || !source.is_remote()).collect();
        for source in &asked {
            if let Some(package) = source.package(address, version, &self.platform).await? {
                let mut installed = self.fetch(requirement, package).await?;
                installed.warnings.append(&mut warnings);
                return Ok(installed);
            }
        }
        if asked.len() < sources.len() {
            return Err(offline(&Requirement {
                constraint: VersionConstraint::exactly(version),
                ..requirement.clone()
            }));
        }
        Err(self.not_there(requirement, version, &asked).await)
    }

    /// From Terraform's plugin cache, which Terraform has filled and verified. What does not fit the record is left alone.
    async fn in_plugin_cache(&self, requirement: &Requirement, version: &Version) -> Option<InstalledProvider> {
        let package = self.plugin_cache()?.package(&requirement.address, version, &self.platform).ok()??;
        match package.content {
            Content::Folder(folder) => self.foreign_folder(requirement, version, folder, Vec::new()).await.ok(),
            Content::Download { .. } | Content::Archive(_) => None,
        }
    }

    /// Why no place has a version: it is not there at all, or not for this platform.
    async fn not_there(&self, requirement: &Requirement, version: &Version, asked: &[&Source]) -> InstallError {
        let listed = match list(&requirement.address, asked).await {
            Ok((listed, _)) => listed,
            Err(error) => return error,
        };
        match listed.iter().find(|listed| listed.version == *version) {
            Some(listed) => InstallError::NoPackage {
                address: requirement.address.clone(),
                version: version.clone(),
                platform: self.platform.clone(),
                asked: places(asked),
                available: listed.platforms.clone(),
            },
            None => no_version(requirement, asked, &listed),
        }
    }
}

/// The versions that any of some places has.
async fn list(address: &ProviderAddress, sources: &[&Source]) -> Result<(Vec<Listed>, Vec<String>), InstallError> {
    let (mut listed, mut warnings, mut is_known) = (Vec::new(), Vec::new(), false);
    for source in sources {
        if let Some(mut versions) = source.versions(address).await? {
            is_known = true;
            listed.append(&mut versions.listed);
            let from = source.place();
            warnings.extend(versions.warnings.into_iter().map(|warning| format!("{from} says: {warning}")));
        }
    }
    if is_known {
        return Ok((listed, warnings));
    }
    Err(InstallError::UnknownProvider { address: address.clone(), asked: places(sources) })
}

fn places(sources: &[&Source]) -> Vec<String> {
    sources.iter().map(|source| source.place()).collect()
}

fn no_version(requirement: &Requirement, asked: &[&Source], listed: &[Listed]) -> InstallError {
    let (released, unreleased): (Vec<_>, Vec<_>) =
        listed.iter().map(|listed| listed.version.clone()).partition(|version| version.pre.is_empty());
    InstallError::NoVersion {
        address: requirement.address.clone(),
        constraint: requirement.constraint.clone(),
        asked: places(asked),
        newest: released.into_iter().max(),
        pre_release: unreleased.into_iter().max(),
    }
}

fn offline(requirement: &Requirement) -> InstallError {
    InstallError::Offline { address: requirement.address.clone(), constraint: requirement.constraint.clone() }
}

/// Whether a package with these hashes is one of those that were recorded, if any were.
fn is_recorded(requirement: &Requirement, hashes: &[PackageHash]) -> bool {
    requirement.recorded.is_empty() || requirement.recorded.iter().any(|recorded| hashes.contains(recorded))
}

/// Reads and writes files where that holds up nobody else.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, InstallError> + Send + 'static,
) -> Result<T, InstallError> {
    let outcome = tokio::task::spawn_blocking(work).await;
    outcome.map_err(|error| InstallError::io(PathBuf::new())(std::io::Error::other(error)))?
}
