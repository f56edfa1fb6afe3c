//! The provider registry protocol.
//!
//! <https://opentofu.org/docs/internals/provider-registry-protocol/>

use std::sync::Arc;
use std::time::SystemTime;

use reqwest::Url;
use semver::Version;
use serde::Deserialize;
use tokio::sync::OnceCell;

use super::discovery::{Service, discover};
use super::{Content, Listed, Package, Versions, answer, parse};
use crate::address::ProviderAddress;
use crate::cli_config::CliConfiguration;
use crate::error::InstallError;
use crate::hashes::{PackageHash, Sum, known};
use crate::http::{Document, Http};
use crate::platform::Platform;
use crate::verification::{Claim, Policy, verify};

/// The registry of a host.
pub(crate) struct Registry {
    host: String,
    http: Http,
    configuration: Arc<CliConfiguration>,
    policy: Policy,
    retries: Option<u32>,
    service: OnceCell<Service>,
}

#[derive(Deserialize)]
struct VersionList {
    versions: Option<Vec<VersionEntry>>,
    warnings: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct VersionEntry {
    version: String,
    protocols: Option<Vec<String>>,
    platforms: Option<Vec<PlatformEntry>>,
}

#[derive(Deserialize)]
struct PlatformEntry {
    os: String,
    arch: String,
}

#[derive(Deserialize)]
struct Metadata {
    protocols: Option<Vec<String>>,
    os: String,
    arch: String,
    filename: String,
    download_url: String,
    shasum: String,
    shasums_url: String,
    #[serde(default)]
    shasums_signature_url: String,
    #[serde(default)]
    signing_keys: SigningKeys,
    /// OpenTofu's registry: the hashes of the packages for all platforms, with `h1:`.
    packages: Option<std::collections::BTreeMap<String, PackageEntry>>,
}

#[derive(Default, Deserialize)]
struct SigningKeys {
    gpg_public_keys: Option<Vec<SigningKey>>,
}

#[derive(Deserialize)]
struct SigningKey {
    ascii_armor: String,
}

#[derive(Deserialize)]
struct PackageEntry {
    hashes: Option<Vec<String>>,
}

impl Registry {
    pub(crate) fn new(
        host: &str,
        http: Http,
        configuration: Arc<CliConfiguration>,
        policy: Policy,
        retries: Option<u32>,
    ) -> Self {
        Self { host: host.to_owned(), http, configuration, policy, retries, service: OnceCell::new() }
    }

    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    async fn service(&self) -> Result<&Service, InstallError> {
        self.service.get_or_try_init(|| discover(&self.http, &self.configuration, &self.host)).await
    }

    /// A document below the registry's address. `None`: there is none.
    async fn ask(&self, path: &str) -> Result<Option<Document>, InstallError> {
        let service = self.service().await?;
        let url = service.url.join(path).map_err(|error| answer(&service.url, error.to_string()))?;
        match self.http.document(&url, &service.access).await {
            Err(error) if error.status() == Some(404) => Ok(None),
            document => Ok(Some(document?)),
        }
    }

    pub(super) async fn versions(&self, address: &ProviderAddress) -> Result<Option<Versions>, InstallError> {
        let path = format!("{}/{}/versions", address.namespace, address.provider_type);
        let Some(document) = self.ask(&path).await? else { return Ok(None) };
        let list: VersionList = parse(&document)?;
        let listed = |entry: VersionEntry| {
            let platforms = entry.platforms.unwrap_or_default().into_iter();
            Some(Listed {
                // One odd version among many is no reason to have none.
                version: Version::parse(&entry.version).ok()?,
                protocols: entry.protocols.unwrap_or_default(),
                platforms: platforms.map(|PlatformEntry { os, arch }| format!("{os}_{arch}")).collect(),
            })
        };
        let listed = list.versions.unwrap_or_default().into_iter().filter_map(listed).collect();
        Ok(Some(Versions { listed, warnings: list.warnings.unwrap_or_default() }))
    }

    pub(super) async fn package(
        &self,
        address: &ProviderAddress,
        version: &Version,
        platform: &Platform,
    ) -> Result<Option<Package>, InstallError> {
        let ProviderAddress { namespace, provider_type, .. } = address;
        let Platform { system, architecture } = platform;
        let path = format!("{namespace}/{provider_type}/{version}/download/{system}/{architecture}");
        let Some(document) = self.ask(&path).await? else { return Ok(None) };
        let metadata: Metadata = parse(&document)?;
        if metadata.os != *system || metadata.arch != *architecture {
            let reason = format!("asked for {platform}, and got {}_{}", metadata.os, metadata.arch);
            return Err(answer(&document.url, reason));
        }
        self.check_protocol(address, version, &metadata).await?;
        self.verified(address, version, platform, &metadata, &document.url).await.map(Some)
    }

    /// At least one of 5 and 6, when the registry says anything.
    async fn check_protocol(
        &self,
        address: &ProviderAddress,
        version: &Version,
        metadata: &Metadata,
    ) -> Result<(), InstallError> {
        let protocols = metadata.protocols.clone().unwrap_or_default();
        if protocols.is_empty() || protocols.iter().any(|protocol| is_spoken(protocol)) {
            return Ok(());
        }
        let listed = self.versions(address).await?.unwrap_or_default().listed;
        let fits = listed.iter().filter(|listed| listed.protocols.iter().any(|protocol| is_spoken(protocol)));
        let closest = fits.map(|listed| listed.version.clone()).max();
        Err(InstallError::Protocol { address: address.clone(), version: version.clone(), protocols, closest })
    }

    /// The package, after what the registry says about it was verified.
    async fn verified(
        &self,
        address: &ProviderAddress,
        version: &Version,
        platform: &Platform,
        metadata: &Metadata,
        asked: &Url,
    ) -> Result<Package, InstallError> {
        let access = &self.service().await?.access;
        let url = |given: &str, name| {
            let url = asked.join(given).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
            url.filter(|_| !given.is_empty())
                .ok_or_else(|| answer(asked, format!("its {name} {given:?} is no address")))
        };
        let archive = url(&metadata.download_url, "download_url")?;
        let checksum = Sum::parse(&metadata.shasum);
        let checksum =
            checksum.ok_or_else(|| answer(asked, format!("its shasum {:?} is no SHA-256", metadata.shasum)))?;
        let keys = metadata.signing_keys.gpg_public_keys.iter().flatten();
        let keys: Vec<String> = keys.map(|key| key.ascii_armor.clone()).collect();
        let list = self.http.document(&url(&metadata.shasums_url, "shasums_url")?, access).await?.body;
        let signature = match keys.is_empty() {
            true => Vec::new(),
            false => {
                let url = url(&metadata.shasums_signature_url, "shasums_signature_url")?;
                self.http.document(&url, access).await?.body
            }
        };
        let (filename, list, signature) = (metadata.filename.as_str(), list.as_slice(), signature.as_slice());
        let claim = Claim { address, filename, checksum, list, signature, keys: &keys };
        let verified = verify(&claim, self.policy, SystemTime::now()).map_err(|reason| InstallError::Unverified {
            address: address.clone(),
            version: version.clone(),
            place: format!("the registry {}", self.host),
            reason,
        })?;
        let mut required = vec![PackageHash::Archive(checksum)];
        let mut hashes = verified.hashes;
        for (name, package) in metadata.packages.iter().flatten() {
            let announced = known(package.hashes.iter().flatten());
            if *name == platform.to_string() && !announced.is_empty() && !announced.contains(&required[0]) {
                return Err(answer(asked, format!("its hashes for {platform} are not those of its shasum {checksum}")));
            }
            hashes.extend(announced);
        }
        required.truncate(1);
        let content = Content::Download { url: archive, access: access.clone(), retries: self.retries };
        Ok(Package { version: version.clone(), content, required, hashes, warnings: verified.warnings })
    }
}

/// Whether a version of the plugin protocol is one of those that this program speaks.
fn is_spoken(protocol: &str) -> bool {
    matches!(protocol.split('.').next(), Some("5" | "6"))
}
