//! What a schema says of a property is what each language's compiler or type checker says of it: `tests/languages/types/` are
//! programs that are right but for the places marked in them, which have to be refused, each with a message that names what
//! the mark names.
//!
//! | language | mark | the message is about |
//! |---|---|---|
//! | TypeScript | `// @ts-expect-error the name` on a line of its own | the next line |
//! | Python | `# pyright: ignore[rule] the name` behind the code | its line |
//! | Go | `// Refused: the name` in a file with a build tag of the file's name | the file |

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use super::checks::{golang, python, typescript};
use super::{Workshop, files};
use crate::process;

/// Where the programs are; those in Go are in folders called like the packages that they use.
pub const SOURCES: &str = "tests/languages/types";

const TYPESCRIPT_MARK: &str = "// @ts-expect-error ";
const PYTHON_MARK: &str = "# pyright: ignore[";
const GO_MARK: &str = "// Refused: ";

/// What has to be refused: a file, a line of it, and a name.
struct Refusal {
    file: String,
    line: usize,
    name: String,
}

/// Compiles all of TypeScript in the folder, so that it can be run.
pub fn compile_typescript(workshop: &Workshop<'_>, folder: &Path) -> Result<()> {
    compile(workshop, folder)?.success().map(drop)
}

/// The same, and what has to be refused is.
pub fn check_typescript(workshop: &Workshop<'_>, folder: &Path) -> Result<()> {
    compile_typescript(workshop, folder)?;
    // Again without the marks, which keep the messages from being seen.
    let unmarked = folder.join("unmarked");
    std::fs::create_dir_all(&unmarked).context("cannot create a folder")?;
    let mut refusals = Vec::new();
    for file in with_extension(folder, "ts")? {
        let name = file_name(&file);
        let text = std::fs::read_to_string(&file).context("cannot read a program")?;
        let marks = text
            .lines()
            .enumerate()
            .filter_map(|(index, line)| Some((index, line.trim_start().strip_prefix(TYPESCRIPT_MARK)?)));
        refusals.extend(marks.map(|(index, name_of)| Refusal {
            file: name.clone(),
            line: index + 2,
            name: name_of.to_owned(),
        }));
        std::fs::write(unmarked.join(&name), text.replace(TYPESCRIPT_MARK, "// ")).context("cannot write a program")?;
    }
    let ended = compile(workshop, &unmarked)?;
    let messages = typescript_messages(&unmarked, &ended.stdout);
    refusals.iter().try_for_each(|refusal| refusal.require(&messages, &format!("{}:{}", refusal.file, refusal.line)))
}

/// The errors in `values.ts(17,3): error TS2322: …`, of which further lines are indented: each with its place, and with what
/// the program has from there on, since a message about a value does not say where it goes.
fn typescript_messages(folder: &Path, printed: &str) -> Vec<(String, String)> {
    let mut messages: Vec<(String, String)> = Vec::new();
    for line in printed.lines() {
        match (line.starts_with(' '), messages.last_mut()) {
            (true, Some((_, message))) => message.push_str(line),
            _ => {
                let place = line.split(')').next().unwrap_or_default();
                let (file, position) = place.split_once('(').unwrap_or_default();
                let (row, column) = position.split_once(',').unwrap_or_default();
                let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
                let number = |text: &str| text.parse::<usize>().unwrap_or(1) - 1;
                let from_there = text.lines().nth(number(row)).and_then(|text| text.get(number(column)..));
                messages.push((format!("{file}:{row}"), format!("{line} ({})", from_there.unwrap_or_default())));
            }
        }
    }
    messages
}

fn compile(workshop: &Workshop<'_>, folder: &Path) -> Result<process::Captured> {
    let project = json!({"compilerOptions": {
        "strict": true, "target": "es2022", "module": "commonjs", "moduleResolution": "node", "esModuleInterop": false,
        "skipLibCheck": true, "types": ["node"],
    }, "include": ["*.ts"]});
    std::fs::write(folder.join("tsconfig.json"), project.to_string()).context("cannot write a project")?;
    let mut compile = workshop.environment.node(typescript::COMPILER)?;
    process::capture(compile.args(["--pretty", "false", "-p", "."]).current_dir(folder))
}

/// Checks all of Python in the folder. `sdks` is where the SDKs are.
pub fn read_python(workshop: &Workshop<'_>, folder: &Path, sdks: &[PathBuf]) -> Result<()> {
    let configuration = json!({"include": ["*.py"], "extraPaths": sdks, "reportUnnecessaryTypeIgnoreComment": "error"});
    let errors = python::pyright(workshop, folder, &configuration)?;
    let errors: Vec<String> = errors.into_iter().map(|(_, error)| error).collect();
    ensure!(errors.is_empty(), "programs in Python are not in order:\n{}", errors.join("\n"));
    Ok(())
}

/// The same, and what has to be refused is.
pub fn check_python(workshop: &Workshop<'_>, folder: &Path, sdks: &[PathBuf]) -> Result<()> {
    read_python(workshop, folder, sdks)?;
    let unmarked = folder.join("unmarked");
    std::fs::create_dir_all(&unmarked).context("cannot create a folder")?;
    let mut refusals = Vec::new();
    for file in with_extension(folder, "py")? {
        let name = file_name(&file);
        let text = std::fs::read_to_string(&file).context("cannot read a program")?;
        for (index, line) in text.lines().enumerate() {
            let Some((_, rest)) = line.split_once(PYTHON_MARK) else { continue };
            let (_, name_of) =
                rest.split_once("] ").with_context(|| format!("{name}:{}: what is refused?", index + 1))?;
            refusals.push(Refusal { file: name.clone(), line: index + 1, name: name_of.to_owned() });
        }
        std::fs::write(unmarked.join(&name), text.replace(PYTHON_MARK, "# [")).context("cannot write a program")?;
    }
    let found = python::pyright(workshop, &unmarked, &json!({"include": ["*.py"], "extraPaths": sdks}))?;
    // `values.py:12: …`
    let place = |error: &str| error.splitn(3, ':').take(2).collect::<Vec<_>>().join(":");
    let messages: Vec<_> = found.into_iter().map(|(_, error)| (place(&error), error)).collect();
    refusals.iter().try_for_each(|refusal| refusal.require(&messages, &format!("{}:{}", refusal.file, refusal.line)))
}

impl Refusal {
    /// Looks for a message at that place that has the name.
    fn require(&self, messages: &[(String, String)], place: &str) -> Result<()> {
        let mut there = messages.iter().filter(|(at, _)| at == place).map(|(_, message)| message.as_str());
        let said: Vec<&str> = there.by_ref().collect();
        ensure!(!said.is_empty(), "{}:{}: it is not refused", self.file, self.line);
        let is_named = said.iter().any(|message| message.contains(&self.name));
        ensure!(is_named, "{}:{}: `{}` is not named in: {}", self.file, self.line, self.name, said.join("\n"));
        Ok(())
    }
}

/// Checks the programs in Go, each folder with the SDK that it is called like, in a module of its own below `modules`.
pub fn check_go(workshop: &Workshop<'_>, modules: &Path) -> Result<()> {
    for programs in files::sorted(&workshop.project.path(SOURCES).join("go"))? {
        check_go_package(workshop, &programs, &modules.join(file_name(&programs)))?;
    }
    Ok(())
}

fn check_go_package(workshop: &Workshop<'_>, programs: &Path, module: &Path) -> Result<()> {
    let package = file_name(programs);
    files::copy(&workshop.path("sdks").join(&package).join("go"), module)?;
    golang::pin(workshop, module)?;
    let import = format!("{}/{}", golang::module_name(module)?, go_package(module)?.display());
    let folder = module.join("types");
    files::copy(programs, &folder)?;
    for file in files::sorted(&folder)? {
        let text = std::fs::read_to_string(&file).context("cannot read a program")?;
        let text = text.replace(&format!("denobridge.test/{package}"), import.trim_end_matches('/'));
        std::fs::write(&file, text).context("cannot write a program")?;
    }
    vet(workshop, module, None)?.success()?;
    for file in files::sorted(&folder)? {
        let text = std::fs::read_to_string(&file).context("cannot read a program")?;
        let Some(name) = text.lines().find_map(|line| line.strip_prefix(GO_MARK)) else { continue };
        let tag = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let ended = vet(workshop, module, Some(&tag))?;
        ensure!(!ended.status.success(), "{} compiles, and it should not", file.display());
        let said = with_line(&ended.stderr, &file, &text);
        ensure!(said.contains(name), "{} is refused without `{name}`: {said}", file.display());
    }
    Ok(())
}

/// What was said, with the line of the program that it is about: a message about a value does not say where it goes.
fn with_line(said: &str, file: &Path, text: &str) -> String {
    let place = format!("{}:", file_name(file));
    let row = said.split_once(&place).and_then(|(_, after)| after.split(':').next()?.parse::<usize>().ok());
    let line = row.and_then(|row| text.lines().nth(row.checked_sub(1)?));
    format!("{said} ({})", line.unwrap_or_default().trim())
}

fn vet(workshop: &Workshop<'_>, module: &Path, tag: Option<&str>) -> Result<process::Captured> {
    let mut vet = workshop.command(&process::find_on_path("go").context("go is not on PATH")?)?;
    vet.arg("vet").args(tag.map(|tag| format!("-tags={tag}"))).arg("./types/...").stderr(Stdio::piped());
    process::capture(vet.current_dir(module))
}

/// The folder of the package inside its module.
fn go_package(module: &Path) -> Result<PathBuf> {
    let mut open = vec![module.to_path_buf()];
    while let Some(folder) = open.pop() {
        for path in files::sorted(&folder)? {
            if path.is_dir() {
                open.push(path);
            } else if path.file_name().is_some_and(|name| name == "provider.go") {
                return Ok(folder.strip_prefix(module).unwrap_or(&folder).to_path_buf());
            }
        }
    }
    bail!("an SDK for Go without a provider in {}", module.display())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn with_extension(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut paths = files::sorted(folder)?;
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_go_has_the_line_that_it_is_about() {
        let text = "package types\n\tDays: pulumi.String(\"soon\"),\n";
        let said = with_line("vet: types/days.go:2:9: cannot use it", Path::new("/x/days.go"), text);
        assert_eq!(said, "vet: types/days.go:2:9: cannot use it (Days: pulumi.String(\"soon\"),)");
        assert_eq!(with_line("no place", Path::new("days.go"), text), "no place ()");
    }
}
