//! `denobridge install`: puts this program where a tool looks for its plugins.

pub(super) mod place;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use denobridge_registry::Platform;
use thiserror::Error;

pub(super) use place::Placed;

use super::tell;
use crate::packages::VERSION;
use crate::scripted::PROVIDER_NAME;

/// Arguments of `denobridge install`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Whose plugin it is to be.
    tool: Tool,
    /// Copy the program instead of linking to it. Windows always copies.
    #[arg(long)]
    copy: bool,
    /// For Terraform and OpenTofu: the version to be found as, for configurations that ask for one of the Go provider's.
    #[arg(long, value_name = "VERSION", default_value = VERSION)]
    as_version: String,
    /// The tool's plugin folder, if it is not the usual one.
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

/// A tool that has plugins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Tool {
    /// Terraform's mirror of providers in the user's own folder.
    Terraform,
    /// The same of OpenTofu.
    Opentofu,
    /// Pulumi's plugins.
    Pulumi,
}

/// Why it was not installed.
#[derive(Debug, Error)]
pub(super) enum InstallError {
    /// Nothing says where the user's folders are.
    #[error("the environment variable {0} is not set, so there is no usual folder for plugins: name one with --dir")]
    NoHome(&'static str),
    /// Not a version that tools understand.
    #[error("\"{0}\" is no version: it must be three numbers, such as 0.4.1")]
    Version(String),
    /// The disk refuses, or something else is there.
    #[error("cannot place {}: {reason}", path.display())]
    Place { path: PathBuf, reason: std::io::Error },
    /// The system does not say where we are.
    #[error("cannot find this program's own file: {0}")]
    Ourselves(std::io::Error),
}

/// Where the user's folders are; tests give their own.
#[derive(Clone, Debug)]
pub(super) struct Homes {
    pub home: Option<PathBuf>,
    /// Windows' folder for settings.
    pub app_data: Option<PathBuf>,
    /// `PULUMI_HOME`.
    pub pulumi: Option<PathBuf>,
}

impl Homes {
    /// Those of this process.
    pub fn of_environment() -> Self {
        let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = folder(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
        Self { home, app_data: folder("APPDATA"), pulumi: folder("PULUMI_HOME") }
    }

    fn home(&self) -> Result<&Path, InstallError> {
        self.home.as_deref().ok_or(InstallError::NoHome(if cfg!(windows) { "USERPROFILE" } else { "HOME" }))
    }
}

impl Tool {
    /// The folder with the tool's plugins.
    ///
    /// Terraform and OpenTofu both look into `~/.terraform.d/plugins` (`%APPDATA%\terraform.d\plugins` on Windows); see
    /// "Implied Local Mirror Directories" in Terraform's documentation of its command line configuration.
    pub fn plugin_folder(self, homes: &Homes) -> Result<PathBuf, InstallError> {
        match self {
            Self::Terraform | Self::Opentofu if cfg!(windows) => {
                let settings = homes.app_data.as_deref().ok_or(InstallError::NoHome("APPDATA"))?;
                Ok(settings.join("terraform.d").join("plugins"))
            }
            Self::Terraform | Self::Opentofu => Ok(homes.home()?.join(".terraform.d").join("plugins")),
            Self::Pulumi => {
                let pulumi = homes.pulumi.clone().map_or_else(|| Ok(homes.home()?.join(".pulumi")), Ok)?;
                Ok(pulumi.join("plugins"))
            }
        }
    }

    /// Where below the plugin folder the program belongs.
    pub fn file(self, version: &str) -> PathBuf {
        let suffix = std::env::consts::EXE_SUFFIX;
        let registry = match self {
            Self::Terraform => "registry.terraform.io",
            Self::Opentofu => "registry.opentofu.org",
            Self::Pulumi => {
                let folder = PathBuf::from(format!("resource-{PROVIDER_NAME}-v{VERSION}"));
                return folder.join(format!("pulumi-resource-{PROVIDER_NAME}{suffix}"));
            }
        };
        let platform = Platform::current().to_string();
        let folder: PathBuf = [registry, "brad-jones", PROVIDER_NAME, version, &platform].iter().collect();
        folder.join(format!("terraform-provider-{PROVIDER_NAME}_v{version}{suffix}"))
    }

    /// The command that takes the program away again. Pulumi takes the plugin's folder alone for a plugin that is installed.
    fn undo(self, folder: &Path, version: &str) -> String {
        let file = self.file(version);
        let (path, whole) = match (self, file.parent()) {
            (Self::Pulumi, Some(parent)) => (folder.join(parent), true),
            _ => (folder.join(&file), false),
        };
        let command = match (cfg!(windows), whole) {
            (false, false) => "rm",
            (false, true) => "rm -r",
            (true, false) => "del",
            (true, true) => "rmdir /s /q",
        };
        format!("{command} \"{}\"", path.display())
    }

    fn next_step(self, version: &str) -> String {
        match self {
            Self::Terraform | Self::Opentofu => {
                let command = if self == Self::Terraform { "terraform" } else { "tofu" };
                format!(
                    "Next: `{command} init` in a folder whose configuration has\n\n  terraform {{\n    required_providers {{\n      \
                     denobridge = {{\n        source  = \"brad-jones/denobridge\"\n        version = \"{version}\"\n      }}\n    }}\n  \
                     }}\n\nWhere another build was used before, `{command} init -upgrade` records the new one.\n"
                )
            }
            Self::Pulumi => {
                "Next: in Pulumi YAML, a resource of the type `denobridge:Script`; in a project of another language, \
                             `pulumi package add denobridge`.\n"
                    .to_owned()
            }
        }
    }
}

/// Installs and says what it did; 1 if it cannot.
pub fn run(arguments: &Arguments) -> ExitCode {
    let installed = std::env::current_exe()
        .map_err(InstallError::Ourselves)
        .and_then(|program| install(arguments, &program, &Homes::of_environment()));
    tell(installed)
}

fn install(arguments: &Arguments, program: &Path, homes: &Homes) -> Result<String, InstallError> {
    let Arguments { tool, copy, as_version, dir } = arguments;
    let version = as_version.strip_prefix('v').unwrap_or(as_version);
    if version.split('.').count() != 3 || !version.split('.').all(|part| part.parse::<u32>().is_ok()) {
        return Err(InstallError::Version(as_version.clone()));
    }
    let folder = dir.clone().map_or_else(|| tool.plugin_folder(homes), Ok)?;
    let file = folder.join(tool.file(version));
    let failed = |reason| InstallError::Place { path: file.clone(), reason };
    let placed = place::place(program, &file, *copy).map_err(failed)?;
    let (file, program) = (file.display(), program.display());
    let done = match placed {
        Placed::Linked => format!("linked {file}\n    to {program}\n"),
        Placed::Copied => format!("copied {program}\n    to {file}\n"),
        Placed::AlreadyThere => format!("{file} is this program already\n"),
    };
    let undo = tool.undo(&folder, version);
    Ok(format!("{done}To undo it: {undo}\n\n{}", tool.next_step(version)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn homes(folder: &Path) -> Homes {
        Homes { home: Some(folder.to_owned()), app_data: Some(folder.to_owned()), pulumi: None }
    }

    fn arguments(tool: Tool) -> Arguments {
        Arguments { tool, copy: false, as_version: VERSION.to_owned(), dir: None }
    }

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn each_tool_finds_it_where_it_looks() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("denobridge");
        std::fs::write(&program, "program").unwrap();
        let said = |tool| {
            let told = install(&arguments(tool), &program, &homes(folder.path())).unwrap();
            told.replace(&*folder.path().to_string_lossy(), "[HOME]").replace(VERSION, "[VERSION]")
        };
        insta::assert_snapshot!("terraform", said(Tool::Terraform));
        insta::assert_snapshot!("pulumi", said(Tool::Pulumi));
        assert!(said(Tool::Opentofu).contains("/registry.opentofu.org/brad-jones/denobridge/"));
        assert!(said(Tool::Pulumi).contains("is this program already"));
        let pulumi = Homes { pulumi: Some("/elsewhere".into()), ..homes(folder.path()) };
        assert_eq!(Tool::Pulumi.plugin_folder(&pulumi).unwrap(), Path::new("/elsewhere/plugins"));
    }

    #[test]
    fn it_can_be_found_as_the_go_providers_version() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("denobridge");
        std::fs::write(&program, "program").unwrap();
        let place = |version: &str| {
            let arguments = Arguments { as_version: version.to_owned(), ..arguments(Tool::Terraform) };
            install(&arguments, &program, &homes(folder.path()))
        };
        let told = place("v0.4.1").unwrap();
        assert!(told.contains("terraform-provider-denobridge_v0.4.1"), "{told}");
        assert!(matches!(place("latest"), Err(InstallError::Version(_))));
    }

    #[test]
    fn what_cannot_be_is_said() {
        let nobody = Homes { home: None, app_data: None, pulumi: None };
        let error = install(&arguments(Tool::Pulumi), Path::new("program"), &nobody).unwrap_err();
        assert!(error.to_string().contains("name one with --dir"), "{error}");
    }
}
