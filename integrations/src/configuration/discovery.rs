//! Which configuration file is in force.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::document::Syntax;

/// Names a configuration file; empty: there is none, whatever could be found.
pub const VARIABLE: &str = "DENOBRIDGE_INTEGRATIONS";

/// Must be `1` for a file that nobody named: a folder that one has got from somewhere must not start programs.
pub const GATE: &str = "TF_EXPERIMENT_integration_sdk";

/// A file's name without its end.
const STEM: &str = "integrations";

/// Which configuration file is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Discovery {
    /// None.
    Nothing,
    /// There would be this one, but it was found and not named, and [`GATE`] is not set.
    Gated(PathBuf),
    /// This one.
    File(PathBuf),
}

/// A folder has files of several syntaxes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{} has several configurations of integrations ({}), and nothing says which is meant: remove the others, or name one in {VARIABLE}",
    .folder.display(), .files.join(", ")
)]
pub struct SeveralFiles {
    /// The folder.
    pub folder: PathBuf,
    /// The files' names.
    pub files: Vec<String>,
}

/// Where to look.
pub struct Search<'s> {
    /// The user's environment.
    pub variable: &'s dyn Fn(&str) -> Option<OsString>,
    /// What the provider's configuration names, if it does.
    pub named: Option<&'s Path>,
    /// Where the command was started.
    pub working_directory: &'s Path,
}

impl Search<'_> {
    /// The first file there is, of: what [`VARIABLE`] names, what the provider's configuration names, `integrations.toml`,
    /// `.json` or `.hcl` in the working directory and upwards, and in the user's configuration directory. Files that were
    /// named are not looked for: reading them tells if they are not there.
    ///
    /// # Errors
    /// One folder has several.
    pub fn find(&self) -> Result<Discovery, SeveralFiles> {
        let named = match (self.variable)(VARIABLE) {
            Some(path) if path.is_empty() => return Ok(Discovery::Nothing),
            Some(path) => Some(PathBuf::from(path)),
            None => self.named.map(Path::to_path_buf),
        };
        if let Some(path) = named {
            return Ok(Discovery::File(self.working_directory.join(path)));
        }
        let is_open = (self.variable)(GATE).is_some_and(|value| value == "1");
        let folders = self.working_directory.ancestors().map(Path::to_path_buf).chain(self.user_directory());
        for folder in folders {
            match in_folder(&folder) {
                Ok(None) => {}
                Ok(Some(path)) if is_open => return Ok(Discovery::File(path)),
                Ok(Some(path)) => return Ok(Discovery::Gated(path)),
                // Whoever has not asked for integrations is not troubled with them.
                Err(several) if is_open => return Err(several),
                Err(several) => return Ok(Discovery::Gated(several.folder)),
            }
        }
        Ok(Discovery::Nothing)
    }

    fn user_directory(&self) -> Option<PathBuf> {
        let path = |name: &str| (self.variable)(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let parent = if cfg!(windows) {
            path("APPDATA")
        } else if cfg!(target_os = "macos") {
            path("HOME").map(|home| home.join("Library/Application Support"))
        } else {
            path("XDG_CONFIG_HOME").or_else(|| path("HOME").map(|home| home.join(".config")))
        };
        parent.map(|parent| parent.join("denobridge"))
    }
}

fn in_folder(folder: &Path) -> Result<Option<PathBuf>, SeveralFiles> {
    let names = Syntax::ALL.iter().map(|(end, _)| format!("{STEM}.{end}"));
    let mut files: Vec<String> = names.filter(|name| folder.join(name).is_file()).collect();
    match files.len() {
        0 | 1 => Ok(files.pop().map(|name| folder.join(name))),
        _ => Err(SeveralFiles { folder: folder.to_owned(), files }),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A project in a user's home, with folders to put files into.
    struct Home {
        folder: tempfile::TempDir,
    }

    impl Home {
        fn with(files: &[&str]) -> Self {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir_all(folder.path().join("project/module")).unwrap();
            for file in files {
                let path = folder.path().join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "").unwrap();
            }
            Self { folder }
        }

        fn find(&self, variables: &[(&str, &str)], named: Option<&str>) -> Result<Discovery, SeveralFiles> {
            let home = self.folder.path();
            let variable = |name: &str| match name {
                "HOME" | "APPDATA" | "XDG_CONFIG_HOME" => Some(home.join("settings").into_os_string()),
                _ => variables.iter().find(|(of, _)| *of == name).map(|(_, value)| (*value).into()),
            };
            let working_directory = &home.join("project/module");
            Search { variable: &variable, named: named.map(Path::new), working_directory }.find()
        }

        fn file(&self, name: &str) -> Discovery {
            Discovery::File(self.folder.path().join(name))
        }
    }

    const OPEN: (&str, &str) = (GATE, "1");

    #[test]
    fn m06_a_file_that_is_found_needs_the_gate() {
        let home = Home::with(&["project/integrations.toml"]);
        assert_eq!(home.find(&[OPEN], None), Ok(home.file("project/integrations.toml")));
        let gated = Discovery::Gated(home.folder.path().join("project/integrations.toml"));
        assert_eq!(home.find(&[], None), Ok(gated.clone()));
        assert_eq!(home.find(&[(GATE, "0")], None), Ok(gated));
    }

    #[test]
    fn m06_a_file_that_is_named_needs_no_gate_and_comes_first() {
        let home = Home::with(&["project/integrations.toml"]);
        assert_eq!(home.find(&[], Some("mine.json")), Ok(home.file("project/module/mine.json")));
        assert_eq!(home.find(&[(VARIABLE, "../ci.hcl")], Some("x.json")), Ok(home.file("project/module/../ci.hcl")));
        assert_eq!(home.find(&[(VARIABLE, ""), OPEN], Some("mine.json")), Ok(Discovery::Nothing), "switched off");
    }

    #[test]
    #[cfg(all(unix, not(target_os = "macos")))]
    fn m06_the_nearest_folder_comes_first_and_the_users_directory_last() {
        let home = Home::with(&["integrations.hcl", "settings/denobridge/integrations.json"]);
        assert_eq!(home.find(&[OPEN], None), Ok(home.file("integrations.hcl")));
        let home = Home::with(&["settings/denobridge/integrations.json"]);
        assert_eq!(home.find(&[OPEN], None), Ok(home.file("settings/denobridge/integrations.json")));
        assert_eq!(Home::with(&[]).find(&[OPEN], None), Ok(Discovery::Nothing));
    }

    #[test]
    fn m06_several_files_in_one_folder_are_an_error() {
        let home = Home::with(&["project/integrations.toml", "project/integrations.hcl"]);
        let error = home.find(&[OPEN], None).unwrap_err().to_string();
        insta::assert_snapshot!(error.replace(&home.folder.path().display().to_string(), "HOME").replace('\\', "/"));
        assert!(matches!(home.find(&[], None), Ok(Discovery::Gated(_))), "no trouble for who does not ask for it");
    }
}
