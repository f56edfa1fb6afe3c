//! A registry that also is a network mirror: everything that was published is under both protocols.
//!
//! ```text
//! /.well-known/terraform.json
//! /v1/providers/NAMESPACE/TYPE/versions, …/VERSION/download/SYSTEM/ARCHITECTURE
//! /mirror/HOST/NAMESPACE/TYPE/index.json, …/VERSION.json
//! /files/…
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::authority::Authority;
use crate::keys::SigningKey;
use crate::package::Package;
use crate::server::{Reply, Request, Server};

/// A registry, until it is dropped.
pub struct Registry {
    /// The server, for faults and for what was asked.
    pub server: Server,
    published: Arc<Mutex<BTreeMap<String, Version>>>,
    files: Arc<Mutex<BTreeMap<String, Vec<u8>>>>,
}

/// A version that was published.
struct Version {
    package: Package,
    keys: Vec<String>,
    archive_sum: String,
}

impl Registry {
    /// Starts with nothing published.
    pub async fn start(authority: &Authority) -> Self {
        let published = Arc::<Mutex<BTreeMap<String, Version>>>::default();
        let files = Arc::<Mutex<BTreeMap<String, Vec<u8>>>>::default();
        let own = (Arc::clone(&published), Arc::clone(&files));
        let server = Server::start(authority, move |request| {
            let published = own.0.lock().unwrap_or_else(PoisonError::into_inner);
            let files = own.1.lock().unwrap_or_else(PoisonError::into_inner);
            answer(request, &published, &files)
        });
        Self { server: server.await, published, files }
    }

    /// `localhost:PORT`.
    #[must_use]
    pub fn host(&self) -> String {
        self.server.host()
    }

    /// The address to configure as a network mirror.
    #[must_use]
    pub fn mirror(&self) -> String {
        format!("{}/mirror/", self.server.url())
    }

    /// Publishes a version. The first key signs, and all are announced; without any there is no signature.
    pub fn publish(&self, package: &Package, keys: &[&SigningKey]) {
        self.publish_signed(package, keys.first().copied(), keys);
    }

    /// Publishes a version that is signed with one key, and announces others.
    pub fn publish_signed(&self, package: &Package, signer: Option<&SigningKey>, announced: &[&SigningKey]) {
        let archive = package.archive();
        let archive_sum = hex(&archive);
        let mut list = String::new();
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        for platform in &package.platforms {
            let name = package.archive_name(platform);
            let _ = writeln!(list, "{archive_sum}  {name}");
            files.insert(name, archive.clone());
        }
        let name = list_name(package);
        if let Some(signer) = signer {
            files.insert(format!("{name}.sig"), signer.sign(list.as_bytes()));
        }
        files.insert(name, list.into_bytes());
        let keys = announced.iter().map(|key| key.public()).collect();
        let version = Version { package: package.clone(), keys, archive_sum };
        let key = format!("{}/{}/{}", package.namespace, package.provider_type, package.version);
        self.published.lock().unwrap_or_else(PoisonError::into_inner).insert(key, version);
    }

    /// Replaces a file by its name, behind the back of whoever announced it.
    pub fn replace(&self, name: &str, content: &[u8]) {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), content.to_vec());
    }

    /// How often an archive was downloaded, or asked for.
    #[must_use]
    pub fn downloads(&self) -> usize {
        self.server.asked().iter().filter(|request| request.path.ends_with(".zip")).count()
    }
}

fn list_name(package: &Package) -> String {
    format!("terraform-provider-{}_{}_SHA256SUMS", package.provider_type, package.version)
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn answer(request: &Request, published: &BTreeMap<String, Version>, files: &BTreeMap<String, Vec<u8>>) -> Reply {
    let parts: Vec<&str> = request.path.trim_start_matches('/').split('/').collect();
    let of_provider = |namespace: &str, provider_type: &str| {
        let of = move |version: &&Version| {
            version.package.namespace == namespace && version.package.provider_type == provider_type
        };
        published.values().filter(of).collect::<Vec<_>>()
    };
    let found = match parts.as_slice() {
        [".well-known", "terraform.json"] => Some(json!({ "providers.v1": "/v1/providers/" })),
        ["v1", "providers", namespace, provider_type, "versions"] => versions(&of_provider(namespace, provider_type)),
        ["v1", "providers", namespace, provider_type, version, "download", system, architecture] => {
            let version = published.get(&format!("{namespace}/{provider_type}/{version}"));
            version.and_then(|version| metadata(version, system, architecture))
        }
        ["mirror", _, namespace, provider_type, "index.json"] => {
            let versions = of_provider(namespace, provider_type).into_iter();
            let versions: serde_json::Map<_, _> =
                versions.map(|version| (version.package.version.clone(), json!({}))).collect();
            (!versions.is_empty()).then(|| json!({ "versions": versions }))
        }
        ["mirror", _, namespace, provider_type, file] => {
            let version = file.trim_end_matches(".json");
            published.get(&format!("{namespace}/{provider_type}/{version}")).map(archives)
        }
        ["files", name] => return files.get(*name).cloned().map_or_else(|| Reply::status(404), Reply::bytes),
        _ => None,
    };
    found.map_or_else(|| Reply::status(404), |json| Reply::json(&json))
}

fn versions(published: &[&Version]) -> Option<Value> {
    let entry = |version: &&Version| {
        let platform = |platform: &String| platform.split_once('_').map(|(os, arch)| json!({ "os": os, "arch": arch }));
        let platforms: Vec<_> = version.package.platforms.iter().filter_map(platform).collect();
        json!({ "version": version.package.version, "protocols": version.package.protocols, "platforms": platforms })
    };
    (!published.is_empty()).then(|| json!({ "versions": published.iter().map(entry).collect::<Vec<_>>() }))
}

fn metadata(version: &Version, system: &str, architecture: &str) -> Option<Value> {
    let package = &version.package;
    let platform = format!("{system}_{architecture}");
    if !package.platforms.contains(&platform) {
        return None;
    }
    let (archive, list) = (package.archive_name(&platform), list_name(package));
    let keys: Vec<_> = version.keys.iter().map(|key| json!({ "ascii_armor": key })).collect();
    Some(json!({
        "protocols": package.protocols,
        "os": system,
        "arch": architecture,
        "filename": archive,
        "download_url": format!("/files/{archive}"),
        "shasum": version.archive_sum,
        "shasums_url": format!("/files/{list}"),
        "shasums_signature_url": format!("/files/{list}.sig"),
        "signing_keys": { "gpg_public_keys": keys },
    }))
}

/// A mirror's addresses are relative to the document.
fn archives(version: &Version) -> Value {
    let archive = |platform: &String| {
        let url = format!("../../../../files/{}", version.package.archive_name(platform));
        (platform.clone(), json!({ "url": url, "hashes": [format!("zh:{}", version.archive_sum)] }))
    };
    let archives: serde_json::Map<_, _> = version.package.platforms.iter().map(archive).collect();
    json!({ "archives": archives })
}
