//! A later version of the package of scripts among the examples, with a resource more, for a program that uses both at once. Its
//! SDKs are called otherwise than the first one's: `@pulumi/infra-newer`, as by an alias of npm, and `pulumi_infra_newer`, a copy of
//! its own.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::packages::{Package, SCRIPTS};
use super::{Language, Workshop, files};

/// What its SDKs are called.
pub const NAME: &str = "infra-newer";

const VERSION: &str = "2.0.0";

/// What it has more, which imports what is beside it in `tests/`.
const ADDED: &str = "tests/languages/newer";

/// The modules in Python, of the first version and of this one.
const MODULES: [&str; 2] = ["pulumi_infra", "pulumi_infra_newer"];

/// Makes its SDKs.
pub fn generate(workshop: &Workshop<'_>) -> Result<Package> {
    println!("generating {SCRIPTS} {VERSION} …");
    let folder = workshop.path("examples/newer");
    files::copy(&workshop.path("examples").join(SCRIPTS), &folder)?;
    files::copy(&workshop.project.path(ADDED), &folder)?;
    files::copy(&workshop.project.path("tests/scripts"), &workshop.path("scripts"))?;
    set_version(&folder.join("denobridge.json"))?;
    let mut package = Package::of_scripts(workshop, NAME, &folder);
    for language in [Language::Nodejs, Language::Python] {
        package.generate(workshop, language)?;
        ensure!(package.is_made(language), "there is no SDK of {NAME}: {:?}", package.refused);
    }
    let sdk = package.sdk(workshop, Language::Python);
    let [module, newer] = MODULES.map(|module| sdk.join(module));
    std::fs::rename(module, newer).context("an SDK for Python without its module")?;
    rename_module(&sdk)?;
    Ok(package)
}

fn set_version(manifest: &Path) -> Result<()> {
    let text = std::fs::read_to_string(manifest).context("cannot read denobridge.json")?;
    let mut content: Value = serde_json::from_str(&text).context("denobridge.json is not JSON")?;
    content["version"] = VERSION.into();
    std::fs::write(manifest, content.to_string()).context("cannot write denobridge.json")
}

/// Calls the module otherwise in all that names it.
fn rename_module(folder: &Path) -> Result<()> {
    for path in files::sorted(folder)? {
        if path.is_dir() {
            rename_module(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "py" || extension == "toml") {
            let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let [module, newer] = MODULES;
            std::fs::write(&path, text.replace(module, newer)).context("cannot write an SDK")?;
        }
    }
    Ok(())
}
