//! Go: `go vet` of each SDK, in a module that pins what it needs.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result};

use super::Errors;
use crate::languages::packages::Package;
use crate::languages::{Language, Workshop};
use crate::process;

pub fn check<'a>(workshop: &Workshop<'_>, packages: impl Iterator<Item = &'a Package>) -> Result<Errors> {
    println!("checking Go …");
    let mut errors = Errors::new();
    for package in packages {
        let folder = package.sdk(workshop, Language::Go);
        pin(workshop, &folder)?;
        let mut vet = workshop.command(&process::find_on_path("go").context("go is not on PATH")?)?;
        let ended = process::capture(vet.args(["vet", "./..."]).current_dir(&folder).stderr(Stdio::piped()))?;
        if !ended.status.success() {
            let lines = ended.stderr.lines().filter(|line| !line.starts_with('#'));
            errors.insert(package.name.clone(), lines.map(str::to_owned).collect());
        }
    }
    Ok(errors)
}

/// Gives an SDK the versions and sums of the module in `tests/languages/go/`; its own module says neither.
pub fn pin(workshop: &Workshop<'_>, folder: &Path) -> Result<()> {
    let pinned = workshop.project.path("tests/languages/go");
    let read = |path: &Path| std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    let name = module_name(folder)?;
    let pinned_module = read(&pinned.join("go.mod"))?;
    let (_, requirements) = pinned_module.split_once('\n').context("go.mod of tests/languages/go is empty")?;
    std::fs::write(folder.join("go.mod"), format!("module {name}\n{requirements}")).context("cannot write a go.mod")?;
    std::fs::copy(pinned.join("go.sum"), folder.join("go.sum")).context("cannot copy a go.sum")?;
    Ok(())
}

/// What an SDK calls its module.
pub fn module_name(folder: &Path) -> Result<String> {
    let file = folder.join("go.mod");
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let name = text.lines().find_map(|line| line.strip_prefix("module "));
    Ok(name.context("an SDK whose go.mod names no module")?.trim().to_owned())
}
