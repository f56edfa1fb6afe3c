//! From what a parameter asks for to a provider that can be started, or that runs already.

use std::path::{Path, PathBuf};

use denobridge_core::Call;
use denobridge_core::call::LogLevel;
use denobridge_pulumi::PackageError;
use denobridge_registry::{Environment, InstallError, Installer, LocalProvider, Requirement};
use denobridge_terraform::launch::Reattach;
use semver::Version;

use super::value::Record;
use super::{WantedProvider, reattach};
use crate::files::without_dots;

/// Who speaks in the log.
const MODULE: &str = "registry";

/// The version of a provider that is being developed.
const NO_VERSION: Version = Version::new(0, 0, 0);

/// Where a provider is.
#[derive(Debug)]
pub(super) enum Place {
    /// In this executable.
    Program(PathBuf),
    /// It runs already.
    Running(Reattach),
}

/// A provider that can be had.
#[derive(Debug)]
pub(super) struct Found {
    /// What people call it, for messages: `hashicorp/random 3.6.3`.
    pub(super) title: String,
    /// The last part of its address, or of its file's name after `terraform-provider-`.
    pub(super) name: String,
    /// Who publishes it; nobody for a file.
    pub(super) namespace: Option<String>,
    /// 0.0.0 where nobody knows it.
    pub(super) version: Version,
    /// Where it is.
    pub(super) place: Place,
    /// What to keep of it.
    pub(super) record: Record,
}

impl Found {
    /// Its source address; of a file, the name of its type.
    pub(super) fn address(&self) -> String {
        match &self.record {
            Record::Remote { address, .. } => address.clone(),
            Record::Local { .. } => self.name.clone(),
        }
    }
}

/// Finds a provider, and installs it if that is needed.
///
/// # Errors
/// It is not to be had; says what to do about it.
pub(super) async fn find(
    call: &Call,
    wanted: &WantedProvider,
    environment: &Environment,
) -> Result<Found, PackageError> {
    let report = |error: InstallError| match error {
        InstallError::Address(_) | InstallError::Constraint(_) => PackageError::InvalidParameter(error.report()),
        _ => PackageError::Unavailable(error.report()),
    };
    let (address, versions, hashes) = match wanted {
        WantedProvider::Local { path } => {
            return LocalProvider::find(path, environment).map(|found| local(found, environment)).map_err(report);
        }
        WantedProvider::Remote { address, versions, hashes } => (address, versions, hashes),
    };
    let requirement = Requirement::parse(address, versions).map_err(report)?;
    let requirement = Requirement { recorded: hashes.clone(), ..requirement };
    let running = reattach::running(&requirement.address, environment).map_err(PackageError::InvalidParameter)?;
    match running {
        Some(running) => Ok(attached(requirement, running)),
        None if requirement.constraint.exact() == Some(&NO_VERSION) => Err(PackageError::Unavailable(format!(
            "{} 0.0.0 is a provider that ran already when the SDK was made, and {} does not say where it runs now. Set \
                 the variable, or generate the SDK again with a released version.",
            requirement.address.for_display(),
            reattach::variables()
        ))),
        None => installed(call, requirement, environment).await.map_err(report),
    }
}

fn attached(requirement: Requirement, running: Reattach) -> Found {
    let address = requirement.address;
    Found {
        title: address.for_display(),
        record: Record::Remote { address: address.to_string(), version: NO_VERSION.to_string(), hashes: Vec::new() },
        name: address.provider_type,
        namespace: Some(address.namespace),
        version: NO_VERSION,
        place: Place::Running(running),
    }
}

async fn installed(call: &Call, requirement: Requirement, environment: &Environment) -> Result<Found, InstallError> {
    let installed = Installer::from_environment(environment)?.install(&requirement).await?;
    for warning in &installed.warnings {
        call.log(LogLevel::Warn, MODULE, warning);
    }
    let address = requirement.address;
    Ok(Found {
        title: format!("{} {}", address.for_display(), installed.version),
        record: Record::Remote {
            address: address.to_string(),
            version: installed.version.to_string(),
            hashes: installed.hashes,
        },
        name: address.provider_type,
        namespace: Some(address.namespace),
        version: installed.version,
        place: Place::Program(installed.path),
    })
}

fn local(provider: LocalProvider, environment: &Environment) -> Found {
    Found {
        record: Record::Local { path: kept_path(&provider.given, environment) },
        title: provider.given,
        name: provider.name,
        namespace: None,
        version: NO_VERSION,
        place: Place::Program(provider.executable),
    }
}

/// A path as it is kept in an SDK: from the project's folder, in which the plugin is started when a program runs. So it
/// holds for everybody who has the project, wherever it lies. Without a project it is kept as it was given.
pub(crate) fn kept_path(given: &str, environment: &Environment) -> String {
    let here = environment.resolve("");
    let is_project = |folder: &&Path| ["Pulumi.yaml", "Pulumi.yml"].iter().any(|file| folder.join(file).is_file());
    let Some(project) = here.ancestors().find(is_project) else { return given.to_owned() };
    let is_plain = given.starts_with("./") && here == project;
    let full = here.join(given);
    if is_plain || given.starts_with('~') || (Path::new(given).is_absolute() && !full.starts_with(project)) {
        return given.to_owned();
    }
    relative(&full, project).unwrap_or_else(|| given.to_owned())
}

/// A path from a folder, with `/` on every platform, and beginning with a dot, by which the Go plugin knows paths. `None`
/// where a name is not Unicode.
fn relative(path: &Path, folder: &Path) -> Option<String> {
    let (path, folder) = (without_dots(path), without_dots(folder));
    let names = |path: &Path| path.iter().map(|name| name.to_str().map(str::to_owned)).collect::<Option<Vec<_>>>();
    let (path, folder) = (names(&path)?, names(&folder)?);
    let shared = path.iter().zip(&folder).take_while(|(left, right)| left == right).count();
    let up = folder.len() - shared;
    let mut parts = vec![".."; up];
    if up == 0 {
        parts.push(".");
    }
    parts.extend(path.get(shared..)?.iter().map(String::as_str));
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_kept_from_the_folder_of_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().to_str().unwrap();
        std::fs::create_dir_all(folder.path().join("project/deep/er")).unwrap();
        std::fs::write(folder.path().join("project/Pulumi.yaml"), "").unwrap();
        let inside = format!("{home}/project/bin/terraform-provider-x");
        for (directory, given, kept) in [
            ("project", "./terraform-provider-x", "./terraform-provider-x"),
            ("project", "terraform-provider-x", "./terraform-provider-x"),
            ("project", "bin/terraform-provider-x", "./bin/terraform-provider-x"),
            ("project", &inside, "./bin/terraform-provider-x"),
            ("project", "../terraform-provider-x", "../terraform-provider-x"),
            ("project/deep", "./terraform-provider-x", "./deep/terraform-provider-x"),
            ("project/deep/er", "../../bin/terraform-provider-x", "./bin/terraform-provider-x"),
            ("project/deep", "../../terraform-provider-x", "../terraform-provider-x"),
            ("project", "/opt/terraform-provider-x", "/opt/terraform-provider-x"),
            ("project", "~/terraform-provider-x", "~/terraform-provider-x"),
            ("", "bin/terraform-provider-x", "bin/terraform-provider-x"),
        ] {
            let environment = Environment::new([], folder.path().join(directory));
            assert_eq!(kept_path(given, &environment), kept, "{given} in {directory:?}");
        }
    }
}
