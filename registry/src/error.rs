//! Why a provider was not installed: what happened, and what to do next.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use semver::Version;

use crate::address::{AddressError, ProviderAddress};
use crate::cli_config::ConfigurationError;
use crate::constraint::{ConstraintError, VersionConstraint};
use crate::hashes::PackageHash;
use crate::http::FetchError;
use crate::limits::{LOCK_TIMEOUT, PACKAGE_BYTES};
use crate::platform::Platform;
use crate::verification::VerificationError;

/// Why a provider was not installed. Says what happened; [`InstallError::advice`] says what to do.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// What was asked for is no address.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// What was asked for is no version constraint.
    #[error(transparent)]
    Constraint(#[from] ConstraintError),
    /// The user's configuration cannot be used.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// A variable has a value that it cannot have.
    #[error("{name} is {value:?}, and must be a whole number above 0")]
    Setting {
        /// The variable.
        name: &'static str,
        /// Its value.
        value: String,
    },
    /// Nobody answered, or not what was asked for.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// Something was answered that is against the protocol.
    #[error("{place} answered something that cannot be used: {reason}")]
    Answer {
        /// What was asked.
        place: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The host of an address has no registry of providers.
    #[error("{host} is no registry of providers: {place} names no service \"providers.v1\"")]
    NoRegistry {
        /// The host.
        host: String,
        /// Where its services were looked for.
        place: String,
    },
    /// No place that was asked knows the provider.
    #[error("there is no provider {address} in {}", asked.join(", nor in "))]
    UnknownProvider {
        /// The provider.
        address: ProviderAddress,
        /// Where it was looked for.
        asked: Vec<String>,
    },
    /// The configuration leaves nowhere to look.
    #[error("the provider_installation block in {file} says nowhere to get {address} from")]
    NoSource {
        /// The provider.
        address: ProviderAddress,
        /// The configuration file.
        file: String,
    },
    /// The configuration names a kind of source that is not known here.
    #[error(
        "{address} would come from an {kind}, as the provider_installation block in {file} says, which is not supported"
    )]
    UnsupportedSource {
        /// The provider.
        address: ProviderAddress,
        /// What the configuration calls the kind of source.
        kind: String,
        /// The configuration file.
        file: String,
    },
    /// No version is in the set that was asked for.
    #[error("there is no {}: {}", wanted(address, constraint), newest_of(asked, newest.as_ref(), pre_release.as_ref()))]
    NoVersion {
        /// The provider.
        address: ProviderAddress,
        /// The set.
        constraint: VersionConstraint,
        /// Where versions were looked for.
        asked: Vec<String>,
        /// The newest released version that there is.
        newest: Option<Version>,
        /// The newest pre-release, when nothing was ever released.
        pre_release: Option<Version>,
    },
    /// The version exists, and not for this platform.
    #[error("{address} {version} is not available for {platform} in {}", asked.join(", nor in "))]
    NoPackage {
        /// The provider.
        address: ProviderAddress,
        /// The version.
        version: Version,
        /// This platform.
        platform: Platform,
        /// Where it was looked for.
        asked: Vec<String>,
        /// The platforms that it is known to be available for.
        available: Vec<String>,
    },
    /// The provider speaks another protocol.
    #[error("{address} {version} speaks versions {} of the plugin protocol, and 5 and 6 are understood", protocols.join(", "))]
    Protocol {
        /// The provider.
        address: ProviderAddress,
        /// The version.
        version: Version,
        /// What the registry says it speaks.
        protocols: Vec<String>,
        /// The newest version that speaks 5 or 6.
        closest: Option<Version>,
    },
    /// The network is not to be used.
    #[error("{} is not on this machine, and the network is not to be used", wanted(address, constraint))]
    Offline {
        /// The provider.
        address: ProviderAddress,
        /// The versions that were asked for.
        constraint: VersionConstraint,
    },
    /// The package is not what its author or the registry says it is.
    #[error("{address} {version} from {place} cannot be trusted: {reason}")]
    Unverified {
        /// The provider.
        address: ProviderAddress,
        /// The version.
        version: Version,
        /// Where it came from.
        place: String,
        /// Why not.
        reason: VerificationError,
    },
    /// The package is not the one that was recorded.
    #[error(
        "{address} {version} from {place} is not the one that was recorded: it is {}, recorded are {}",
        list(found),
        list(recorded)
    )]
    NotAsRecorded {
        /// The provider.
        address: ProviderAddress,
        /// The version.
        version: Version,
        /// Where it came from.
        place: String,
        /// Its hashes.
        found: Vec<PackageHash>,
        /// Those that were recorded.
        recorded: Vec<PackageHash>,
    },
    /// The archive cannot be unpacked.
    #[error("the archive from {place} cannot be unpacked: {reason}")]
    Archive {
        /// Where it came from.
        place: String,
        /// Why not.
        reason: String,
    },
    /// What is in a folder or archive is no provider.
    #[error("{place} has no file whose name begins with {prefix:?}")]
    NoExecutable {
        /// The folder, or where the archive came from.
        place: String,
        /// How the name of the executable begins.
        prefix: String,
    },
    /// The path of a local provider does not name one.
    #[error("{given:?} is not the path of a provider: {reason}")]
    LocalPath {
        /// As it was given.
        given: String,
        /// Why not.
        reason: String,
    },
    /// There is nowhere to keep providers.
    #[error("there is no folder to keep providers in")]
    NoFolder,
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// Another process is installing the same provider, and does not finish.
    #[error("another process has been installing the same provider for {} s, which is what {LOCK_TIMEOUT} allows: it holds {}", limit.as_secs(), path.display())]
    Locked {
        /// The lock file.
        path: PathBuf,
        /// How long was waited.
        limit: Duration,
    },
    /// An archive holds more than is allowed.
    #[error("the archive from {place} unpacks to more than {limit} bytes, which is what {PACKAGE_BYTES} allows")]
    TooLarge {
        /// Where it came from.
        place: String,
        /// The limit.
        limit: u64,
    },
}

fn list(hashes: &[PackageHash]) -> String {
    let texts: Vec<_> = hashes.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

/// A provider and its versions, as people say it.
fn wanted(address: &ProviderAddress, constraint: &VersionConstraint) -> String {
    match constraint.exact() {
        Some(version) => format!("{address} {version}"),
        None if constraint.is_any() => format!("released version of {address}"),
        None => format!("version of {address} that is {constraint}"),
    }
}

fn newest_of(asked: &[String], newest: Option<&Version>, pre_release: Option<&Version>) -> String {
    let places = asked.join(" and ");
    match (newest, pre_release) {
        (Some(newest), _) => format!("the newest in {places} is {newest}"),
        (None, Some(pre_release)) => format!("{places} has pre-releases only, the newest is {pre_release}"),
        (None, None) => format!("{places} has no version of it"),
    }
}

impl InstallError {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |error| Self::Io { path, error }
    }

    /// Whether the places that providers come from could not be asked, so that what is on this machine may do.
    pub(crate) fn is_unreachable(&self) -> bool {
        matches!(self, Self::Fetch(error) if error.is_unreachable())
    }

    /// What the user can do about it, as sentences. Empty when the error says it all.
    #[must_use]
    pub fn advice(&self) -> String {
        match self {
            Self::Fetch(error) => error.advice(),
            Self::Address(_) => "Write [HOSTNAME/][NAMESPACE/]TYPE, for example hashicorp/random.".into(),
            Self::Constraint(_) => "Write for example 1.2.3, \">= 1.2, < 2.0\" or \"~> 1.2\".".into(),
            Self::Configuration(error) => error.advice().into(),
            Self::NoRegistry { host, .. } => format!(
                "Check the host at the beginning of the address. If {host} cannot be reached from here, configure a \
                 network_mirror or filesystem_mirror in the provider_installation block of Terraform's CLI configuration."
            ),
            Self::UnknownProvider { address, .. } => unknown_provider_advice(address),
            Self::NoSource { .. } => "Add an installation method whose `include` fits the provider.".into(),
            Self::UnsupportedSource { .. } => {
                "Use direct, network_mirror or filesystem_mirror for this provider.".into()
            }
            Self::NoVersion { pre_release: Some(version), newest: None, .. } => {
                format!("A pre-release is taken only when it is named: ask for {version}.")
            }
            Self::NoVersion { .. } => "Ask for another version, or leave it out for the newest.".into(),
            Self::NoPackage { available, .. } if available.is_empty() => "Ask for another version.".into(),
            Self::NoPackage { available, .. } => {
                format!("It is available for {}. Ask for another version, or its author for this platform.", available.join(", "))
            }
            Self::Protocol { closest: Some(version), .. } => format!("Ask for version {version}."),
            Self::Protocol { closest: None, .. } => "No version of this provider can be used.".into(),
            Self::Offline { .. } => "Run once with the network, or put the provider into a filesystem_mirror.".into(),
            Self::Unverified { reason, .. } => reason.advice(),
            Self::NotAsRecorded { .. } => "If the provider was replaced on purpose, record it anew by adding the package \
                again (`pulumi package add`). If it was not, do not use it: somebody may have tampered with it. An unpacked \
                folder can be compared only with what was recorded on the same platform; use the packed archive instead."
                .into(),
            Self::Archive { .. } => {
                "The package is damaged at its source. Ask for another version, or tell its author.".into()
            }
            Self::NoExecutable { .. } => {
                "If the folder is yours, put the provider there. If it was downloaded, tell its author.".into()
            }
            Self::LocalPath { .. } => {
                "Write the path of an executable whose name begins with \"terraform-provider-\".".into()
            }
            Self::NoFolder => "Set HOME, PULUMI_HOME or PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR.".into(),
            Self::Io { error, .. } if error.kind() == io::ErrorKind::StorageFull => "The disk is full: make room on it, or have \
                PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR name a folder on another one. Nothing half is left behind."
                .into(),
            Self::Locked { .. } => "End that process, or wait longer.".into(),
            Self::TooLarge { .. } => format!("If the provider really is that large, set {PACKAGE_BYTES} higher."),
            Self::Io { .. } | Self::Setting { .. } | Self::Answer { .. } => String::new(),
        }
    }

    /// What happened and what to do about it.
    #[must_use]
    pub fn report(&self) -> String {
        let advice = self.advice();
        if advice.is_empty() { format!("{self}.") } else { format!("{self}. {advice}") }
    }
}

fn unknown_provider_advice(address: &ProviderAddress) -> String {
    let other_registry = if address.hostname == crate::address::DEFAULT_HOST {
        format!(
            " Without a hostname, {} is asked; for HashiCorp's registry write registry.terraform.io/{}/{}.",
            address.hostname, address.namespace, address.provider_type
        )
    } else {
        String::new()
    };
    format!(
        "Check the spelling of the namespace and the type.{other_registry} A private registry may also hide what a token does not allow."
    )
}
