//! The provider network mirror protocol.
//!
//! <https://opentofu.org/docs/internals/provider-network-mirror-protocol/>

use std::collections::BTreeMap;
use std::sync::Arc;

use reqwest::Url;
use semver::Version;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::discovery::token_of;
use super::{Content, Listed, Package, Versions, answer, parse};
use crate::address::ProviderAddress;
use crate::cli_config::CliConfiguration;
use crate::error::InstallError;
use crate::hashes::known;
use crate::http::{Access, Document, Http};
use crate::platform::Platform;

/// A server with copies. Who configures one trusts it: its word is verified by nothing but TLS.
pub(crate) struct NetworkMirror {
    url: Url,
    http: Http,
    configuration: Arc<CliConfiguration>,
    retries: Option<u32>,
    trusts_all_hashes: bool,
}

#[derive(Deserialize)]
struct Index {
    versions: BTreeMap<String, IgnoredAny>,
}

#[derive(Deserialize)]
struct Archives {
    archives: BTreeMap<String, Archive>,
}

#[derive(Deserialize)]
struct Archive {
    url: String,
    hashes: Option<Vec<String>>,
}

impl NetworkMirror {
    pub(crate) fn new(
        url: Url,
        http: Http,
        configuration: &Arc<CliConfiguration>,
        retries: Option<u32>,
        trusts_all_hashes: bool,
    ) -> Self {
        Self { url, http, configuration: Arc::clone(configuration), retries, trusts_all_hashes }
    }

    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    async fn access(&self) -> Result<Access, InstallError> {
        let mut access = Access::default();
        access.grant(&self.url, token_of(&self.url, &self.configuration).await?.as_ref());
        Ok(access)
    }

    async fn ask(&self, address: &ProviderAddress, name: &str) -> Result<Option<Document>, InstallError> {
        let path = format!("./{address}/{name}");
        let url = self.url.join(&path).map_err(|error| answer(&self.url, error.to_string()))?;
        match self.http.json(&url, &self.access().await?).await {
            Err(error) if error.status() == Some(404) => Ok(None),
            document => Ok(Some(document?)),
        }
    }

    pub(super) async fn versions(&self, address: &ProviderAddress) -> Result<Option<Versions>, InstallError> {
        let Some(document) = self.ask(address, "index.json").await? else { return Ok(None) };
        let index: Index = parse(&document)?;
        let versions = index.versions.keys().filter_map(|version| Version::parse(version).ok());
        let listed = versions.map(|version| Listed { version, protocols: Vec::new(), platforms: Vec::new() });
        Ok(Some(Versions { listed: listed.collect(), warnings: Vec::new() }))
    }

    pub(super) async fn package(
        &self,
        address: &ProviderAddress,
        version: &Version,
        platform: &Platform,
    ) -> Result<Option<Package>, InstallError> {
        let Some(document) = self.ask(address, &format!("{version}.json")).await? else { return Ok(None) };
        let archives: Archives = parse(&document)?;
        let Some(archive) = archives.archives.get(&platform.to_string()) else { return Ok(None) };
        let url = document.url.join(&archive.url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = url.ok_or_else(|| answer(&document.url, format!("{:?} is no address of an archive", archive.url)))?;
        let required = known(archive.hashes.iter().flatten());
        if required.is_empty() && archive.hashes.as_ref().is_some_and(|hashes| !hashes.is_empty()) {
            return Err(answer(&document.url, "its hashes are in none of the known schemes zh: and h1:"));
        }
        let hashes = match self.trusts_all_hashes {
            true => known(archives.archives.values().flat_map(|archive| archive.hashes.iter().flatten())),
            false => required.clone(),
        };
        let content = Content::Download { url, access: self.access().await?, retries: self.retries };
        Ok(Some(Package { version: version.clone(), content, required, hashes, warnings: Vec::new() }))
    }
}
