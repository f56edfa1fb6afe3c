//! What stands beside the executable and decides what is served under its name: `NAME.denobridge.json`, where the executable is
//! `terraform-provider-NAME` or `pulumi-resource-NAME`, with or without a version.
//!
//! Names begin with the provider's, so that Terraform, which takes the first `terraform-provider-NAME…` in a folder for the
//! provider, finds the program.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The form that is written here. One of a later version of ours has a higher number.
pub(crate) const FORM: u32 = 1;

/// How names of programs begin that can have such a file.
const PROGRAMS: [&str; 2] = ["terraform-provider-", "pulumi-resource-"];

/// Such a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sidecar {
    /// Where it is.
    pub path: PathBuf,
    /// The folder that it is in.
    pub folder: PathBuf,
    text: String,
}

/// Why it cannot be used.
#[derive(Debug, Error)]
#[error("{} cannot be used: {reason}", path.display())]
pub struct SidecarError {
    /// The file beside the executable.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

impl Sidecar {
    /// Its name.
    pub fn file_name(name: &str) -> String {
        format!("{name}.denobridge.json")
    }

    /// That of this process.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn of_process() -> Result<Option<Self>, SidecarError> {
        let called = std::env::args_os().next().map(PathBuf::from);
        let ours = std::env::current_exe().ok();
        Self::beside(called.as_deref(), ours.as_deref())
    }

    /// The one beside the program under the name it was called by, where links are not followed, or beside the file that it
    /// is.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn beside(called: Option<&Path>, ours: Option<&Path>) -> Result<Option<Self>, SidecarError> {
        let programs: Vec<&Path> = called.into_iter().chain(ours).collect();
        let Some(name) = programs.iter().find_map(|program| name_of(program.file_name()?)) else { return Ok(None) };
        let resolved = ours.and_then(|program| program.canonicalize().ok());
        for folder in programs.into_iter().chain(resolved.as_deref()).filter_map(Path::parent) {
            let path = folder.join(Self::file_name(&name));
            match std::fs::read_to_string(&path) {
                Ok(text) => return Ok(Some(Self { path, folder: folder.to_owned(), text })),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(SidecarError { path, reason: error.to_string() }),
            }
        }
        Ok(None)
    }

    /// What it says.
    ///
    /// # Errors
    /// It says something else.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, SidecarError> {
        #[derive(Deserialize)]
        struct Form {
            form: u32,
        }
        let Form { form } = serde_json::from_str(&self.text).map_err(|error| self.fault(error))?;
        if form != FORM {
            return Err(self.fault(format!("it has the form {form}, of a later version of this program")));
        }
        serde_json::from_str(&self.text).map_err(|error| self.fault(error))
    }

    /// The same, as a fault of the file.
    pub fn fault(&self, reason: impl ToString) -> SidecarError {
        SidecarError { path: self.path.clone(), reason: reason.to_string() }
    }
}

/// What a program is called after: `infra` for `terraform-provider-infra_v1.2.0.exe`.
pub(crate) fn name_of(program: &OsStr) -> Option<String> {
    let name = program.to_str()?;
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let name = PROGRAMS.iter().find_map(|beginning| name.strip_prefix(beginning))?;
    // No provider that is called so has an underscore in its name: a version follows it.
    Some(name.split('_').next().unwrap_or(name).to_owned()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_called_after_what_they_serve() {
        for (program, name) in [
            ("terraform-provider-infra_v1.2.0", Some("infra")),
            ("terraform-provider-my-infra_v1.2.0.exe", Some("my-infra")),
            ("terraform-provider-infra", Some("infra")),
            ("pulumi-resource-infra.exe", Some("infra")),
            ("denobridge", None),
            ("terraform-provider-", None),
        ] {
            assert_eq!(name_of(OsStr::new(program)).as_deref(), name, "{program}");
        }
    }
}
