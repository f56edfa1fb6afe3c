//! Puts a provider that was just built in front of Terraform: an entry under `dev_overrides` in the CLI configuration.
//!
//! ```no_run
//! # fn main() -> Result<(), denobridge_terraform::install::InstallError> {
//! use denobridge_terraform::install::{self, DevOverride};
//!
//! let provider = DevOverride::of_this_program("registry.terraform.io/example/tiny")?;
//! println!("{:?}", install::write(&provider, &install::configuration_file()?)?);
//! # Ok(())
//! # }
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// First line of every file that [`write()`] makes.
const HEADING: &str =
    "# Written by a provider that was built here. Delete this file to use released providers again.\n";

/// A provider and where its executable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DevOverride {
    /// The source address, such as `registry.terraform.io/example/tiny` or `example/tiny`.
    pub address: String,
    /// The directory of the executable `terraform-provider-<type>`.
    pub directory: PathBuf,
}

/// What [`write()`] did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Installed {
    /// The file is new, or was ours and has changed.
    Written(PathBuf),
    /// The file said so already.
    Unchanged(PathBuf),
}

/// Why a provider could not be installed.
#[derive(Debug, Error)]
pub enum InstallError {
    /// Terraform would not look at the program.
    #[error(
        "{address:?} is served by an executable named terraform-provider-{expected}, but this one is {found:?}: rename it"
    )]
    ProgramName {
        /// The provider's address.
        address: String,
        /// The last part of the address.
        expected: String,
        /// The file name of the program.
        found: String,
    },
    /// There is no home directory to put the file into.
    #[error("cannot tell where the CLI configuration is: set TF_CLI_CONFIG_FILE to its path")]
    NoHome,
    /// The path is no text, which HCL files must be.
    #[error("{0:?} is not Unicode, so that no CLI configuration can name it")]
    NotUnicode(PathBuf),
    /// The file has settings of someone else.
    #[error("{path} has other settings, which stay as they are; add this to them by hand:\n\n{wanted}", path = path.display())]
    ForeignSettings {
        /// The CLI configuration.
        path: PathBuf,
        /// What it should say.
        wanted: String,
    },
    /// Reading or writing failed.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl DevOverride {
    /// The program that runs now, as the provider of that source address.
    ///
    /// # Errors
    /// The program has no name by which Terraform would find it, or its own path is not known.
    pub fn of_this_program(address: impl Into<String>) -> Result<Self, InstallError> {
        let failed = |source| InstallError::File { path: PathBuf::from("this program"), source };
        Self::of_program(address.into(), &std::env::current_exe().map_err(failed)?)
    }

    fn of_program(address: String, program: &Path) -> Result<Self, InstallError> {
        let expected = address.rsplit('/').next().unwrap_or_default().to_owned();
        let found = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let named = found.strip_prefix("terraform-provider-").and_then(|rest| rest.strip_prefix(expected.as_str()));
        // A version may follow, such as `_v1.0.0`.
        if !named.is_some_and(|rest| rest.is_empty() || rest.starts_with('_')) {
            return Err(InstallError::ProgramName { address, expected, found });
        }
        Ok(Self { address, directory: program.parent().unwrap_or(Path::new(".")).to_owned() })
    }

    /// The CLI configuration that makes Terraform and OpenTofu use the provider. All other providers still come from where
    /// they came from before.
    ///
    /// # Errors
    /// The directory cannot be written as text.
    pub fn configuration(&self) -> Result<String, InstallError> {
        Ok(render(&[self.entry()?].into()))
    }

    fn entry(&self) -> Result<(String, String), InstallError> {
        let directory = self.directory.to_str().ok_or_else(|| InstallError::NotUnicode(self.directory.clone()))?;
        Ok((quoted(&self.address), quoted(directory)))
    }
}

/// The CLI configuration that Terraform reads: `TF_CLI_CONFIG_FILE`, else `~/.terraformrc` (`%APPDATA%\terraform.rc` on
/// Windows). OpenTofu reads the same unless the user has a `.tofurc`.
///
/// # Errors
/// No environment variable tells where the user's files are.
pub fn configuration_file() -> Result<PathBuf, InstallError> {
    let path = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(named) = path("TF_CLI_CONFIG_FILE") {
        return Ok(named);
    }
    let (home, file) = if cfg!(windows) { ("APPDATA", "terraform.rc") } else { ("HOME", ".terraformrc") };
    Ok(path(home).ok_or(InstallError::NoHome)?.join(file))
}

/// Writes the provider into the CLI configuration at `path`. Entries that other calls have written stay.
///
/// # Errors
/// The file has anything that this function did not write: it is then left alone, and the error says what to add. Or it
/// cannot be read or written.
pub fn write(provider: &DevOverride, path: &Path) -> Result<Installed, InstallError> {
    let failed = |source| InstallError::File { path: path.to_owned(), source };
    let existing = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let text = provider.configuration()?;
            // Fails rather than replaces a file that has come up in between.
            let mut file = std::fs::File::create_new(path).map_err(failed)?;
            file.write_all(text.as_bytes()).map_err(failed)?;
            return Ok(Installed::Written(path.to_owned()));
        }
        Err(error) => return Err(failed(error)),
    };
    let Some(mut entries) = entries(&existing) else {
        let wanted = provider.configuration()?.replacen(HEADING, "", 1);
        return Err(InstallError::ForeignSettings { path: path.to_owned(), wanted });
    };
    entries.extend([provider.entry()?]);
    let text = render(&entries);
    if text == existing {
        return Ok(Installed::Unchanged(path.to_owned()));
    }
    std::fs::write(path, text).map_err(failed)?;
    Ok(Installed::Written(path.to_owned()))
}

/// The file for these entries, both parts quoted.
fn render(entries: &BTreeMap<String, String>) -> String {
    let mut text = format!("{HEADING}provider_installation {{\n  dev_overrides {{\n");
    for (address, directory) in entries {
        let _ = writeln!(text, "    {address} = {directory}");
    }
    text.push_str("  }\n  direct {}\n}\n");
    text
}

/// The entries of a file that is ours to the last byte, or has nothing in it; `None` for any other.
fn entries(text: &str) -> Option<BTreeMap<String, String>> {
    if text.trim().is_empty() {
        return Some(BTreeMap::new());
    }
    let entry = |line: &str| {
        let (address, directory) = line.strip_prefix("    ")?.split_once(" = ")?;
        Some((address.to_owned(), directory.to_owned()))
    };
    let entries = text.lines().filter_map(entry).collect();
    (render(&entries) == text).then_some(entries)
}

/// A string of HCL.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', r"\\").replace('"', "\\\"").replace("${", "$${").replace("%{", "%%{");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiny(directory: &str) -> DevOverride {
        DevOverride { address: "example/tiny".to_owned(), directory: directory.into() }
    }

    /// F63: a self-install helper for `dev_overrides`.
    #[test]
    fn f63_entries_are_added_and_changed_and_nothing_else_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rc");
        let written = Installed::Written(path.clone());
        assert_eq!(write(&tiny("/a"), &path).unwrap(), written);
        assert_eq!(write(&tiny("/a"), &path).unwrap(), Installed::Unchanged(path.clone()));
        assert_eq!(write(&tiny("/b"), &path).unwrap(), written);
        let other = DevOverride { address: "example/other".to_owned(), directory: "/o".into() };
        assert_eq!(write(&other, &path).unwrap(), written);
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = "provider_installation {\n  dev_overrides {\n    \"example/other\" = \"/o\"\n    \
                        \"example/tiny\" = \"/b\"\n  }\n  direct {}\n}\n";
        assert_eq!(text, format!("{HEADING}{expected}"));
    }

    #[test]
    fn f63_foreign_settings_are_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rc");
        let ours = tiny("/a").configuration().unwrap();
        for foreign in ["plugin_cache_dir = \"/cache\"\n".to_owned(), ours + "# mine\n"] {
            std::fs::write(&path, &foreign).unwrap();
            let error = write(&tiny("/b"), &path).unwrap_err().to_string();
            assert!(error.contains("stay as they are") && error.contains("\"example/tiny\" = \"/b\""), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), foreign);
        }
    }

    #[test]
    fn f63_a_program_must_have_the_name_that_terraform_looks_for() {
        let of_program = |name| DevOverride::of_program("example/tiny".to_owned(), &Path::new("/bin").join(name));
        assert_eq!(of_program("terraform-provider-tiny").unwrap(), tiny("/bin"));
        assert_eq!(of_program("terraform-provider-tiny.exe").unwrap(), tiny("/bin"));
        assert_eq!(of_program("terraform-provider-tiny_v1.exe").unwrap(), tiny("/bin"));
        for other in ["tiny", "terraform-provider-tinyish"] {
            let error = of_program(other).unwrap_err().to_string();
            assert!(error.contains("named terraform-provider-tiny, but"), "{error}");
        }
    }

    #[test]
    fn f63_paths_are_quoted_as_hcl_wants_them() {
        assert_eq!(quoted(r#"C:\a "b" ${c}"#), r#""C:\\a \"b\" $${c}""#);
    }
}
