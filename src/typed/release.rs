//! A package of scripts as a plugin of its own: what stands beside the executable and decides what is served.
//!
//! ```text
//! terraform-provider-infra_v1.2.0     this program
//! infra.denobridge.json               what the package is, with what its scripts say of themselves
//! infra.denobridge/                   the scripts and the modules that they load
//! ```
//!
//! Nothing is asked of the scripts at the start.

use denobridge_pulumi::PackageOptions;
use serde::{Deserialize, Serialize};

use super::folder::Manifest;
use super::packages::package_options;
use super::{ScriptPackage, TypedError};
use crate::deno::command::NO_CONFIG;
use crate::sidecar::{FORM, Sidecar, SidecarError};

/// What a released package is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Release {
    form: u32,
    /// Terraform's source address, such as `registry.terraform.io/acme/infra`.
    pub address: String,
    /// Where Pulumi downloads the plugin from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub download_url: Option<String>,
    /// What the package says of itself.
    pub manifest: Manifest,
    /// What its provider is made of. Where its scripts are is relative to the release's folder in the file, and absolute once
    /// it was found.
    pub package: ScriptPackage,
}

impl Release {
    /// A release of a package whose scripts' locations are relative to the release's folder.
    #[must_use]
    pub fn new(address: String, manifest: Manifest, package: ScriptPackage) -> Self {
        Self { form: FORM, address, download_url: None, manifest, package }
    }

    /// The package as Pulumi's schema describes it.
    ///
    /// # Errors
    /// Its components cannot have the names that they should.
    pub fn package_options(&self) -> Result<PackageOptions, TypedError> {
        let options = package_options(&self.package, &self.manifest)?;
        Ok(PackageOptions { plugin_download_url: self.download_url.clone(), ..options })
    }

    /// The name of the file beside the executable.
    #[must_use]
    pub fn file_name(package: &str) -> String {
        Sidecar::file_name(package)
    }

    /// The name of the folder with the scripts.
    #[must_use]
    pub fn folder_name(package: &str) -> String {
        format!("{package}.denobridge")
    }

    /// The package that this process was released with; none for the program without scripts of its own.
    ///
    /// # Errors
    /// There is one that makes no sense.
    pub fn of_process() -> Result<Option<Self>, SidecarError> {
        Sidecar::of_process()?.map(|sidecar| Self::read(&sidecar)).transpose()
    }

    fn read(sidecar: &Sidecar) -> Result<Self, SidecarError> {
        let mut release: Self = sidecar.read()?;
        let package = &mut release.package;
        let folder = std::path::absolute(&sidecar.folder).map_err(|error| sidecar.fault(error))?;
        let root = folder.join(Self::folder_name(&package.name));
        let absolute = |path: &str| root.join(path).display().to_string();
        if let Some(config) = package.config_file.as_mut().filter(|config| *config != NO_CONFIG) {
            *config = absolute(config);
        }
        for script in &mut package.scripts {
            script.location = absolute(&script.location);
        }
        Ok(release)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package() -> ScriptPackage {
        ScriptPackage {
            name: "infra".to_owned(),
            version: "1.2.0".to_owned(),
            description: None,
            config: None,
            config_file: Some("deno.json".to_owned()),
            scripts: Vec::new(),
        }
    }

    #[test]
    fn is_found_beside_the_name_and_then_beside_the_file() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        for folder in ["named", "real"] {
            std::fs::create_dir(path(folder)).unwrap();
        }
        std::fs::write(path("real/denobridge"), "").unwrap();
        let called = path("named/terraform-provider-infra");
        let found = || {
            let sidecar = Sidecar::beside(Some(&called), Some(&path("real/denobridge")))?;
            sidecar.map(|sidecar| Release::read(&sidecar)).transpose()
        };
        assert!(found().unwrap().is_none());
        let write = |folder: &str, address: &str| {
            let release = Release::new(address.to_owned(), Manifest::default(), package());
            let text = serde_json::to_string(&release).unwrap();
            std::fs::write(path(folder).join("infra.denobridge.json"), text).unwrap();
        };
        write("real", "of/the/file");
        assert_eq!(found().unwrap().unwrap().address, "of/the/file");
        write("named", "of/the/name");
        let release = found().unwrap().unwrap();
        assert_eq!(release.address, "of/the/name");
        let config = path("named").join("infra.denobridge").join("deno.json");
        assert_eq!(release.package.config_file, Some(config.display().to_string()));
        std::fs::write(path("named/infra.denobridge.json"), "{\"form\": 2}").unwrap();
        assert!(found().unwrap_err().to_string().contains("later version"));
    }
}
