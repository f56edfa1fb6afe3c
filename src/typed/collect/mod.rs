//! What the scripts of a package say of themselves: asks all of them in one Deno process without any permission, and
//! remembers what they said for as long as their code stays the same.
//!
//! ```text
//! Collector ─► fingerprint   the code of the scripts, as a digest
//!          ├─► cache         what was said, by digest
//!          └─► process       Deno with collector.ts: one start for all scripts, another after one that ends or hangs it
//! ```

mod cache;
mod fingerprint;
mod process;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use denobridge_core::Call;
use reqwest::Url;
use serde::{Deserialize, Serialize};

use super::Description;
use crate::children::Watcher;
use crate::deno::command::ConfigurationFile;
use crate::deno::error::{Exit, Output};
use crate::deno::install::cache_folder;
use crate::deno::program::Search;
use crate::deno::{Deno, FindError};
use cache::Cache;
use fingerprint::{Fingerprint, Graph};
use process::{Round, Script};

/// The environment variable for [`CollectorOptions::limit`], in seconds.
pub const LIMIT_VARIABLE: &str = "DENOBRIDGE_DESCRIBE_TIMEOUT";

/// How long a script may take to say what it is, with loading it: a first start may download what it imports.
const DEFAULT_LIMIT: Duration = Duration::from_secs(60);

/// Names of files with which Deno begins another configuration for the scripts of a folder.
const CONFIGURATIONS: [&str; 3] = ["deno.json", "deno.jsonc", "package.json"];

/// How scripts are asked.
#[derive(Clone)]
pub struct CollectorOptions {
    /// The Deno to run them with.
    pub deno: Deno,
    /// The user's cache, in which there will be a folder `descriptions`; `None` to ask anew each time.
    pub cache: Option<PathBuf>,
    /// How long a script may take to say what it is, from the end of the one before.
    pub limit: Duration,
    /// Kills Deno when we are killed.
    pub watcher: Arc<Watcher>,
}

impl CollectorOptions {
    /// What the environment of this process says, with a Deno as scripts run with by default.
    ///
    /// # Errors
    /// [`LIMIT_VARIABLE`] is no number of seconds.
    pub fn from_environment() -> Result<Self, CollectError> {
        let limit = match std::env::var(LIMIT_VARIABLE).ok().filter(|text| !text.is_empty()) {
            None => DEFAULT_LIMIT,
            Some(text) => {
                let seconds = text.parse::<u64>().ok().filter(|seconds| *seconds > 0);
                Duration::from_secs(seconds.ok_or(CollectError::InvalidLimit { given: text })?)
            }
        };
        Ok(Self { deno: Search::from_environment().into(), cache: cache_folder(), limit, watcher: Watcher::shared() })
    }
}

/// Asks scripts what they are.
#[derive(Clone)]
pub struct Collector {
    options: CollectorOptions,
}

/// A file or an address, and what it turned out to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collected {
    /// As it was asked for.
    pub file: String,
    /// What it is.
    pub outcome: Outcome,
}

/// What a file turned out to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// A script that says what it is.
    Described(Box<Description>),
    /// A script that does not: it has no `schema`.
    Undescribed,
    /// A module that serves nothing.
    NotAScript,
    /// It cannot be told: what is wrong, to go after the file's name and a colon.
    Failed(String),
}

/// Why no script could be asked.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// There is no Deno.
    #[error("scripts cannot be asked what they are: {0}. {advice}", advice = .0.advice())]
    Deno(Box<FindError>),
    /// [`LIMIT_VARIABLE`] is no number of seconds.
    #[error("{LIMIT_VARIABLE} is {given:?}, and must be a whole number above 0")]
    InvalidLimit {
        /// Its value.
        given: String,
    },
    /// A path or an address makes no sense.
    #[error("{location} cannot be used: {reason}")]
    Location {
        /// The path or address.
        location: String,
        /// Why not.
        reason: String,
    },
    /// The operating system did not start Deno.
    #[error("could not run {} to ask scripts what they are: {reason}", program.display())]
    NotStarted {
        /// The Deno executable.
        program: PathBuf,
        /// The operating system's words.
        reason: String,
    },
    /// Deno ended before it came to a script.
    #[error("Deno ended with {exit} before it came to the scripts in {place}{}", output.quoted())]
    Ended {
        /// The folder of the package.
        place: String,
        /// How it ended.
        exit: Exit,
        /// What it wrote.
        output: Box<Output>,
    },
    /// Deno did not come to a script in time.
    #[error(
        "Deno did not come to the scripts in {place} within {limit:?} ({LIMIT_VARIABLE}); a first start downloads what they \
         import, so set that to more seconds if the network is slow{}",
        output.quoted()
    )]
    Late {
        /// The folder of the package.
        place: String,
        /// [`CollectorOptions::limit`].
        limit: Duration,
        /// What it wrote.
        output: Box<Output>,
    },
    /// The caller gave up.
    #[error("scripts were not asked what they are, since the operation was cancelled")]
    Cancelled,
}

impl Collector {
    /// A collector that asks as the options say.
    #[must_use]
    pub fn new(options: CollectorOptions) -> Self {
        Self { options }
    }

    /// Asks the scripts of a folder. `files` are paths in it, with `/`; `config_file` is the setting of that name, relative to
    /// the folder. The answer has the same order.
    ///
    /// # Errors
    /// No script could be asked. What is wrong with one of them is its [`Outcome`].
    pub async fn collect(
        &self,
        call: &Call,
        folder: &Path,
        config_file: Option<&str>,
        files: &[String],
    ) -> Result<Vec<Collected>, CollectError> {
        let folder = std::path::absolute(folder).map_err(unusable(&folder.display()))?;
        let configuration = ConfigurationFile::parse(config_file, &folder).map_err(unusable(&folder.display()))?;
        let mut rounds: BTreeMap<PathBuf, Vec<Script>> = BTreeMap::new();
        for file in files {
            let path = folder.join(file);
            let address = Url::from_file_path(&path).map_err(|()| CollectError::Location {
                location: path.display().to_string(),
                reason: "it is no absolute path".to_owned(),
            })?;
            let place = match configuration {
                ConfigurationFile::Discovered => configured_folder(&folder, &path),
                ConfigurationFile::File(_) | ConfigurationFile::Off => folder.clone(),
            };
            rounds.entry(place).or_default().push(Script { file: file.clone(), address: address.into() });
        }
        let graph = Graph { configuration: &configuration, folder: Some(&folder), files };
        let rounds = rounds.into_iter().map(|(folder, scripts)| Round { folder, scripts, import_from: Vec::new() });
        self.ask(call, &graph, rounds.collect(), files).await
    }

    /// Asks scripts at addresses that Deno resolves: `https:`, `jsr:`, `npm:`. What they said is remembered when there is a
    /// `deno.lock` beside `config_file`, which is absolute: nothing else says that their code is the same.
    ///
    /// # Errors
    /// As for [`collect`](Self::collect).
    pub async fn collect_remote(
        &self,
        call: &Call,
        config_file: Option<&Path>,
        addresses: &[String],
    ) -> Result<Vec<Collected>, CollectError> {
        let configuration = match config_file {
            Some(path) => ConfigurationFile::File(path.to_owned()),
            // As Deno does for scripts that are not on this machine; it would search from the working directory.
            None => ConfigurationFile::Off,
        };
        let folder = config_file.and_then(Path::parent).map_or_else(std::env::temp_dir, Path::to_owned);
        let mut import_from = Vec::new();
        let mut scripts = Vec::new();
        for address in addresses {
            let parsed = Url::parse(address)
                .map_err(|error| CollectError::Location { location: address.clone(), reason: error.to_string() })?;
            if let (Some(host), Some(port)) = (parsed.host_str(), parsed.port_or_known_default()) {
                import_from.push(format!("{host}:{port}"));
            }
            scripts.push(Script { file: address.clone(), address: parsed.into() });
        }
        import_from.sort();
        import_from.dedup();
        let graph = Graph { configuration: &configuration, folder: None, files: addresses };
        self.ask(call, &graph, vec![Round { folder, scripts, import_from }], addresses).await
    }

    async fn ask(
        &self,
        call: &Call,
        graph: &Graph<'_>,
        rounds: Vec<Round>,
        files: &[String],
    ) -> Result<Vec<Collected>, CollectError> {
        let cache = self.options.cache.as_deref().map(Cache::new);
        // Which Deno it is matters little to what scripts say, and asking it for its version would start it.
        let candidate = cache.as_ref().and_then(|_| self.options.deno.candidate());
        let fingerprint = || graph.fingerprint(candidate.as_deref()?);
        let before = fingerprint();
        if let (Some(cache), Some(before)) = (&cache, &before)
            && let Some(known) = cache.get(before)
        {
            return Ok(known);
        }
        let program = self.options.deno.locate().await.map_err(|error| CollectError::Deno(Box::new(error)))?;
        let mut outcomes = BTreeMap::new();
        for round in &rounds {
            for (script, outcome) in round.scripts.iter().zip(self.run(call, &program, graph, round).await?) {
                outcomes.insert(script.file.as_str(), outcome);
            }
        }
        let collected = files.iter().filter_map(|file| {
            let outcome = outcomes.get(file.as_str())?.clone();
            Some(Collected { file: file.clone(), outcome })
        });
        let collected: Vec<Collected> = collected.collect();
        // Deno may have written the lock meanwhile, and somebody else the scripts.
        let after = before.as_ref().and_then(|_| fingerprint());
        let failed = collected.iter().any(|script| matches!(script.outcome, Outcome::Failed(_)));
        if let (Some(cache), Some(before), Some(after)) = (cache, before, after)
            && !failed
            && Fingerprint::same_code(&before, &after)
        {
            cache.put(call, &after, &collected);
        }
        Ok(collected)
    }
}

/// The folder between the package's and the script's in which Deno finds the nearest configuration; the package's where
/// there is none below it.
fn configured_folder(folder: &Path, script: &Path) -> PathBuf {
    let below = script.ancestors().skip(1).take_while(|place| *place != folder);
    let mut configured = below.filter(|place| CONFIGURATIONS.iter().any(|name| place.join(name).is_file()));
    configured.next().unwrap_or(folder).to_owned()
}

fn unusable(location: &dyn std::fmt::Display) -> impl FnOnce(io::Error) -> CollectError {
    let location = location.to_string();
    move |error| CollectError::Location { location, reason: error.to_string() }
}
