//! The files that scripts need: themselves, the modules on this machine that they load, and how Deno is configured for them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use reqwest::Url;
use serde::Deserialize;
use thiserror::Error;

use super::archive::{Content, Entry};
use crate::deno::command::{ConfigurationFile, NO_CONFIG};
use crate::typed::{Release, ScriptPackage};

/// Why the modules of scripts are not known.
#[derive(Debug, Error)]
pub(super) enum ModulesError {
    /// Deno did not say.
    #[error("`deno info {script}` failed: {reason}")]
    Info {
        /// The script.
        script: String,
        /// What Deno said.
        reason: String,
    },
    /// A module is missing.
    #[error("{script} loads {module}, which cannot be loaded: {reason}")]
    Missing {
        /// The script.
        script: String,
        /// The module.
        module: String,
        /// What Deno said.
        reason: String,
    },
    /// There is nowhere to begin.
    #[error("{} and other files of the package have no folder in common", path.display())]
    Apart {
        /// One of them.
        path: PathBuf,
    },
}

/// What `deno info --json` says, as far as it counts.
#[derive(Deserialize)]
struct Info {
    #[serde(default)]
    modules: Vec<Module>,
}

#[derive(Deserialize)]
struct Module {
    specifier: String,
    #[serde(default)]
    error: Option<String>,
}

/// The files of a package, and the folder that all of them are in.
pub(super) struct Files {
    root: PathBuf,
    files: BTreeSet<PathBuf>,
    config_file: Option<PathBuf>,
}

impl Files {
    /// Asks Deno what the scripts of a package load. `folder` is the package's.
    pub(super) async fn of(package: &ScriptPackage, folder: &Path, deno: &Path) -> Result<Self, ModulesError> {
        let mut files = BTreeSet::new();
        for script in &package.scripts {
            files.extend(modules(deno, Path::new(&script.location)).await?);
        }
        let config_file = ConfigurationFile::search(folder);
        if let Some(config_file) = &config_file {
            files.extend(configuration(config_file));
        }
        let mut root = folder.to_owned();
        for path in &files {
            while !path.starts_with(&root) {
                if !root.pop() {
                    return Err(ModulesError::Apart { path: path.clone() });
                }
            }
        }
        Ok(Self { root, files, config_file })
    }

    /// The package as it is in a release: locations are relative to the release's folder.
    pub(super) fn relative(&self, package: &ScriptPackage) -> ScriptPackage {
        let mut package = package.clone();
        package.config_file =
            Some(self.config_file.as_deref().map_or_else(|| NO_CONFIG.to_owned(), |path| self.name(path)));
        for script in &mut package.scripts {
            script.location = self.name(Path::new(&script.location));
        }
        package
    }

    /// The files as they are in an archive.
    pub(super) fn entries(&self, package: &str) -> Vec<Entry> {
        let folder = Release::folder_name(package);
        let entry = |path: &PathBuf| Entry {
            name: format!("{folder}/{}", self.name(path)),
            content: Content::File(path.clone()),
            is_program: false,
        };
        self.files.iter().map(entry).collect()
    }

    fn name(&self, path: &Path) -> String {
        let relative = path.strip_prefix(&self.root).unwrap_or(path);
        let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
        parts.join("/")
    }
}

/// The files that a script loads. What comes from elsewhere is loaded from there by whoever runs it.
async fn modules(deno: &Path, script: &Path) -> Result<Vec<PathBuf>, ModulesError> {
    let failed = |reason: String| ModulesError::Info { script: script.display().to_string(), reason };
    let mut command = tokio::process::Command::new(deno);
    command.args(["info", "--json", "--quiet"]).arg(script).stdin(Stdio::null()).kill_on_drop(true);
    // Deno looks for its configuration from where it is started.
    if let Some(folder) = script.parent() {
        command.current_dir(folder);
    }
    let output = command.output().await.map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    let info: Info = serde_json::from_slice(&output.stdout).map_err(|error| failed(error.to_string()))?;
    let mut files = Vec::new();
    for Module { specifier, error } in info.modules {
        if let Some(reason) = error {
            return Err(ModulesError::Missing { script: script.display().to_string(), module: specifier, reason });
        }
        let path =
            Url::parse(&specifier).ok().filter(|url| url.scheme() == "file").and_then(|url| url.to_file_path().ok());
        files.extend(path);
    }
    Ok(files)
}

/// A configuration file, the import map that it names, and the lock beside it.
fn configuration(file: &Path) -> Vec<PathBuf> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Configuration {
        import_map: Option<String>,
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    // With comments it is none to us: then it cannot name an import map either.
    let named = std::fs::read(file).ok().and_then(|text| serde_json::from_slice::<Configuration>(&text).ok());
    let map = named.and_then(|configuration| configuration.import_map).map(|map| folder.join(map));
    let lock = folder.join("deno.lock");
    [Some(file.to_owned()), map, Some(lock)].into_iter().flatten().filter(|path| path.is_file()).collect()
}
