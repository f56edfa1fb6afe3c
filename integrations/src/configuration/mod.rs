//! Which integrations there are, what they get and what they may do: a file in TOML, JSON or HCL.
//!
//! [`Search`] says which file is in force, [`Configuration::read`] what it says, or everything that is wrong with it.

mod decode;
mod discovery;
mod document;
mod duration;
mod environment;
mod error;
mod hcl;
mod json;
mod permissions;
mod scope;
#[cfg(test)]
mod tests;
mod toml;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value as Json};

use self::document::Syntax;
use self::error::Faults;
use crate::Hook;

pub use self::discovery::{Discovery, GATE, Search, SeveralFiles, VARIABLE};
pub use self::duration::BadDuration;
pub use self::error::{ConfigurationError, ConfigurationErrors, Fault};

/// How long an integration may take to answer, if nothing else is said.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(2);

/// How long an integration may be given to answer.
pub const MAXIMUM_TIMEOUT: Duration = Duration::from_secs(3_600);

/// After how many calls in a row without an answer in time a soft integration is not asked any more, if nothing else is said.
pub const DEFAULT_GIVE_UP_AFTER: u32 = 3;

/// What a configuration file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Configuration {
    /// The integrations, in the order in which they were declared.
    pub integrations: Vec<Arc<Integration>>,
    /// The folder that the report of each run is written into, if any; the file may say it relative to its own folder.
    pub report: Option<PathBuf>,
}

impl Configuration {
    /// Reads a file, whose name says which syntax it has.
    ///
    /// # Errors
    /// It cannot be read, or says what cannot be meant: everything that is wrong with it.
    pub fn read(path: &Path) -> Result<Self, ConfigurationErrors> {
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(path, &text),
            Err(error) => {
                let mut faults = Faults::default();
                faults.add_about_the_file(Fault::Unreadable(error.to_string()));
                faults.unless_any(path, Self::default())
            }
        }
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigurationErrors> {
        let mut faults = Faults::default();
        let mut configuration = Self::default();
        // Programs are found from the file's folder, wherever the process is then.
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let directory = absolute.parent().unwrap_or(Path::new(""));
        match Syntax::of(path) {
            // Windows' editors begin a file with a byte order mark.
            Some(syntax) => {
                let text = text.strip_prefix('\u{feff}').unwrap_or(text);
                if let Some(table) = syntax.read(text, &mut faults) {
                    configuration = decode::decode(&table, directory, &mut faults);
                }
            }
            None => faults.add_about_the_file(Fault::UnknownSyntax),
        }
        faults.unless_any(path, configuration)
    }
}

/// One integration.
#[derive(Clone, Debug, PartialEq)]
pub struct Integration {
    /// What it is called in the file; stands before everything that it says.
    pub name: Arc<str>,
    /// What is started.
    pub program: Program,
    /// The folder of the file that declares it: relative programs are found from there.
    pub directory: PathBuf,
    /// The hooks that it is asked at, if the file restricts them.
    pub hooks: Option<BTreeSet<Hook>>,
    /// How long it may take to answer each call. It is also how long it may take to start, if that is longer than what every
    /// integration has for that (see [`Limits`](crate::process::Limits)).
    pub timeout: Duration,
    /// After how many calls in a row without an answer in time it is not asked any more, if it is soft; 0: never.
    pub give_up_after: u32,
    /// What its process gets of the environment.
    pub environment: Environment,
    /// Local type names (`random`) or source addresses (`hashicorp/random`) of the providers that it is asked about;
    /// empty: all.
    pub providers: Vec<String>,
    /// What its refusals and faults amount to.
    pub fail_mode: FailMode,
    /// How much of values it sees.
    pub values: Values,
    /// The only attributes whose values it sees, as dotted paths without indices, if the file restricts them.
    pub attributes: Option<Vec<String>>,
    /// What it sees of values whose type their schema leaves open.
    pub dynamic: Dynamic,
    /// Whether it is asked about the plan that Terraform makes once more right before it applies it.
    pub replan_events: bool,
    /// What the file has for the integration itself; sent with `initialize`.
    pub settings: Map<String, Json>,
}

impl Integration {
    /// An integration of which the file in `directory` says nothing else: everything is as it is by default.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>, program: Program, directory: impl Into<PathBuf>) -> Self {
        Self {
            name: name.into(),
            program,
            directory: directory.into(),
            hooks: None,
            timeout: DEFAULT_TIMEOUT,
            give_up_after: DEFAULT_GIVE_UP_AFTER,
            environment: Environment::default(),
            providers: Vec::new(),
            fail_mode: FailMode::default(),
            values: Values::default(),
            attributes: None,
            dynamic: Dynamic::default(),
            replan_events: false,
            settings: Map::new(),
        }
    }
}

/// What is started as an integration.
#[derive(Clone, Debug, PartialEq)]
pub enum Program {
    /// A program with its arguments. A program with a separator in its name is relative to the file's folder.
    Command(Vec<String>),
    /// A Deno script, with the permissions that it is given (as a script's permissions are written everywhere).
    Script {
        /// A path relative to the file's folder, or a URL.
        script: String,
        /// `"all"`, `"none"` or a list of what is allowed and denied.
        permissions: Json,
    },
}

/// What an integration's refusals and faults amount to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FailMode {
    /// Warnings.
    #[default]
    Soft,
    /// Errors: what was asked about does not happen.
    Hard,
}

/// How much of values an integration sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Values {
    /// Nothing of them: states are sent without attributes.
    None,
    /// All but what is sensitive.
    #[default]
    Redacted,
    /// Everything that is not write-only; said in a warning in every run.
    Full,
}

/// What an integration sees of values whose type their schema leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dynamic {
    /// What is in them, without known secrets and what is named like one.
    #[default]
    Walk,
    /// Nothing.
    Omit,
}

/// What an integration's process gets of the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// Variables that it gets whatever is inherited.
    pub set: BTreeMap<String, String>,
    /// The only variables that are inherited, if the file names them. Otherwise all are, but for those that hold what
    /// belongs to others.
    pub only: Option<Vec<String>>,
}
