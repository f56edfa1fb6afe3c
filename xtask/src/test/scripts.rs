//! Style and types of the project's TypeScript, by Deno's own tools.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::project::Project;

/// Folders that hold no sources of ours.
const GENERATED: [&str; 4] = ["node_modules", "out", "target", "sdks"];

/// The authoring library, and the examples that are written with it: projects of their own, with import maps.
const PROJECTS: [&str; 2] = ["script-sdk", "examples"];

/// Programs for Node, which `cargo xtask languages` compiles with what they import: Deno only looks at their form.
const FOR_NODE: &str = "tests/languages";

/// Scripts of this name do not even parse, on purpose: tests show what a user is told about them.
const WRONG_ON_PURPOSE: &str = ".wrong.ts";

/// Formatting, lints and types of every script.
pub fn check(project: &Project, deno: &Path) -> Result<()> {
    let mut scripts = files(project, &|name| name.ends_with(".ts") && !name.ends_with(WRONG_ON_PURPOSE))?;
    scripts.retain(|script| PROJECTS.iter().all(|folder| !script.starts_with(project.path(folder))));
    for check in [&["fmt", "--check"][..], &["lint"], &["check"]] {
        let for_deno = |script: &&PathBuf| check.first() == Some(&"fmt") || !script.starts_with(project.path(FOR_NODE));
        let mut command = Command::new(deno);
        command
            .current_dir(project.root())
            .args(check)
            .args(scripts.iter().filter(for_deno))
            .env("NO_COLOR", "1")
            .env_remove("RUST_BACKTRACE");
        let outcome = process::capture(&mut command)?;
        if !outcome.status.success() {
            bail!("deno {}\n{}{}", check.join(" "), outcome.stdout, outcome.stderr);
        }
    }
    println!("{} scripts are formatted, pass the lints and type-check", scripts.len());
    PROJECTS.iter().try_for_each(|folder| check_folder(project, deno, folder))
}

/// A folder's own checks and tests, as its `deno.json` has them.
fn check_folder(project: &Project, deno: &Path, folder: &str) -> Result<()> {
    let mut command = Command::new(deno);
    command.current_dir(project.path(folder)).args(["task", "check"]).env("NO_COLOR", "1").env_remove("RUST_BACKTRACE");
    process::run(&mut command)
}

/// All files of ours whose name is one of those that are wanted, in order.
pub fn files(project: &Project, is_wanted: &dyn Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(project.root(), is_wanted, &mut files)?;
    files.sort();
    Ok(files)
}

fn collect(folder: &Path, is_wanted: &dyn Fn(&str) -> bool, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            if !GENERATED.contains(&name.as_str()) && !name.starts_with('.') {
                collect(&entry.path(), is_wanted, files)?;
            }
        } else if is_wanted(&name) {
            files.push(entry.path());
        }
    }
    Ok(())
}
