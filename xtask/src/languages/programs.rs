//! Programs that use SDKs: `tests/languages/types/` are compiled, with what has to be refused marked in them, and
//! `tests/languages/programs/` are run for real by the Automation API, which needs no language host. A program in TypeScript
//! and one in Python of the same name print the same.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use super::checks::{golang, python, typescript};
use super::packages::Package;
use super::{Language, Options, Workshop};
use crate::process;

const SOURCES: &str = "tests/languages/programs";
const TYPES: &str = "tests/languages/types";

/// The packages that programs use.
const USED: [&str; 2] = ["denobridge", "values"];

/// Compiles all programs and runs those that can be.
pub fn run(workshop: &Workshop<'_>, packages: &[Package], options: &Options) -> Result<()> {
    let used: Vec<&Package> = packages.iter().filter(|package| USED.contains(&package.name.as_str())).collect();
    if used.len() < USED.len() {
        return Ok(());
    }
    let folder = workshop.path("programs");
    for source in [SOURCES, TYPES] {
        copy(&workshop.project.path(source), &folder)?;
    }
    check_types(workshop, &folder, &used)?;
    for name in names(&workshop.project.path(SOURCES))? {
        for language in [Language::Nodejs, Language::Python] {
            println!("running {name} in {} …", language.name());
            run_program(workshop, &name, language, options)?;
        }
    }
    Ok(())
}

fn check_types(workshop: &Workshop<'_>, folder: &Path, used: &[&Package]) -> Result<()> {
    println!("compiling programs …");
    for package in used {
        install_for_node(workshop, folder, package)?;
        install_for_python(workshop, package)?;
    }
    let project = json!({"compilerOptions": {
        "strict": true, "target": "es2022", "module": "commonjs", "moduleResolution": "node", "esModuleInterop": false,
        "skipLibCheck": true, "types": ["node"],
    }, "include": ["*.ts"]});
    compile(workshop, folder, Some(&project))?;
    let paths: Vec<_> = used.iter().map(|package| package.sdk(workshop, Language::Python)).collect();
    let configuration =
        json!({"include": ["*.py"], "extraPaths": paths, "reportUnnecessaryTypeIgnoreComment": "error"});
    let errors: Vec<String> =
        python::pyright(workshop, folder, &configuration)?.into_iter().map(|(_, error)| error).collect();
    ensure!(errors.is_empty(), "programs in Python are not in order:\n{}", errors.join("\n"));
    check_go(workshop, folder)
}

/// Puts the SDK of a package where Node finds it, and compiles it as it is when it is published.
fn install_for_node(workshop: &Workshop<'_>, folder: &Path, package: &Package) -> Result<()> {
    let installed = folder.join("node_modules/@pulumi").join(&package.name);
    copy(&package.sdk(workshop, Language::Nodejs), &installed)?;
    compile(workshop, &installed, None)?;
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

/// Compiles a folder of TypeScript by its own project, or by this one.
fn compile(workshop: &Workshop<'_>, folder: &Path, project: Option<&serde_json::Value>) -> Result<()> {
    if let Some(project) = project {
        std::fs::write(folder.join("tsconfig.json"), project.to_string()).context("cannot write a project")?;
    }
    let mut compile = workshop.environment.node(typescript::COMPILER)?;
    process::capture(compile.args(["--pretty", "false", "-p", "."]).current_dir(folder))?.success().map(drop)
}

/// `right.go` has to compile. Each file beside it that has a build tag of its name has to be refused, in the words of its
/// first line.
fn check_go(workshop: &Workshop<'_>, folder: &Path) -> Result<()> {
    let module = folder.join("go");
    copy(&workshop.path("sdks/values/go"), &module.join("sdk"))?;
    let sdk = go_package(&module.join("sdk"))?;
    golang::pin(workshop, &module.join("sdk"))?;
    copy(&workshop.project.path(TYPES), &module.join("types"))?;
    let name = golang::module_name(&module.join("sdk"))?;
    for file in sorted(&module.join("types"))?.into_iter().filter(|file| has_extension(file, "go")) {
        let text = std::fs::read_to_string(&file).context("cannot read a program")?;
        let import = format!("{name}/{}", sdk.display());
        std::fs::write(&file, text.replace("denobridge.test/values", import.trim_end_matches('/')))?;
    }
    std::fs::rename(module.join("types"), module.join("sdk/types")).context("cannot move programs")?;
    let vet = |tag: Option<&str>| -> Result<process::Captured> {
        let mut vet = workshop.command(&process::find_on_path("go").context("go is not on PATH")?)?;
        vet.arg("vet").args(tag.map(|tag| format!("-tags={tag}"))).arg("./types/...").stderr(Stdio::piped());
        process::capture(vet.current_dir(module.join("sdk")))
    };
    vet(None)?.success()?;
    for file in sorted(&module.join("sdk/types"))? {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let Some(words) = text.lines().find_map(|line| line.strip_prefix("// Refused: ")) else { continue };
        let tag = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let ended = vet(Some(&tag))?;
        ensure!(!ended.status.success(), "{} compiles, and it should not", file.display());
        ensure!(ended.stderr.contains(words), "{} is refused in other words: {}", file.display(), ended.stderr);
    }
    Ok(())
}

/// The folder of the package inside its module.
fn go_package(module: &Path) -> Result<PathBuf> {
    let mut open = vec![module.to_path_buf()];
    while let Some(folder) = open.pop() {
        for path in sorted(&folder)? {
            if path.is_dir() {
                open.push(path);
            } else if path.file_name().is_some_and(|name| name == "provider.go") {
                return Ok(folder.strip_prefix(module).unwrap_or(&folder).to_path_buf());
            }
        }
    }
    bail!("an SDK for Go without a provider in {}", module.display())
}

/// Programs that print something which is written down.
fn names(folder: &Path) -> Result<Vec<String>> {
    let files = sorted(folder)?;
    let programs = files.iter().filter_map(|file| file.file_name()?.to_str()?.strip_suffix(".expected.txt"));
    Ok(programs.map(str::to_owned).collect())
}

fn run_program(workshop: &Workshop<'_>, name: &str, language: Language, options: &Options) -> Result<()> {
    let sandbox = workshop.path("run").join(format!("{name}-{}", language.name()));
    copy(&workshop.project.path("tests/scripts"), &sandbox)?;
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
    let sdk = workshop.path("sdks/denobridge/python");
    let mut run = workshop.command(&workshop.environment.python())?;
    // Files of compiled Python would be left in the SDK.
    run.arg("-B").arg(file("py")).env("PYTHONPATH", sdk);
    Ok(run)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for path in sorted(from)? {
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            std::fs::copy(&path, &target).with_context(|| format!("cannot copy {}", path.display()))?;
        }
    }
    Ok(())
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.sort();
    Ok(paths)
}

fn has_extension(file: &Path, extension: &str) -> bool {
    file.extension().is_some_and(|found| found == extension)
}
