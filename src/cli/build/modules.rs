//! The files that scripts need: themselves, the modules on this machine that they load, and how Deno is configured for them.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::io::Write as _;
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
    #[error("`deno info`, which is asked what the scripts load, failed: {0}")]
    Info(String),
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
    #[serde(default)]
    dependencies: Vec<Dependency>,
}

/// What a module loads: code, or only types.
#[derive(Deserialize)]
struct Dependency {
    code: Option<Resolved>,
    r#type: Option<Resolved>,
}

#[derive(Deserialize)]
struct Resolved {
    #[serde(default)]
    specifier: String,
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
        let scripts: Vec<&Path> = package.scripts.iter().map(|script| Path::new(&script.location)).collect();
        let mut files = modules(deno, folder, &scripts).await?;
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

/// The files that scripts load, themselves included. What comes from elsewhere is loaded from there by whoever runs them.
///
/// Deno is asked once, about a module that loads them all: a start of its own for each script would take longer than all it has
/// to say, and it would look at what scripts share again and again. What names stand for is what the configuration of the
/// package's folder says, which is the one that a release is run with.
async fn modules(deno: &Path, folder: &Path, scripts: &[&Path]) -> Result<BTreeSet<PathBuf>, ModulesError> {
    let failed = |error: &dyn std::fmt::Display| ModulesError::Info(error.to_string());
    let mut all = tempfile::Builder::new().suffix(".ts").tempfile().map_err(|error| failed(&error))?;
    all.write_all(loading(scripts).as_bytes()).map_err(|error| failed(&error))?;
    let mut command = tokio::process::Command::new(deno);
    command.args(["info", "--json", "--quiet"]).arg(all.path()).stdin(Stdio::null()).kill_on_drop(true);
    // Deno looks for its configuration from where it is started.
    command.current_dir(folder);
    let output = command.output().await.map_err(|error| failed(&error))?;
    if !output.status.success() {
        return Err(failed(&String::from_utf8_lossy(&output.stderr).trim()));
    }
    let info: Info = serde_json::from_slice(&output.stdout).map_err(|error| failed(&error))?;
    if let Some(Module { specifier, error: Some(reason), .. }) = info.modules.iter().find(|one| one.error.is_some()) {
        let script = scripts.iter().find(|script| info.loads(script, specifier));
        let script = script.map_or_else(|| "a script".to_owned(), |script| script.display().to_string());
        return Err(ModulesError::Missing { script, module: specifier.clone(), reason: reason.clone() });
    }
    let files = info.modules.iter().filter_map(|module| file(&module.specifier));
    Ok(files.filter(|file| !is_same(file, all.path())).collect())
}

/// A module that loads scripts and nothing else.
fn loading(scripts: &[&Path]) -> String {
    let addresses = scripts.iter().filter_map(|script| Url::from_file_path(script).ok());
    addresses.fold(String::new(), |mut text, address| {
        // Writing to a text never fails.
        let _ = writeln!(text, "import {:?};", address.as_str());
        text
    })
}

fn file(specifier: &str) -> Option<PathBuf> {
    Url::parse(specifier).ok().filter(|url| url.scheme() == "file").and_then(|url| url.to_file_path().ok())
}

/// Whether two paths lead to one file, which temporary folders on macOS and Windows make a question.
fn is_same(one: &Path, other: &Path) -> bool {
    one == other || (one.file_name() == other.file_name() && one.canonicalize().ok() == other.canonicalize().ok())
}

impl Info {
    /// Whether a script leads to a module.
    fn loads(&self, script: &Path, module: &str) -> bool {
        let modules: HashMap<&str, &Module> = self.modules.iter().map(|one| (one.specifier.as_str(), one)).collect();
        let Ok(script) = Url::from_file_path(script) else { return false };
        let (mut seen, mut left) = (BTreeSet::new(), vec![script.as_str()]);
        while let Some(specifier) = left.pop() {
            if specifier == module {
                return true;
            }
            let known = modules.get(specifier).filter(|_| seen.insert(specifier));
            let dependencies = known.into_iter().flat_map(|known| &known.dependencies);
            let loaded = dependencies.flat_map(|dependency| [&dependency.code, &dependency.r#type]);
            left.extend(loaded.flatten().map(|resolved| resolved.specifier.as_str()));
        }
        false
    }
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

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::deno::testing;

    /// A folder with files in it, and a Deno whose starts are counted.
    fn bench(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let deno = place.path().join("counted-deno");
        let starts = place.path().join("starts");
        let counted =
            format!("#!/bin/sh\necho \"$*\" >> '{}'\nexec '{}' \"$@\"\n", starts.display(), testing::deno().display());
        std::fs::write(&deno, counted).unwrap();
        std::fs::set_permissions(&deno, std::fs::Permissions::from_mode(0o755)).unwrap();
        for (name, text) in files {
            let path = place.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        (place, deno)
    }

    /// What two scripts of the package `infra` load.
    async fn modules_of(place: &Path, deno: &Path, scripts: [&str; 2]) -> Result<BTreeSet<PathBuf>, ModulesError> {
        let scripts = scripts.map(|script| place.join(script));
        let scripts: Vec<&Path> = scripts.iter().map(PathBuf::as_path).collect();
        modules(deno, &place.join("infra"), &scripts).await
    }

    #[tokio::test]
    async fn deno_is_asked_once_for_all_scripts() {
        let (place, deno) = bench(&[
            ("infra/deno.json", r#"{"imports": {"shared/": "../shared/"}}"#),
            ("infra/one.ts", "import 'shared/both.ts';"),
            ("infra/deep er/two.ts", "import 'shared/both.ts'; import '../own.ts';"),
            ("infra/own.ts", ""),
            ("shared/both.ts", "export * from './more.ts';"),
            ("shared/more.ts", "export {};"),
            ("shared/unused.ts", ""),
        ]);
        let place = place.path().canonicalize().unwrap();
        let files = modules_of(&place, &deno, ["infra/one.ts", "infra/deep er/two.ts"]).await.unwrap();
        let names: Vec<_> = files.iter().map(|file| file.strip_prefix(&place).unwrap().to_str().unwrap()).collect();
        let expected = ["infra/deep er/two.ts", "infra/one.ts", "infra/own.ts", "shared/both.ts", "shared/more.ts"];
        assert_eq!(names, expected);
        assert_eq!(std::fs::read_to_string(place.join("starts")).unwrap().lines().count(), 1);
    }

    #[tokio::test]
    async fn what_is_missing_is_told_with_the_script_that_leads_there() {
        let (place, deno) = bench(&[
            ("infra/good.ts", "import './shared.ts';"),
            ("infra/bad.ts", "import './shared.ts'; import './between.ts';"),
            ("infra/shared.ts", "import './between_not.ts';"),
            ("infra/between_not.ts", ""),
            ("infra/between.ts", "await import('./gone.ts');"),
        ]);
        let place = place.path().canonicalize().unwrap();
        let error = modules_of(&place, &deno, ["infra/good.ts", "infra/bad.ts"]).await.unwrap_err().to_string();
        assert!(error.contains("bad.ts loads ") && error.contains("gone.ts, which cannot be loaded: "), "{error}");
    }
}
