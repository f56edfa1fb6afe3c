//! A package of scripts as a plugin of its own: what stands beside the executable and decides what is served.
//!
//! ```text
//! terraform-provider-infra_v1.2.0     this program
//! infra.denobridge.json               what the package is, with what its scripts say of themselves
//! infra.denobridge/                   the scripts and the modules that they load
//! ```
//!
//! Nothing is asked of the scripts at the start. Names begin with the package's, so that Terraform, which takes the first
//! `terraform-provider-infra…` in a folder for the provider, finds the program.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use denobridge_pulumi::PackageOptions;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::folder::Manifest;
use super::packages::package_options;
use super::{ScriptPackage, TypedError};
use crate::deno::command::NO_CONFIG;

/// The form that is written here. One of a later version of ours has a higher number.
const FORM: u32 = 1;

/// How names of programs begin that can be released packages.
const PROGRAMS: [&str; 2] = ["terraform-provider-", "pulumi-resource-"];

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

/// Why a released package cannot be served.
#[derive(Debug, Error)]
#[error("{} cannot be used: {reason}", path.display())]
pub struct ReleaseError {
    /// The file beside the executable.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
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
        format!("{package}.denobridge.json")
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
    pub fn of_process() -> Result<Option<Self>, ReleaseError> {
        let called = std::env::args_os().next().map(PathBuf::from);
        let ours = std::env::current_exe().ok();
        Self::beside(called.as_deref(), ours.as_deref())
    }

    /// The package beside the program under the name it was called by, where links are not followed, or beside the file that
    /// it is.
    fn beside(called: Option<&Path>, ours: Option<&Path>) -> Result<Option<Self>, ReleaseError> {
        let programs: Vec<&Path> = called.into_iter().chain(ours).collect();
        let Some(name) = programs.iter().find_map(|program| package_of(program.file_name()?)) else { return Ok(None) };
        let resolved = ours.and_then(|program| program.canonicalize().ok());
        for folder in programs.into_iter().chain(resolved.as_deref()).filter_map(Path::parent) {
            let path = folder.join(Self::file_name(&name));
            match std::fs::read_to_string(&path) {
                Ok(text) => return Self::read(&text, folder).map(Some).map_err(|reason| ReleaseError { path, reason }),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(ReleaseError { path, reason: error.to_string() }),
            }
        }
        Ok(None)
    }

    fn read(text: &str, folder: &Path) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Form {
            form: u32,
        }
        let Form { form } = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if form != FORM {
            return Err(format!("it has the form {form}, of a later version of this program"));
        }
        let mut release: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let package = &mut release.package;
        let folder = std::path::absolute(folder).map_err(|error| error.to_string())?;
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

/// The package that a program is called after: `infra` for `terraform-provider-infra_v1.2.0.exe`.
fn package_of(program: &OsStr) -> Option<String> {
    let name = program.to_str()?;
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let name = PROGRAMS.iter().find_map(|beginning| name.strip_prefix(beginning))?;
    // No package has an underscore in its name.
    Some(name.split('_').next().unwrap_or(name).to_owned()).filter(|name| !name.is_empty())
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
    fn programs_are_called_after_packages() {
        for (program, name) in [
            ("terraform-provider-infra_v1.2.0", Some("infra")),
            ("terraform-provider-my-infra_v1.2.0.exe", Some("my-infra")),
            ("terraform-provider-infra", Some("infra")),
            ("pulumi-resource-infra.exe", Some("infra")),
            ("denobridge", None),
            ("terraform-provider-", None),
        ] {
            assert_eq!(package_of(OsStr::new(program)).as_deref(), name, "{program}");
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
        let found = || Release::beside(Some(&called), Some(&path("real/denobridge")));
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
