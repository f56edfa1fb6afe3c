//! Programs that use SDKs: `tests/languages/types/` are compiled, and `tests/languages/programs/` are run for real by the
//! Automation API, which needs no language host. A program in TypeScript and one in Python of the same name print the same.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::checks::typescript;
use super::packages::Package;
use super::{Language, Options, Workshop, effects, files, newer, types};
use crate::process;

const SOURCES: &str = "tests/languages/programs";

/// Where the programs that are only compiled are, inside of the folder of those that run.
const TYPES: &str = "types";

/// The packages of the table that programs use.
const USED: [&str; 3] = ["denobridge", "infra", "values"];

/// Compiles all programs and runs those that can be.
pub fn run(workshop: &Workshop<'_>, packages: &[Package], options: &Options) -> Result<()> {
    let mut used: Vec<&Package> = packages.iter().filter(|package| USED.contains(&package.name.as_str())).collect();
    if used.len() < USED.len() {
        return Ok(());
    }
    let newer = newer::generate(workshop)?;
    used.push(&newer);
    let folder = workshop.path("programs");
    files::copy(&workshop.project.path(SOURCES), &folder)?;
    // Beside the packages that are installed for the programs, and apart from them: some have the same name.
    files::copy(&workshop.project.path(types::SOURCES), &folder.join(TYPES))?;
    compile(workshop, &folder, &used)?;
    for name in names(&workshop.project.path(SOURCES))? {
        for language in [Language::Nodejs, Language::Python] {
            println!("running {name} in {} …", language.name());
            run_program(workshop, &name, language, options)?;
        }
    }
    effects::compare(workshop)
}

fn compile(workshop: &Workshop<'_>, folder: &Path, used: &[&Package]) -> Result<()> {
    println!("compiling programs …");
    for package in used {
        install_for_node(workshop, folder, package)?;
        install_for_python(workshop, package)?;
    }
    types::compile_typescript(workshop, folder)?;
    types::read_python(workshop, folder, &python_path(workshop))?;
    let types = folder.join(TYPES);
    types::check_typescript(workshop, &types)?;
    types::check_python(workshop, &types, &python_path(workshop))?;
    types::check_go(workshop, &types.join("go"))
}

/// Puts the SDK of a package where Node finds it, and compiles it as it is when it is published.
fn install_for_node(workshop: &Workshop<'_>, folder: &Path, package: &Package) -> Result<()> {
    let installed = folder.join("node_modules/@pulumi").join(&package.name);
    files::copy(&package.sdk(workshop, Language::Nodejs), &installed)?;
    let mut compile = workshop.environment.node(typescript::COMPILER)?;
    process::capture(compile.args(["--pretty", "false", "-p", "."]).current_dir(&installed))?.success()?;
    // The compiled SDK looks for it beside itself; when it is installed by npm, a script of its own puts it there.
    std::fs::copy(installed.join("package.json"), installed.join("bin/package.json"))
        .map(drop)
        .context("cannot copy a package.json")
}

/// Leaves beside the SDK of a package what pip leaves when it installs one: SDKs ask it for their version.
fn install_for_python(workshop: &Workshop<'_>, package: &Package) -> Result<()> {
    let sdk = package.sdk(workshop, Language::Python);
    let project = std::fs::read_to_string(sdk.join("pyproject.toml")).context("an SDK for Python without a project")?;
    let project: toml::Table = project.parse().context("the project of an SDK for Python")?;
    let said =
        |key: &str| project["project"][key].as_str().map(str::to_owned).context("a project that does not say all");
    let (name, version) = (said("name")?, said("version")?);
    let metadata = sdk.join(format!("{name}-{version}.dist-info"));
    std::fs::create_dir_all(&metadata).context("cannot install an SDK")?;
    let text = format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n");
    std::fs::write(metadata.join("METADATA"), text).context("cannot install an SDK")
}

/// Programs that print something which is written down.
fn names(folder: &Path) -> Result<Vec<String>> {
    let files = files::sorted(folder)?;
    let programs = files.iter().filter_map(|file| file.file_name()?.to_str()?.strip_suffix(".expected.txt"));
    Ok(programs.map(str::to_owned).collect())
}

fn run_program(workshop: &Workshop<'_>, name: &str, language: Language, options: &Options) -> Result<()> {
    let sandbox = workshop.path("run").join(format!("{name}-{}", language.name()));
    files::copy(&workshop.project.path("tests/scripts"), &sandbox)?;
    std::fs::create_dir_all(sandbox.join("state")).context("cannot create a backend")?;
    let programs = workshop.path("programs");
    let mut run = program(workshop, name, language)?;
    run.env("PULUMI_BACKEND_URL", format!("file://{}", sandbox.join("state").display()));
    run.current_dir(&sandbox).stderr(Stdio::piped());
    let ended = process::capture(&mut run)?;
    let printed = ended.stdout.clone();
    let expected_file = workshop.project.path(SOURCES).join(format!("{name}.expected.txt"));
    let expected = std::fs::read_to_string(&expected_file).context("cannot read what a program prints")?;
    if !ended.status.success() {
        bail!("{}", ended.report());
    }
    if options.update && language == Language::Nodejs {
        return std::fs::write(&expected_file, printed).context("cannot write what a program prints");
    }
    ensure!(
        printed == expected,
        "{name} in {} prints something else than {}:\n{printed}\n{}",
        language.name(),
        expected_file.display(),
        programs.display()
    );
    Ok(())
}

fn program(workshop: &Workshop<'_>, name: &str, language: Language) -> Result<Command> {
    let file = |extension| workshop.path("programs").join(format!("{name}.{extension}"));
    if language == Language::Nodejs {
        let mut run = workshop.command(&process::find_on_path("node").context("node is not on PATH")?)?;
        run.arg(file("js"));
        return Ok(run);
    }
    let sdks = std::env::join_paths(python_path(workshop)).context("the name of a folder cannot be part of a path")?;
    let mut run = workshop.command(&workshop.environment.python())?;
    // Files of compiled Python would be left in the SDK.
    run.arg("-B").arg(file("py")).env("PYTHONPATH", sdks);
    Ok(run)
}

/// Where Python finds the SDKs.
fn python_path(workshop: &Workshop<'_>) -> Vec<PathBuf> {
    let used = USED.into_iter().chain([newer::NAME]);
    used.map(|package| workshop.path("sdks").join(package).join(Language::Python.name())).collect()
}
