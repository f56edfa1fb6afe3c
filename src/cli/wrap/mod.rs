//! `denobridge wrap`: puts this program where Terraform finds a provider, so that integrations are asked about it.

mod place;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use denobridge_registry::{
    Environment, InstallError, Installer, LocalProvider, ProviderAddress, Requirement, is_local_path,
};
use thiserror::Error;

use super::tell;
use crate::sidecar::SidecarError;
use crate::wrapped::Wrapped;

/// Where wrapped providers are put, from the working directory.
const FOLDER: &str = ".denobridge/providers";

/// The version of a provider that is given by its file, if nothing else is said.
const NO_VERSION: &str = "0.0.0";

/// Arguments of `denobridge wrap`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The provider: its address, such as hashicorp/random, or the path of its executable.
    provider: String,
    /// The versions that will do, as in Terraform; the newest of them is taken. Of a path: its version.
    #[arg(long, value_name = "VERSION", default_value = "")]
    version: String,
    /// The address of a provider that is given by its path.
    #[arg(long = "as", value_name = "ADDRESS")]
    address: Option<String>,
    /// The folder to put it into, laid out as a mirror of providers.
    #[arg(long, value_name = "FOLDER", default_value = FOLDER)]
    dir: PathBuf,
    /// Copy the program instead of linking to it. Windows always copies.
    #[arg(long)]
    copy: bool,
    /// Wrap it for OpenTofu: an address without a host is in its registry then, and not in Terraform's.
    #[arg(long)]
    tofu: bool,
    /// Print the configuration for a provider in development, which needs no `terraform init`.
    #[arg(long)]
    dev: bool,
}

/// Why a provider was not wrapped.
#[derive(Debug, Error)]
enum WrapError {
    /// It is not to be had.
    #[error("{}", .0.report())]
    Provider(Box<InstallError>),
    /// What is found stands before a provider already, and does not say which.
    #[error(transparent)]
    Sidecar(#[from] SidecarError),
    /// A path does not say whose provider it is.
    #[error(
        "{0} does not tell the address of the provider: name it with --as, such as --as hashicorp/random, and its version \
         with --version"
    )]
    NoAddress(String),
    /// An address does not need another.
    #[error("{0:?} is an address already; --as is for paths")]
    TwoAddresses(String),
    /// Not a version.
    #[error("\"{0}\" is no version: it must be three numbers, such as 3.6.3")]
    Version(String),
    /// The disk refuses, or something else is there.
    #[error("cannot place {}: {reason}", path.display())]
    Place { path: PathBuf, reason: std::io::Error },
}

impl From<InstallError> for WrapError {
    fn from(error: InstallError) -> Self {
        Self::Provider(Box::new(error))
    }
}

/// Wraps the provider and says what to do next; 1 if it cannot.
pub async fn run(arguments: &Arguments) -> ExitCode {
    tell(wrap(arguments, &Environment::of_process()).await)
}

async fn wrap(arguments: &Arguments, environment: &Environment) -> Result<String, WrapError> {
    let (found, warnings) = if is_local_path(&arguments.provider) {
        (local(arguments, environment)?, Vec::new())
    } else {
        installed(arguments, environment).await?
    };
    let wrapped = behind(found)?;
    let placed = place::place(arguments, &wrapped)?;
    let warnings: String = warnings.iter().map(|warning| format!("warning: {warning}\n")).collect();
    Ok(warnings + &place::told(arguments, &wrapped, &placed))
}

/// A provider that is given by its path.
fn local(arguments: &Arguments, environment: &Environment) -> Result<Wrapped, WrapError> {
    let found = LocalProvider::find(&arguments.provider, environment)?;
    let Some(address) = &arguments.address else { return Err(WrapError::NoAddress(found.given)) };
    let version = if arguments.version.is_empty() { NO_VERSION } else { &arguments.version };
    let version = version.strip_prefix('v').unwrap_or(version);
    if semver::Version::parse(version).is_err() {
        return Err(WrapError::Version(version.to_owned()));
    }
    let address = ProviderAddress::parse(&with_host(arguments, address)).map_err(InstallError::from)?;
    Ok(Wrapped { address: address.to_string(), version: version.to_owned(), program: found.executable })
}

/// A provider by its address: from where this machine's user has providers, or from its registry.
async fn installed(arguments: &Arguments, environment: &Environment) -> Result<(Wrapped, Vec<String>), WrapError> {
    if arguments.address.is_some() {
        return Err(WrapError::TwoAddresses(arguments.provider.clone()));
    }
    let requirement = Requirement::parse(&with_host(arguments, &arguments.provider), &arguments.version)?;
    let installed = Installer::from_environment(environment)?.install(&requirement).await?;
    let (address, version) = (requirement.address.to_string(), installed.version.to_string());
    Ok((Wrapped { address, version, program: installed.path }, installed.warnings))
}

/// The address as the tool that will look for it means it.
fn with_host(arguments: &Arguments, address: &str) -> String {
    let host = if arguments.tofu { "registry.opentofu.org" } else { "registry.terraform.io" };
    match address.split('/').count() {
        1 => format!("{host}/hashicorp/{address}"),
        2 => format!("{host}/{address}"),
        _ => address.to_owned(),
    }
}

/// The provider itself: what is found may be this program, which was put before it earlier.
fn behind(found: Wrapped) -> Result<Wrapped, WrapError> {
    let program = match Wrapped::behind(&found.program)? {
        Some(inner) => inner.program,
        None => found.program,
    };
    // Where the program is must not depend on where Terraform is called.
    let absolute = std::path::absolute(&program).map_err(|reason| WrapError::Place { path: program, reason })?;
    Ok(Wrapped { program: absolute, ..found })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    use denobridge_registry::Platform;

    use super::*;

    fn arguments(folder: &Path) -> Arguments {
        Arguments {
            provider: folder.join("terraform-provider-time").display().to_string(),
            version: "0.13.1".to_owned(),
            address: Some("hashicorp/time".to_owned()),
            dir: folder.join("mirror"),
            copy: false,
            tofu: false,
            dev: false,
        }
    }

    async fn wrapped(arguments: &Arguments, folder: &Path) -> Result<String, String> {
        let told = wrap(arguments, &Environment::new([], folder)).await.map_err(|error| error.to_string())?;
        let told = told.replace(&*folder.to_string_lossy(), "[DIR]");
        Ok(told.replace(&Platform::current().to_string(), "[PLATFORM]"))
    }

    fn provider(folder: &Path) {
        let provider = folder.join("terraform-provider-time");
        std::fs::write(&provider, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&provider, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[tokio::test]
    async fn a_wrapped_provider_is_laid_out_as_in_a_mirror() {
        let folder = tempfile::tempdir().unwrap();
        provider(folder.path());
        let arguments = arguments(folder.path());
        insta::assert_snapshot!(wrapped(&arguments, folder.path()).await.unwrap());
        let place = folder.path().join("mirror/registry.terraform.io/hashicorp/time/0.13.1");
        let program = place.join(Platform::current().to_string()).join("terraform-provider-time_v0.13.1");
        assert!(program.exists());
        let inner = Wrapped::behind(&program).unwrap().unwrap();
        assert_eq!(inner.program, folder.path().join("terraform-provider-time"));

        // What is wrapped once more is the provider, not what stands before it.
        let again = Arguments { provider: program.display().to_string(), dev: true, ..arguments };
        insta::assert_snapshot!("for_development", wrapped(&again, folder.path()).await.unwrap());
        assert_eq!(Wrapped::behind(&program).unwrap().unwrap(), inner);
    }

    #[tokio::test]
    async fn what_cannot_be_is_said() {
        let folder = tempfile::tempdir().unwrap();
        provider(folder.path());
        let all = arguments(folder.path());
        let nameless = Arguments { address: None, ..arguments(folder.path()) };
        let twice = Arguments { provider: "hashicorp/time".to_owned(), ..arguments(folder.path()) };
        let latest = Arguments { version: "latest".to_owned(), ..all };
        for (arguments, expected) in [(nameless, "--as"), (twice, "--as is for paths"), (latest, "three numbers")] {
            let error = wrapped(&arguments, folder.path()).await.unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
