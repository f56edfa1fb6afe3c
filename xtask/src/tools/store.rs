//! The folder `.tools/`: finished programs, a stamp for each that says what it was made from, and a lock.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::project::Project;

/// What an installed program is called, where it goes, and everything that decides what is in it.
pub struct Recipe {
    /// The file name without the platform's suffix.
    pub file_name: &'static str,
    /// The folder below `.tools/`.
    pub folder: &'static str,
    /// The version for people.
    pub version: String,
    /// Changes whenever the program must be made anew.
    pub fingerprint: String,
}

/// The folder of installed tools.
pub struct Store {
    root: PathBuf,
}

impl Store {
    /// Opens the folder, creating it when absent.
    pub fn open(project: &Project) -> Result<Self> {
        let store = Self { root: project.path(".tools") };
        for folder in [store.bin(), store.stamps(), store.aside()] {
            std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        }
        Ok(store)
    }

    /// Where the tools that belong on PATH are.
    pub fn bin(&self) -> PathBuf {
        self.root.join("bin")
    }

    fn stamps(&self) -> PathBuf {
        self.root.join("stamps")
    }

    /// Unfinished work. On the same file system as the rest, so that a rename finishes it.
    fn aside(&self) -> PathBuf {
        self.root.join("aside")
    }

    /// Waits until no other run installs. The lock ends with the returned file, however this process ends.
    pub fn lock(&self) -> Result<File> {
        let path = self.root.join("lock");
        let open = File::options().create(true).truncate(false).write(true).open(&path);
        let file = open.with_context(|| format!("cannot open {}", path.display()))?;
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => println!("waiting for another run that installs tools …"),
            Err(TryLockError::Error(error)) => bail!("cannot lock {}: {error}", path.display()),
        }
        file.lock().with_context(|| format!("cannot lock {}", path.display()))?;
        Ok(file)
    }

    /// The installed program, if it was made from what the recipe says now.
    pub fn kept(&self, recipe: &Recipe) -> Option<PathBuf> {
        let program = self.destination(recipe);
        let stamp = std::fs::read_to_string(self.stamp(recipe)).ok()?;
        (stamp == recipe.fingerprint && program.is_file()).then_some(program)
    }

    /// A fresh folder for unfinished work; removed when dropped.
    pub fn work_folder(&self) -> Result<TempDir> {
        tempfile::tempdir_in(self.aside())
            .with_context(|| format!("cannot create a folder in {}", self.aside().display()))
    }

    /// Moves a finished program to its place. The stamp goes first and comes back last: whatever interrupts this, a stamp
    /// never vouches for a program made from something else.
    pub fn keep(&self, recipe: &Recipe, finished: &Path) -> Result<PathBuf> {
        let (program, stamp) = (self.destination(recipe), self.stamp(recipe));
        let place = || -> std::io::Result<()> {
            make_executable(finished)?;
            if stamp.exists() {
                std::fs::remove_file(&stamp)?;
            }
            std::fs::create_dir_all(self.root.join(recipe.folder))?;
            std::fs::rename(finished, &program)?;
            let unfinished_stamp = finished.with_extension("stamp");
            std::fs::write(&unfinished_stamp, &recipe.fingerprint)?;
            std::fs::rename(&unfinished_stamp, &stamp)
        };
        place().with_context(|| format!("cannot install {}", program.display()))?;
        Ok(program)
    }

    fn destination(&self, recipe: &Recipe) -> PathBuf {
        self.root.join(recipe.folder).join(format!("{}{}", recipe.file_name, std::env::consts::EXE_SUFFIX))
    }

    fn stamp(&self, recipe: &Recipe) -> PathBuf {
        self.stamps().join(recipe.file_name)
    }
}

#[cfg(unix)]
fn make_executable(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_file: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(fingerprint: &str) -> Recipe {
        Recipe { file_name: "tool", folder: "bin", version: "1".to_owned(), fingerprint: fingerprint.to_owned() }
    }

    #[test]
    fn a_program_is_kept_until_its_recipe_changes() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&Project::at(folder.path())).unwrap();
        assert!(store.kept(&recipe("a")).is_none());
        for fingerprint in ["a", "b"] {
            let work = store.work_folder().unwrap();
            std::fs::write(work.path().join("tool"), fingerprint).unwrap();
            store.keep(&recipe(fingerprint), &work.path().join("tool")).unwrap();
            let kept = store.kept(&recipe(fingerprint)).unwrap();
            assert_eq!(std::fs::read_to_string(kept).unwrap(), fingerprint);
        }
        assert!(store.kept(&recipe("a")).is_none());
        std::fs::remove_file(store.destination(&recipe("b"))).unwrap();
        assert!(store.kept(&recipe("b")).is_none(), "a stamp alone is not enough");
    }
}
