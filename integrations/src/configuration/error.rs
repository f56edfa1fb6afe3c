//! What can be wrong with a configuration file, all of it told at once.

use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::MAXIMUM_TIMEOUT;
use super::duration::BadDuration;
use crate::Hook;

/// Everything that is wrong with a configuration file, in the order of its lines.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct ConfigurationErrors {
    /// The file.
    pub path: PathBuf,
    /// What is wrong; at least one.
    pub errors: Vec<ConfigurationError>,
}

/// One thing that is wrong with a configuration file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigurationError {
    /// The line, from 1; none where it is about the file as a whole.
    pub line: Option<usize>,
    /// What is wrong.
    pub fault: Fault,
}

impl fmt::Display for ConfigurationErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, ConfigurationError { line, fault }) in self.errors.iter().enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            let path = self.path.display();
            match line {
                Some(line) => write!(f, "{end}{path}:{line}: {fault}")?,
                None => write!(f, "{end}{path}: {fault}")?,
            }
        }
        Ok(())
    }
}

/// What is wrong in one place of a configuration file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The file cannot be read.
    #[error("cannot read it: {0}")]
    Unreadable(String),
    /// Nothing tells which syntax it has.
    #[error("its name must end in .toml, .json or .hcl, which says how it is to be read")]
    UnknownSyntax,
    /// It does not follow its syntax.
    #[error("{0}")]
    Syntax(String),
    /// Values in values in values.
    #[error("values may be nested {limit} deep")]
    TooDeep {
        /// How deep.
        limit: usize,
    },
    /// An expression of HCL that would have to be evaluated.
    #[error("{0}: only values that stand here as they are can be read, since nothing is evaluated")]
    NotLiteral(&'static str),
    /// A name stands twice in one table.
    #[error("{key:?} was said on line {first} already")]
    Repeated {
        /// The name.
        key: String,
        /// Where it stood first.
        first: usize,
    },
    /// A name that means nothing.
    #[error("{within} has no {key:?}; what it can have is {}", known.join(", "))]
    UnknownKey {
        /// The name.
        key: String,
        /// What it stands in.
        within: String,
        /// The names that mean something there.
        known: &'static [&'static str],
    },
    /// A block that takes a label and has none, or the other way round.
    #[error("{0}")]
    Labels(&'static str),
    /// A value of another type.
    #[error("{what} must be {expected}, not {found}")]
    Type {
        /// What the value is of.
        what: String,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// An integration without a name.
    #[error("an integration needs a name, which stands before everything that it says")]
    NoName,
    /// A name that cannot stand before a message.
    #[error("the name {0:?} must be of 1 to 64 letters, digits, \"_\", \"-\" and \".\"")]
    BadName(String),
    /// Two integrations of one name.
    #[error("there is another integration {name:?} on line {first}; what they say could not be told apart")]
    DuplicateName {
        /// The name.
        name: String,
        /// Where the first is.
        first: usize,
    },
    /// Nothing to start.
    #[error("{0} needs a command (a list: the program and its arguments) or a script (a path or URL for Deno)")]
    NoProgram(String),
    /// Two things to start.
    #[error("{0} has a command and a script; it can have one of them")]
    TwoPrograms(String),
    /// A command or script without a word.
    #[error("the {what} of {integration} is empty: there is nothing to start")]
    EmptyProgram {
        /// The integration.
        integration: String,
        /// `command` or `script`.
        what: &'static str,
    },
    /// Permissions for what is no script.
    #[error("{0} has permissions, which are for scripts: a command may do whatever you may")]
    PermissionsOfCommand(String),
    /// Permissions in no form that there is.
    #[error(
        "the permissions of {0} must be \"all\", \"none\", a list such as [\"net=example.com\"], or a table with all, \
         allow and deny"
    )]
    BadPermissions(String),
    /// A time that cannot be understood or used.
    #[error("the timeout of {integration}, {text:?}, {reason}")]
    BadDuration {
        /// The integration.
        integration: String,
        /// What stands there.
        text: String,
        /// What is wrong with it.
        reason: BadDuration,
    },
    /// A time that is longer than anybody waits.
    #[error("the timeout of {integration} may be {MAXIMUM_TIMEOUT:?} at most: the host waits for it")]
    LongTimeout {
        /// The integration.
        integration: String,
    },
    /// A number that counts nothing.
    #[error("{what} must be a whole number from 0 on, not {found}")]
    BadCount {
        /// What it is.
        what: String,
        /// What stands there.
        found: String,
    },
    /// A word where only some are possible.
    #[error("{what} can be {}, not {found:?}", quoted(allowed))]
    BadChoice {
        /// What it is of.
        what: String,
        /// The words that are possible.
        allowed: &'static [&'static str],
        /// The word.
        found: String,
    },
    /// A hook that there is not.
    #[error("{integration} wants the hook {hook:?}, which there is not; there are {}", hooks())]
    UnknownHook {
        /// The integration.
        integration: String,
        /// What it is called.
        hook: String,
    },
    /// A list that would switch something off altogether.
    #[error("{0}")]
    EmptyList(String),
    /// What cannot be a provider.
    #[error(
        "scope.providers of {integration} has {provider:?}; a provider is a name (\"random\") or a source address \
         (\"hashicorp/random\")"
    )]
    BadProvider {
        /// The integration.
        integration: String,
        /// What stands there.
        provider: String,
    },
    /// What no environment can have.
    #[error("{0:?} cannot be the name of an environment variable")]
    BadVariable(String),
}

fn quoted(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("{word:?}")).collect();
    quoted.join(" or ")
}

fn hooks() -> String {
    let names: Vec<_> = Hook::ALL.iter().map(|hook| hook.configured()).collect();
    names.join(", ")
}

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Faults(Vec<ConfigurationError>);

impl Faults {
    pub(super) fn add(&mut self, line: usize, fault: Fault) {
        self.0.push(ConfigurationError { line: Some(line), fault });
    }

    pub(super) fn add_about_the_file(&mut self, fault: Fault) {
        self.0.push(ConfigurationError { line: None, fault });
    }

    /// What was read, if nothing is wrong with it.
    pub(super) fn unless_any<T>(mut self, path: &Path, read: T) -> Result<T, ConfigurationErrors> {
        if self.0.is_empty() {
            return Ok(read);
        }
        self.0.sort_by_key(|error| error.line);
        Err(ConfigurationErrors { path: path.to_owned(), errors: self.0 })
    }
}
