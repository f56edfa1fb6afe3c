//! Folders with copies of providers, in either layout that Terraform knows.
//!
//! ```text
//! FOLDER/HOST/NAMESPACE/TYPE/VERSION/SYSTEM_ARCHITECTURE/                              unpacked
//! FOLDER/HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_SYSTEM_ARCHITECTURE.zip   packed
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use semver::Version;

use super::{Content, Listed, Package, Versions};
use crate::address::ProviderAddress;
use crate::error::InstallError;
use crate::platform::Platform;

/// A folder with copies. Who fills one vouches for what is in it.
pub(crate) struct FilesystemMirror {
    folder: PathBuf,
    must_exist: bool,
}

/// Where a provider is in a folder, below which versions are.
pub(crate) fn provider_folder(folder: &Path, address: &ProviderAddress) -> PathBuf {
    // A colon in a name is something else on Windows. Terraform has the port in the name everywhere.
    folder.join(&address.hostname).join(&address.namespace).join(&address.provider_type)
}

/// A version for a platform.
struct Found {
    version: Version,
    platform: Platform,
    content: Content,
}

impl FilesystemMirror {
    /// A folder that the user has configured, and which must therefore be there.
    pub(crate) fn configured(folder: PathBuf) -> Self {
        Self { folder, must_exist: true }
    }

    /// A folder that counts when it is there.
    pub(crate) fn implied(folder: PathBuf) -> Self {
        Self { folder, must_exist: false }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether it has any version of a provider, for any platform.
    pub(crate) fn has(&self, address: &ProviderAddress) -> bool {
        self.found(address).is_ok_and(|found| !found.is_empty())
    }

    pub(super) fn versions(&self, address: &ProviderAddress) -> Result<Option<Versions>, InstallError> {
        let mut listed: Vec<Listed> = Vec::new();
        for found in self.found(address)? {
            let platform = found.platform.to_string();
            match listed.iter_mut().find(|listed| listed.version == found.version) {
                Some(listed) if listed.platforms.contains(&platform) => {}
                Some(listed) => listed.platforms.push(platform),
                None => {
                    listed.push(Listed { version: found.version, protocols: Vec::new(), platforms: vec![platform] });
                }
            }
        }
        Ok((!listed.is_empty()).then(|| Versions { listed, warnings: Vec::new() }))
    }

    /// The versions of a provider, from a folder that need not be readable.
    pub(crate) fn versions_here(&self, address: &ProviderAddress) -> Option<Vec<Version>> {
        Some(self.found(address).ok()?.into_iter().map(|found| found.version).collect())
    }

    pub(crate) fn package(
        &self,
        address: &ProviderAddress,
        version: &Version,
        platform: &Platform,
    ) -> Result<Option<Package>, InstallError> {
        let fits = |found: &Found| found.version == *version && found.platform == *platform;
        let found = self.found(address)?.into_iter().find(fits);
        Ok(found.map(|found| Package {
            version: found.version,
            content: found.content,
            required: Vec::new(),
            hashes: Vec::new(),
            warnings: Vec::new(),
        }))
    }

    /// Everything of a provider, packed before unpacked: archives can be compared with what registries sign.
    fn found(&self, address: &ProviderAddress) -> Result<Vec<Found>, InstallError> {
        if self.must_exist && !self.folder.is_dir() {
            let missing = io::Error::new(io::ErrorKind::NotFound, "this filesystem_mirror is no folder");
            return Err(InstallError::io(&self.folder)(missing));
        }
        let mut archives = Vec::new();
        let mut folders = Vec::new();
        for path in entries(&provider_folder(&self.folder, address))? {
            if path.is_dir() {
                folders.extend(unpacked(&path)?);
            } else {
                archives.extend(packed(&path, &address.provider_type));
            }
        }
        archives.extend(folders);
        Ok(archives)
    }
}

/// What is in a folder, in the order of names. A folder that is not there is empty.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, InstallError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(InstallError::io(folder)(error)),
    };
    let paths: io::Result<Vec<_>> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut paths = paths.map_err(InstallError::io(folder))?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

fn unpacked(version_folder: &Path) -> Result<Vec<Found>, InstallError> {
    let Some(version) = name(version_folder).and_then(|name| Version::parse(name).ok()) else { return Ok(Vec::new()) };
    let found = |path: PathBuf| {
        let platform = Platform::parse(name(&path)?)?;
        path.is_dir().then(|| Found { version: version.clone(), platform, content: Content::Folder(path) })
    };
    Ok(entries(version_folder)?.into_iter().filter_map(found).collect())
}

fn packed(path: &Path, provider_type: &str) -> Option<Found> {
    let name = name(path)?.to_lowercase();
    let inner = name.strip_prefix(&format!("terraform-provider-{provider_type}_"))?.strip_suffix(".zip")?;
    let (version, platform) = inner.split_once('_')?;
    Some(Found {
        version: Version::parse(version).ok()?,
        platform: Platform::parse(platform)?,
        content: Content::Archive(path.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_layouts_are_found_and_what_fits_neither_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let below = |path: &str| folder.path().join("registry.opentofu.org/a/b").join(path);
        for path in ["1.0.0/linux_amd64", "1.0.0/darwin_arm64", "1.1.0/linux", "x/linux_amd64"] {
            fs::create_dir_all(below(path)).unwrap();
        }
        for path in [
            "terraform-provider-b_1.0.0_linux_amd64.zip",
            "Terraform-Provider-b_2.0.0_linux_amd64.ZIP",
            "b_3.0.0_linux_amd64.zip",
        ] {
            fs::write(below(path), "").unwrap();
        }
        let mirror = FilesystemMirror::configured(folder.path().to_owned());
        let address = ProviderAddress::parse("a/b").unwrap();
        let listed = mirror.versions(&address).unwrap().unwrap().listed;
        let mut listed: Vec<_> =
            listed.iter().map(|listed| format!("{} {}", listed.version, listed.platforms.join(" "))).collect();
        listed.sort();
        assert_eq!(listed, ["1.0.0 linux_amd64 darwin_arm64", "2.0.0 linux_amd64"]);
        let platform = Platform::parse("linux_amd64").unwrap();
        let package = mirror.package(&address, &Version::new(1, 0, 0), &platform).unwrap().unwrap();
        assert!(matches!(package.content, Content::Archive(_)), "an archive is preferred");
        assert!(mirror.package(&address, &Version::new(9, 0, 0), &platform).unwrap().is_none());
        assert!(mirror.versions(&ProviderAddress::parse("a/c").unwrap()).unwrap().is_none());
    }

    #[test]
    fn a_configured_folder_must_be_there() {
        let address = ProviderAddress::parse("a/b").unwrap();
        assert!(FilesystemMirror::implied("/none".into()).versions(&address).unwrap().is_none());
        let error = FilesystemMirror::configured("/none".into()).versions(&address).unwrap_err();
        assert_eq!(error.to_string(), "/none: this filesystem_mirror is no folder");
    }
}
