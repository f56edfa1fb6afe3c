//! Finds the Deno executable that is on this machine.
//!
//! In order: the path that the user configured, the environment variable [`ENVIRONMENT_VARIABLE`], then `deno` on PATH.
//! Nothing is started here: whether a path is a Deno of the right version is for [`Deno`](super::Deno) to find out.

use super::version::{MINIMUM, MINIMUM_REASON};
use semver::Version;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Names the Deno executable when the configuration does not.
pub const ENVIRONMENT_VARIABLE: &str = "DENOBRIDGE_DENO";

/// Where to look for Deno. [`DenoSource::from_environment`] is what a provider uses; tests fill the fields themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct DenoSource {
    /// The path from the configuration; a bare name such as `deno` is looked up on PATH.
    pub configured: Option<String>,
    /// The value of [`ENVIRONMENT_VARIABLE`], with the same meaning.
    pub variable: Option<OsString>,
    /// The value of PATH.
    pub search_path: Option<OsString>,
}

/// Why there is no Deno to run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// A path was given and nothing executable is there.
    #[error("{origin} names {path:?}, which is not an executable file")]
    NotExecutable {
        /// What gave the path: the setting or the environment variable.
        origin: &'static str,
        /// The path as given.
        path: String,
    },
    /// A bare name was given and PATH has no such program.
    #[error("{origin} names the program {name:?}, which is not on PATH")]
    NotOnPath {
        /// What gave the name: the setting or the environment variable.
        origin: &'static str,
        /// The name as given.
        name: String,
    },
    /// Nothing was given and `deno` is not on PATH.
    #[error("no program named \"deno\" is on PATH")]
    Missing,
    /// The configuration names a Deno that is not known yet.
    #[error("`deno_binary_path` is not known before apply")]
    Unknown,
    /// The version asked for is no version.
    #[error("`deno_version` is {given:?}, which is neither a version nor a range of versions: {reason}")]
    InvalidVersion {
        /// The setting.
        given: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A program that was given is something else.
    #[error("{}, which is no Deno: {reason}", named(*origin, path))]
    NotDeno {
        /// What gave the path: the setting or the environment variable; `None` for a program that was found.
        origin: Option<&'static str>,
        /// The program.
        path: PathBuf,
        /// How it shows.
        reason: String,
    },
    /// A Deno that is too old for any script.
    #[error("{} is Deno {version}. Scripts need {MINIMUM} or newer, since {MINIMUM_REASON}", path.display())]
    TooOld {
        /// The program.
        path: PathBuf,
        /// Its version.
        version: Version,
    },
    /// The environment names a Deno, and the configuration another version.
    #[error("`deno_version` asks for {wish}, and {} (from the environment variable {ENVIRONMENT_VARIABLE}) is Deno {version}", path.display())]
    OtherVersion {
        /// What was asked for.
        wish: String,
        /// The program.
        path: PathBuf,
        /// Its version.
        version: Version,
    },
    /// None on this machine will do, and none may be downloaded.
    #[error("no Deno on this machine is {wish}{found}, and `deno_download` is false")]
    NotAllowed {
        /// What was asked for.
        wish: String,
        /// What there is instead.
        found: String,
    },
    /// None on this machine will do, and none could be downloaded.
    #[error("no Deno on this machine is {wish}{found}, and it could not be downloaded: {reason}")]
    NotInstalled {
        /// What was asked for.
        wish: String,
        /// What there is instead.
        found: String,
        /// Why not.
        reason: String,
        /// What to do.
        advice: &'static str,
    },
}

impl FindError {
    /// What failed, as a title.
    pub fn summary(&self) -> &'static str {
        match self {
            Self::NotExecutable { .. } | Self::NotOnPath { .. } | Self::Missing => "Deno was not found",
            Self::Unknown => "Deno is not known yet",
            Self::InvalidVersion { .. } => "Invalid version of Deno",
            Self::NotDeno { .. } => "A program that is no Deno",
            Self::TooOld { .. } => "Deno is too old",
            Self::OtherVersion { .. } | Self::NotAllowed { .. } => "Deno has another version",
            Self::NotInstalled { .. } => "Deno could not be downloaded",
        }
    }

    /// What the user can do.
    pub fn advice(&self) -> String {
        let text = match self {
            Self::NotExecutable { .. } | Self::NotOnPath { .. } => {
                "Correct the path, or leave it out to use the \"deno\" that is on PATH."
            }
            Self::Missing => {
                "Install Deno 2 (https://docs.deno.com/runtime/getting_started/installation/), or set \
                 `deno_binary_path` in the provider configuration or the environment variable DENOBRIDGE_DENO to its path."
            }
            Self::Unknown => {
                "Give the provider a path that is known while planning, or apply what it depends on first."
            }
            Self::InvalidVersion { .. } => {
                "Write a release such as \"v2.1.4\", a range such as \"^2.1\" or \">=2.1, <2.4\", or \"latest\"."
            }
            Self::NotDeno { origin, .. } => {
                let what = origin.map_or_else(|| "PATH".to_owned(), sentence);
                return format!(
                    "{what} must lead to the executable of Deno itself, such as /usr/local/bin/deno, not to a folder, an \
                     archive or another program. Correct it, or leave it out to use the \"deno\" that is on PATH, or else a \
                     downloaded one."
                );
            }
            Self::TooOld { .. } => "Run `deno upgrade`, or leave the path out to have a newer one downloaded.",
            Self::OtherVersion { .. } => "Change `deno_version`, or unset DENOBRIDGE_DENO.",
            Self::NotAllowed { .. } => {
                "Install that version of Deno and put it on PATH, set `deno_binary_path` to where it is, or allow the \
                 download with `deno_download = true`."
            }
            Self::NotInstalled { advice, .. } => advice,
        };
        text.to_owned()
    }
}

/// A path and what gave it, to begin a sentence with.
fn named(origin: Option<&str>, path: &Path) -> String {
    format!("{} names {path:?}", origin.unwrap_or("PATH"))
}

/// A setting's name at the start of a sentence.
fn sentence(origin: &str) -> String {
    let mut characters = origin.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

impl DenoSource {
    /// Looks where this process's environment says, after `configured` (empty counts as absent).
    pub fn from_environment(configured: Option<&str>) -> Self {
        Self {
            configured: configured.filter(|path| !path.is_empty()).map(str::to_owned),
            variable: env::var_os(ENVIRONMENT_VARIABLE).filter(|value| !value.is_empty()),
            search_path: env::var_os("PATH"),
        }
    }

    /// The executable to run.
    ///
    /// A place that was given and does not fit is an error, never a reason to go on with the next one: a user who names
    /// a Deno does not want another version in silence.
    pub fn find(&self) -> Result<PathBuf, FindError> {
        match self.given() {
            Some((path, origin)) => self.resolve(path, origin),
            None => self.on_path(OsStr::new("deno")).ok_or(FindError::Missing),
        }
    }

    /// The path that was given, and by what.
    pub(super) fn given(&self) -> Option<(&OsStr, &'static str)> {
        let configured = self.configured.as_deref().map(|path| (OsStr::new(path), "`deno_binary_path`"));
        let variable = self.variable.as_deref().map(|path| (path, "the environment variable DENOBRIDGE_DENO"));
        configured.or(variable)
    }

    fn resolve(&self, given: &OsStr, origin: &'static str) -> Result<PathBuf, FindError> {
        let path = Path::new(given);
        let shown = || given.to_string_lossy().into_owned();
        if path.components().count() == 1 && !path.is_absolute() && !shown().starts_with('.') {
            return self.on_path(given).ok_or_else(|| FindError::NotOnPath { origin, name: shown() });
        }
        // Absolute, because scripts may be started in another working directory.
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        executable(absolute).ok_or_else(|| FindError::NotExecutable { origin, path: shown() })
    }

    fn on_path(&self, name: &OsStr) -> Option<PathBuf> {
        let folders = self.search_path.as_deref()?;
        env::split_paths(folders)
            .filter(|folder| !folder.as_os_str().is_empty())
            .find_map(|folder| executable(std::path::absolute(folder).ok()?.join(name)))
    }
}

/// The path itself, or with the platform's suffix for executables, if it is a file that may be executed.
fn executable(path: PathBuf) -> Option<PathBuf> {
    if is_executable(&path) {
        return Some(path);
    }
    let suffix = env::consts::EXE_SUFFIX;
    if suffix.is_empty() {
        return None;
    }
    let mut with_suffix = path.into_os_string();
    with_suffix.push(suffix);
    let with_suffix = PathBuf::from(with_suffix);
    is_executable(&with_suffix).then_some(with_suffix)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn folder_with_program(name: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        fs::write(&file, "").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    #[test]
    fn configuration_comes_before_variable_before_path() {
        let (first, second, third) = (folder_with_program("a"), folder_with_program("b"), folder_with_program("deno"));
        let text = |folder: &tempfile::TempDir, name| folder.path().join(name).to_str().unwrap().to_owned();
        let mut source = DenoSource {
            configured: Some(text(&first, "a")),
            variable: Some(text(&second, "b").into()),
            search_path: Some(third.path().into()),
        };
        assert_eq!(source.find().unwrap(), first.path().join("a"));
        source.configured = None;
        assert_eq!(source.find().unwrap(), second.path().join("b"));
        source.variable = None;
        assert_eq!(source.find().unwrap(), third.path().join("deno"));
        source.search_path = Some("/nonexistent".into());
        assert_eq!(source.find(), Err(FindError::Missing));
    }

    #[test]
    fn a_bare_name_is_looked_up_on_path_and_a_wrong_one_is_an_error() {
        let folder = folder_with_program("deno-canary");
        let mut source = DenoSource {
            configured: Some("deno-canary".into()),
            search_path: Some(folder.path().into()),
            ..Default::default()
        };
        assert_eq!(source.find().unwrap(), folder.path().join("deno-canary"));
        source.configured = Some("deno-nightly".into());
        assert_eq!(
            source.find(),
            Err(FindError::NotOnPath { origin: "`deno_binary_path`", name: "deno-nightly".into() })
        );
        source.configured = Some("./deno-canary".into());
        assert!(matches!(source.find(), Err(FindError::NotExecutable { .. })));
    }

    #[test]
    fn a_file_that_is_not_executable_is_passed_over() {
        let (plain, good) = (tempfile::tempdir().unwrap(), folder_with_program("deno"));
        fs::write(plain.path().join("deno"), "").unwrap();
        let path = env::join_paths([plain.path(), good.path()]).unwrap();
        let source = DenoSource { search_path: Some(path), ..Default::default() };
        assert_eq!(source.find().unwrap(), good.path().join("deno"));
    }
}
