//! The machine as the checks see it; tests give one of their own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::cli::install::Homes;
use crate::deno::install::cache_folder_of;
use crate::deno::{DenoSource, Search, VersionWish};

/// How long a program may take to say which version it is: a first start on a slow disk takes seconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the checks ask.
pub(super) struct Machine {
    /// The environment's variables.
    pub variables: BTreeMap<String, OsString>,
    /// Where the user's folders are.
    pub homes: Homes,
    /// This program.
    pub program: Option<PathBuf>,
}

impl Machine {
    /// The one that we are on.
    pub fn this() -> Self {
        let variables = std::env::vars_os().map(|(name, value)| (name.to_string_lossy().into_owned(), value)).collect();
        Self { variables, homes: Homes::of_environment(), program: std::env::current_exe().ok() }
    }

    /// A variable that is set to something.
    pub fn variable(&self, name: &str) -> Option<&OsString> {
        self.variables.get(name).filter(|value| !value.is_empty())
    }

    /// Where a provider looks for Deno when its configuration says nothing, except that nothing is downloaded here.
    pub fn deno_search(&self) -> Search {
        let source = DenoSource {
            configured: None,
            variable: self.variable(crate::deno::find::ENVIRONMENT_VARIABLE).cloned(),
            search_path: self.variable("PATH").cloned(),
        };
        let cache = cache_folder_of(std::env::consts::OS, &|name| self.variable(name).cloned());
        Search { source, version: VersionWish::Any, download: None, cache, download_limit: PATIENCE }
    }

    /// A program on PATH.
    pub fn on_path(&self, name: &str) -> Option<PathBuf> {
        let search = DenoSource {
            configured: Some(name.to_owned()),
            search_path: self.variable("PATH").cloned(),
            ..DenoSource::default()
        };
        search.find().ok()
    }
}

/// What a program prints when it is asked for something; why it cannot be asked otherwise.
pub(super) fn ask(program: &Path, words: &[&str]) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).env("CHECKPOINT_DISABLE", "1").env("PULUMI_SKIP_UPDATE_CHECK", "1");
    command.env("DENO_NO_UPDATE_CHECK", "1").env("NO_COLOR", "1").stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().map_err(|error| format!("it does not start: {error}"))?;
    let (told, answer) = mpsc::channel();
    // A program that hangs is left to itself: we end soon, and it has nobody to talk to.
    std::thread::spawn(move || told.send(child.wait_with_output()));
    let output = match answer.recv_timeout(PATIENCE) {
        Ok(output) => output.map_err(|error| error.to_string())?,
        Err(_) => return Err(format!("it says nothing within {} s", PATIENCE.as_secs())),
    };
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("it ends with {}: {}", output.status, said.trim().lines().next_back().unwrap_or_default()))
}

/// The first version number in a text, as its parts.
pub(super) fn version(text: &str) -> Option<[u32; 3]> {
    text.split(|character: char| character.is_whitespace() || character == '"').find_map(|word| {
        let word = word.strip_prefix('v').unwrap_or(word);
        let core = word.split(['-', '+', ',']).next().unwrap_or_default();
        let mut parts = core.split('.').map(str::parse::<u32>);
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(Ok(major)), Some(Ok(minor)), Some(Ok(patch)), None) => Some([major, minor, patch]),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_programs_print() {
        assert_eq!(
            version("deno 2.9.8 (stable, release, x86_64-unknown-linux-gnu)\nv8 15.0.245.2-rusty"),
            Some([2, 9, 8])
        );
        assert_eq!(version("Terraform v1.11.4\non linux_amd64"), Some([1, 11, 4]));
        assert_eq!(version("OpenTofu v1.12.6-dev"), Some([1, 12, 6]));
        assert_eq!(version("v3.274.1\n"), Some([3, 274, 1]));
        assert_eq!(version("no version 1.2 here"), None);
    }
}
