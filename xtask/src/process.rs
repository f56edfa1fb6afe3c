//! Running other programs, with errors that show the command line and what the program said.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};

/// What a program that ran to its end has left.
pub struct Captured {
    command_line: String,
    /// How it ended.
    pub status: ExitStatus,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error; empty when the command lets it through to ours.
    pub stderr: String,
}

impl Captured {
    /// The standard output of a program that succeeded.
    ///
    /// # Errors
    /// When it did not: with the command line and both its outputs.
    pub fn success(self) -> Result<String> {
        if self.status.success() {
            return Ok(self.stdout);
        }
        bail!("{}", self.report())
    }

    /// One text with the command line, how it ended, and all it printed.
    pub fn report(&self) -> String {
        let outputs: Vec<&str> =
            [self.stdout.trim(), self.stderr.trim()].into_iter().filter(|t| !t.is_empty()).collect();
        format!("`{}` ended with {}\n{}", self.command_line, self.status, outputs.join("\n"))
    }
}

/// Runs a program, its output going where ours goes; anything but success is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let command_line = command_line(command);
    let status = command.status().with_context(|| format!("cannot run `{command_line}`"))?;
    if !status.success() {
        bail!("`{command_line}` ended with {status}");
    }
    Ok(())
}

/// Runs a program with no input and keeps its output. Standard error goes through when the command says so.
pub fn capture(command: &mut Command) -> Result<Captured> {
    let command_line = command_line(command);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped());
    let output = child.output().with_context(|| format!("cannot run `{command_line}`"))?;
    Ok(Captured {
        command_line,
        status: output.status,
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// The command as a person would type it; words with spaces are quoted.
pub fn command_line(command: &Command) -> String {
    let program = quote(&command.get_program().to_string_lossy());
    let arguments: Vec<String> = command.get_args().map(|word| quote(&word.to_string_lossy())).collect();
    format!("{program} {}", arguments.join(" "))
}

/// A word as a person would type it in a shell.
pub fn quote(word: &str) -> String {
    let plain = !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || "'\"{}$".contains(c));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// The executable that a shell would start for `name`, by the PATH of this process.
pub fn find_on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let file_name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&path).map(|folder| folder.join(&file_name)).find(|candidate| is_executable(candidate))
}

/// A PATH with `folders` before those of this process.
pub fn path_with(folders: &[&Path]) -> Result<OsString> {
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().map(|folder| folder.to_path_buf()).chain(std::env::split_paths(&inherited));
    std::env::join_paths(all).context("a folder's name cannot be part of PATH")
}

/// Takes every variable away whose name starts with one of `prefixes`, so that a user's own settings change nothing.
pub fn forget_variables(command: &mut Command, prefixes: &[&str]) {
    for (name, _) in std::env::vars_os() {
        if prefixes.iter().any(|prefix| starts_with(&name, prefix)) {
            command.env_remove(&name);
        }
    }
}

fn starts_with(name: &OsStr, prefix: &str) -> bool {
    name.as_encoded_bytes().starts_with(prefix.as_bytes())
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(file).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}

/// Held by tests that start programs, and by the one that reaps whatever child ends: it would take theirs.
#[cfg(test)]
pub static CHILDREN: std::sync::Mutex<()> = std::sync::Mutex::new(());
