//! Places that providers come from, behind one question each: which versions are there, and where is this one.

mod discovery;
mod filesystem_mirror;
mod network_mirror;
mod registry;

use std::path::PathBuf;

use reqwest::Url;
use semver::Version;

use crate::address::ProviderAddress;
use crate::error::InstallError;
use crate::hashes::PackageHash;
use crate::http::Access;
use crate::platform::Platform;

pub(crate) use discovery::PROVIDERS_SERVICE;
pub(crate) use filesystem_mirror::{FilesystemMirror, provider_folder};
pub(crate) use network_mirror::NetworkMirror;
pub(crate) use registry::Registry;

/// A place that providers come from.
pub(crate) enum Source {
    Registry(Registry),
    NetworkMirror(NetworkMirror),
    FilesystemMirror(FilesystemMirror),
    Unsupported { kind: String, file: String },
}

/// A version that a place has.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) version: Version,
    /// Empty when the place does not say.
    pub(crate) protocols: Vec<String>,
    /// Empty when the place does not say.
    pub(crate) platforms: Vec<String>,
}

/// The versions that a place has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Versions {
    pub(crate) listed: Vec<Listed>,
    /// What the place wants users to know.
    pub(crate) warnings: Vec<String>,
}

/// A provider for this platform, at some place.
#[derive(Clone, Debug)]
pub(crate) struct Package {
    pub(crate) version: Version,
    pub(crate) content: Content,
    /// The package has one of these hashes; any when there are none.
    pub(crate) required: Vec<PackageHash>,
    /// The hashes that are known of the packages for all platforms.
    pub(crate) hashes: Vec<PackageHash>,
    pub(crate) warnings: Vec<String>,
}

/// Where the files of a provider are.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// In an archive to download.
    Download { url: Url, access: Access, retries: Option<u32> },
    /// In an archive on this machine.
    Archive(PathBuf),
    /// In a folder that is not ours.
    Folder(PathBuf),
}

impl Content {
    /// For messages.
    pub(crate) fn place(&self) -> String {
        match self {
            Self::Download { url, .. } => crate::http::shown(url),
            Self::Archive(path) | Self::Folder(path) => path.display().to_string(),
        }
    }
}

impl Source {
    /// For messages.
    pub(crate) fn place(&self) -> String {
        match self {
            Self::Registry(registry) => format!("the registry {}", registry.host()),
            Self::NetworkMirror(mirror) => format!("the mirror {}", mirror.url()),
            Self::FilesystemMirror(mirror) => format!("the folder {}", mirror.folder().display()),
            Self::Unsupported { kind, .. } => kind.clone(),
        }
    }

    /// Whether asking needs the network.
    pub(crate) fn is_remote(&self) -> bool {
        !matches!(self, Self::FilesystemMirror(_))
    }

    /// The versions of a provider. `None`: the place does not know it.
    pub(crate) async fn versions(&self, address: &ProviderAddress) -> Result<Option<Versions>, InstallError> {
        match self {
            Self::Registry(registry) => registry.versions(address).await,
            Self::NetworkMirror(mirror) => mirror.versions(address).await,
            Self::FilesystemMirror(mirror) => mirror.versions(address),
            Self::Unsupported { kind, file } => Err(unsupported(address, kind, file)),
        }
    }

    /// A version of a provider for this platform. `None`: the place does not have it.
    pub(crate) async fn package(
        &self,
        address: &ProviderAddress,
        version: &Version,
        platform: &Platform,
    ) -> Result<Option<Package>, InstallError> {
        match self {
            Self::Registry(registry) => registry.package(address, version, platform).await,
            Self::NetworkMirror(mirror) => mirror.package(address, version, platform).await,
            Self::FilesystemMirror(mirror) => mirror.package(address, version, platform),
            Self::Unsupported { kind, file } => Err(unsupported(address, kind, file)),
        }
    }
}

fn unsupported(address: &ProviderAddress, kind: &str, file: &str) -> InstallError {
    InstallError::UnsupportedSource { address: address.clone(), kind: kind.to_owned(), file: file.to_owned() }
}

/// Reads a document of JSON.
fn parse<'b, T: serde::Deserialize<'b>>(document: &'b crate::http::Document) -> Result<T, InstallError> {
    serde_json::from_slice(&document.body).map_err(|error| answer(&document.url, error.to_string()))
}

fn answer(url: &Url, reason: impl Into<String>) -> InstallError {
    InstallError::Answer { place: crate::http::shown(url), reason: reason.into() }
}
