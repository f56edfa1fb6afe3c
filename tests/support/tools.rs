//! The tools that tests need, and folders for them.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context as _, Result};

/// The tool that `cargo xtask test` names or has in its folder, else the one that `cargo xtask tools` put into the project,
/// else PATH's.
pub fn tool(project: &Path, name: &str, variable: &str) -> Result<PathBuf> {
    if let Some(path) = env::var_os(variable) {
        return Ok(PathBuf::from(path));
    }
    let mut places: Vec<_> = env::var_os("DENOBRIDGE_TEST_TOOLS_BIN").map(PathBuf::from).into_iter().collect();
    places.push(project.join(".tools/bin"));
    places.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    places
        .iter()
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
        .with_context(|| format!("`{name}` is needed: run `cargo xtask tools`, or set {variable}"))
}

/// Makes a program stand under another name.
#[cfg(unix)]
pub fn link(from: &Path, to: &Path) -> Result<()> {
    std::os::unix::fs::symlink(from, to).with_context(|| format!("could not link {}", to.display()))
}

/// Makes a program stand under another name.
#[cfg(not(unix))]
pub fn link(from: &Path, to: &Path) -> Result<()> {
    let to = to.with_extension("exe");
    fs::copy(from, &to).map(|_| ()).with_context(|| format!("could not copy to {}", to.display()))
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("could not read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
