//! Which file of a package is the provider, and providers that are given by their path.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::environment::Environment;
use crate::error::InstallError;

/// How the name of every provider's executable begins.
pub const EXECUTABLE_PREFIX: &str = "terraform-provider-";

/// Whether a file name is that of a provider: `terraform-provider-TYPE`, alone or followed by `_` or `.`, as in
/// `terraform-provider-random_v3.6.3_x5` and `terraform-provider-random.exe`.
pub(crate) fn is_named(file_name: &str, provider_type: &str) -> bool {
    let rest = file_name.strip_prefix(EXECUTABLE_PREFIX).and_then(|name| name.strip_prefix(provider_type));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '.']))
}

/// The provider in a folder: the first one, in the order of names. `None`: there is none.
pub(crate) fn find(folder: &Path, provider_type: &str) -> Result<Option<PathBuf>, InstallError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(InstallError::io(folder)(error)),
    };
    let is_provider = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        is_named(name, provider_type) && path.is_file()
    };
    Ok(entries.flatten().map(|entry| entry.path()).filter(is_provider).min())
}

/// The provider that a package must have.
pub(crate) fn required(folder: &Path, provider_type: &str, place: &str) -> Result<PathBuf, InstallError> {
    let missing = || InstallError::NoExecutable {
        place: place.to_owned(),
        prefix: format!("{EXECUTABLE_PREFIX}{provider_type}"),
    };
    find(folder, provider_type)?.ok_or_else(missing)
}

/// A provider on this machine, given by its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalProvider {
    /// As it was given, and as it is to be stored: relative paths stay relative.
    pub given: String,
    /// What follows `terraform-provider-` in it, without `.exe` and, where files of releases have one, the version.
    pub name: String,
    /// The executable.
    pub executable: PathBuf,
}

/// Whether something that was given for a provider is a path and no address: its last part begins with
/// `terraform-provider-`. The file system is not asked.
#[must_use]
pub fn is_local_path(given: &str) -> bool {
    last_part(given).starts_with(EXECUTABLE_PREFIX)
}

fn last_part(given: &str) -> &str {
    given.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(given)
}

/// The name without the version in it that files of releases have: `time` of `time_v0.14.2_x5`. What could be the name of a
/// package as it stands is one, as in the Go bridge.
fn without_version(name: &str) -> &str {
    let begins_version = |at: usize| at > 0 && name[at + 2..].starts_with(|first: char| first.is_ascii_digit());
    let version = name.match_indices("_v").map(|(at, _)| at).find(|at| begins_version(*at));
    version.filter(|_| name.contains('.')).map_or(name, |at| &name[..at])
}

impl LocalProvider {
    /// Finds the provider that a path means: relative to the working directory, then to the folder of the nearest
    /// `Pulumi.yaml` upwards, so that a project works from its subfolders too. `~/` is the home folder.
    ///
    /// When there is no such file, one with a version after that name will do, as in the Go bridge:
    /// `./terraform-provider-random` finds `./terraform-provider-random_v3.6.3`.
    ///
    /// # Errors
    /// There is no such file, or it cannot be run.
    pub fn find(given: &str, environment: &Environment) -> Result<Self, InstallError> {
        let fault = |reason: String| InstallError::LocalPath { given: given.to_owned(), reason };
        let file_name = last_part(given);
        let name = file_name.strip_suffix(".exe").unwrap_or(file_name).strip_prefix(EXECUTABLE_PREFIX);
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            return Err(fault(format!("its last part does not begin with {EXECUTABLE_PREFIX:?}")));
        };
        let mut tried = Vec::new();
        for path in local_candidates(given, environment) {
            if path.is_dir() {
                return Err(fault(format!("{} is a folder", path.display())));
            }
            let folder = path.parent().unwrap_or(Path::new("."));
            let executable = if path.is_file() { Some(path.clone()) } else { find(folder, name)? };
            if let Some(executable) = executable {
                check_executable(&executable).map_err(fault)?;
                return Ok(Self { given: given.to_owned(), name: without_version(name).to_owned(), executable });
            }
            tried.push(path.display().to_string());
        }
        Err(fault(format!("there is no {}", tried.join(" and no "))))
    }
}

/// Where something that was given by its path may be: from the working directory, then from the folder of the nearest
/// `Pulumi.yaml` upwards; `~/` is the home folder. The file system is not asked for the thing itself.
#[must_use]
pub fn local_candidates(given: &str, environment: &Environment) -> Vec<PathBuf> {
    if let (Some(below_home), Some(home)) = (given.strip_prefix("~/"), environment.home()) {
        return vec![home.join(below_home)];
    }
    let here = environment.resolve("");
    let is_project = |folder: &&Path| ["Pulumi.yaml", "Pulumi.yml"].iter().any(|file| folder.join(file).is_file());
    let project = here.ancestors().find(is_project).map(Path::to_owned);
    let mut paths = vec![here.join(given)];
    paths.extend(project.filter(|project| *project != here).map(|project| project.join(given)));
    paths
}

#[cfg(unix)]
fn check_executable(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = path.metadata().map_err(|error| error.to_string())?.permissions().mode();
    if mode & 0o111 == 0 {
        return Err(format!("{0} is not executable (`chmod +x {0}` changes that)", path.display()));
    }
    Ok(())
}

#[cfg(not(unix))]
fn check_executable(_: &Path) -> Result<(), String> {
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    fn program(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn names_of_executables() {
        for (name, fits) in [
            ("terraform-provider-x", true),
            ("terraform-provider-x_v1.0.0", true),
            ("terraform-provider-x.exe", true),
            ("terraform-provider-xy", false),
            ("terraform-provider-", false),
            ("x", false),
        ] {
            assert_eq!(is_named(name, "x"), fits, "{name}");
        }
        for (given, is_path) in [
            ("./terraform-provider-x", true),
            ("terraform-provider-x", true),
            ("bin/terraform-provider-x", true),
            (r"C:\bin\terraform-provider-x.exe", true),
            ("hashicorp/random", false),
            ("./terraform-provider-x/y", false),
            ("./terraform-provider-x/", true),
        ] {
            assert_eq!(is_local_path(given), is_path, "{given}");
        }
    }

    #[test]
    fn a_version_is_no_part_of_a_name() {
        for (name, plain) in [
            ("time_v0.14.2_x5", "time"),
            ("time_v0.14.2", "time"),
            ("my-time_v1_v2.0.0", "my-time"),
            ("time_v1", "time_v1"),
            ("time_vault.x", "time_vault.x"),
            ("_v1.0", "_v1.0"),
            ("a.b", "a.b"),
        ] {
            assert_eq!(without_version(name), plain, "{name}");
        }
    }

    #[test]
    fn a_path_is_found_from_the_working_directory_and_from_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        program(&path("terraform-provider-x"));
        program(&path("bin/terraform-provider-y_v1.2.0"));
        fs::create_dir_all(path("deeper")).unwrap();
        fs::write(path("Pulumi.yaml"), "").unwrap();
        let home = [("HOME".to_owned(), folder.path().to_str().unwrap().to_owned())];
        let at = |name: &str| Environment::new(home.clone(), path(name));
        for (directory, given, name, found) in [
            ("", "terraform-provider-x", "x", "terraform-provider-x"),
            ("", "./terraform-provider-x", "x", "./terraform-provider-x"),
            ("deeper", "./terraform-provider-x", "x", "./terraform-provider-x"),
            ("deeper", "~/terraform-provider-x", "x", "terraform-provider-x"),
            ("", "bin/terraform-provider-y", "y", "bin/terraform-provider-y_v1.2.0"),
            ("", "bin/terraform-provider-y_v1.2.0", "y", "bin/terraform-provider-y_v1.2.0"),
        ] {
            let provider = LocalProvider::find(given, &at(directory)).unwrap();
            assert_eq!((provider.name.as_str(), provider.given.as_str()), (name, given));
            assert_eq!(provider.executable, path(found), "{directory} {given}");
        }
    }

    #[test]
    fn what_cannot_be_run_is_told() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("terraform-provider-text"), "").unwrap();
        fs::create_dir(folder.path().join("terraform-provider-folder")).unwrap();
        let environment = Environment::new([], folder.path());
        let given = [
            "./terraform-provider-none",
            "terraform-provider-text",
            "./terraform-provider-folder",
            "./terraform-provider-folder/",
            "./x",
            "terraform-provider-",
        ];
        let told = given.map(|given| LocalProvider::find(given, &environment).unwrap_err().to_string());
        let told = told.join("\n").replace(folder.path().to_str().unwrap(), "DIR");
        insta::assert_snapshot!(told, @r#"
        "./terraform-provider-none" is not the path of a provider: there is no DIR/./terraform-provider-none
        "terraform-provider-text" is not the path of a provider: DIR/terraform-provider-text is not executable (`chmod +x DIR/terraform-provider-text` changes that)
        "./terraform-provider-folder" is not the path of a provider: DIR/./terraform-provider-folder is a folder
        "./terraform-provider-folder/" is not the path of a provider: DIR/./terraform-provider-folder/ is a folder
        "./x" is not the path of a provider: its last part does not begin with "terraform-provider-"
        "terraform-provider-" is not the path of a provider: its last part does not begin with "terraform-provider-"
        "#);
    }
}
