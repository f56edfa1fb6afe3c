//! Deno: on PATH, else from one of the two package registries that carry its binary.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};

use super::is_at_least;
use super::store::{Recipe, Store};
use crate::process;

const VERSION_ON_PYPI: &str = "2.9.8";
const VERSION_ON_NPM: &str = "2.9.6";

/// Leaves Deno's binary somewhere below a folder.
type Fetch = fn(&Path) -> Result<PathBuf>;

const SOURCES: [(&str, Fetch); 2] = [("downloaded from PyPI", from_pypi), ("downloaded from npm", from_npm)];

/// Deno 2 on PATH. Deno itself is asked where it is: a version manager's shim costs a fifth of a second at every start.
pub fn on_path() -> Option<(PathBuf, String)> {
    let shim = process::find_on_path("deno")?;
    let mut ask = Command::new(shim);
    ask.args(["eval", "--no-config", "console.log(Deno.execPath()); console.log(Deno.version.deno)"]);
    let answer = process::capture(&mut ask).ok()?.success().ok()?;
    let (path, version) = answer.trim().split_once('\n')?;
    is_at_least(version, (2, 0)).then(|| (PathBuf::from(path), version.to_owned()))
}

pub fn recipe() -> Recipe {
    Recipe {
        file_name: "deno",
        folder: "bin",
        version: VERSION_ON_PYPI.to_owned(),
        fingerprint: format!("PyPI {VERSION_ON_PYPI}, npm {VERSION_ON_NPM}"),
    }
}

/// Fetches Deno with whichever of pip and npm is there, and says which it was.
pub fn download(store: &Store, recipe: &Recipe) -> Result<(&'static str, PathBuf)> {
    let mut failures = Vec::new();
    for (how, fetch) in SOURCES {
        let work = store.work_folder()?;
        match fetch(work.path()).and_then(|binary| check(&binary).map(|()| binary)) {
            Ok(binary) => return Ok((how, store.keep(recipe, &binary)?)),
            Err(failure) => failures.push(format!("{how}: no: {failure:#}")),
        }
    }
    bail!("{}\nPut Deno 2 on PATH: https://docs.deno.com/runtime/getting_started/installation/", failures.join("\n"))
}

/// The wheel holds the binary as a script; unpacked by Python itself, so that nothing else is needed.
fn from_pypi(work: &Path) -> Result<PathBuf> {
    let python = ["python3", "python"].into_iter().find_map(process::find_on_path).context("Python is not on PATH")?;
    let mut download = Command::new(&python);
    download.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest"]);
    process::capture(download.arg(work).arg(format!("deno=={VERSION_ON_PYPI}")))?.success()?;
    let wheel = files(work)?.find(|file| file.extension().is_some_and(|e| e == "whl")).context("pip left no wheel")?;
    let mut unpack = Command::new(&python);
    process::capture(unpack.args(["-m", "zipfile", "-e"]).arg(wheel).arg(work))?.success()?;
    let scripts = work.join(format!("deno-{VERSION_ON_PYPI}.data")).join("scripts");
    only_existing(scripts.join(format!("deno{}", std::env::consts::EXE_SUFFIX)))
}

/// The package `deno` is a shim in JavaScript; npm picks the optional package with this platform's binary beside it.
fn from_npm(work: &Path) -> Result<PathBuf> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut install = Command::new(npm);
    install.args(["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--prefix"]);
    process::capture(install.arg(work).arg(format!("deno@{VERSION_ON_NPM}")))?.success()?;
    let file_name = format!("deno{}", std::env::consts::EXE_SUFFIX);
    let platforms = files(&work.join("node_modules").join("@deno"))?;
    let mut binaries = platforms.map(|package| package.join(&file_name)).filter(|binary| binary.is_file());
    binaries.next().ok_or_else(|| anyhow!("the npm package has no binary for this platform"))
}

/// A wheel for another C library installs happily and then does not start: run it once.
fn check(binary: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(binary, std::fs::Permissions::from_mode(0o755))?;
    }
    process::capture(Command::new(binary).arg("--version"))?.success().map(drop)
}

fn files(folder: &Path) -> Result<impl Iterator<Item = PathBuf> + use<>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    Ok(entries.filter_map(|entry| entry.ok().map(|entry| entry.path())))
}

fn only_existing(file: PathBuf) -> Result<PathBuf> {
    if file.is_file() { Ok(file) } else { bail!("the package has no file {}", file.display()) }
}
