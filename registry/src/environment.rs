//! What the user has set on this machine: environment variables and folders.
//!
//! Nothing else in this crate asks the process for them, so that a test can have any machine it wants.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// Environment variables and the working directory.
#[derive(Clone)]
pub struct Environment {
    variables: BTreeMap<String, String>,
    working_directory: PathBuf,
}

impl Environment {
    /// That of this process. Variables that are not Unicode are left out.
    #[must_use]
    pub fn of_process() -> Self {
        let unicode = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
        let working_directory = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        Self::new(std::env::vars_os().filter_map(unicode), working_directory)
    }

    /// One made up, for tests and for hosts that know better.
    pub fn new(variables: impl IntoIterator<Item = (String, String)>, working_directory: impl Into<PathBuf>) -> Self {
        Self { variables: variables.into_iter().collect(), working_directory: working_directory.into() }
    }

    /// The value of a variable. One that is empty counts as not set, as in Terraform.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// All variables whose names begin with a prefix: what follows it, and the values.
    pub(crate) fn with_prefix<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let from = self.variables.range(prefix.to_owned()..);
        from.map_while(move |(name, value)| Some((name.strip_prefix(prefix)?, value.as_str())))
    }

    /// A folder that a variable names.
    pub(crate) fn folder(&self, name: &str) -> Option<PathBuf> {
        self.variable(name).map(|path| self.resolve(path))
    }

    /// The user's home folder.
    #[must_use]
    pub fn home(&self) -> Option<PathBuf> {
        self.folder("HOME").or_else(|| cfg!(windows).then(|| self.folder("USERPROFILE"))?)
    }

    /// A path as the user means it: relative to the working directory.
    #[must_use]
    pub fn resolve(&self, path: impl AsRef<Path>) -> PathBuf {
        self.working_directory.join(path)
    }

    /// `$NAME` and `${NAME}` replaced by values of variables, by nothing when they are not set: what Go's `os.ExpandEnv`
    /// does to `plugin_cache_dir`.
    pub(crate) fn expand(&self, text: &str) -> String {
        let mut expanded = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            expanded.push_str(&rest[..at]);
            let after = &rest[at + 1..];
            let (name, length) = match after.strip_prefix('{').map(|inner| inner.split_once('}')) {
                Some(Some((name, _))) => (name, name.len() + 2),
                Some(None) => ("", 1),
                None => {
                    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
                    let name = &after[..after.find(|letter| !is_name(letter)).unwrap_or(after.len())];
                    (name, name.len())
                }
            };
            expanded.push_str(self.variable(name).unwrap_or(if length == 0 { "$" } else { "" }));
            rest = &after[length..];
        }
        expanded + rest
    }
}

/// Names only: values may be tokens.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.variables.keys().collect();
        f.debug_struct("Environment")
            .field("variables", &names)
            .field("working_directory", &self.working_directory)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        let owned = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Environment::new(owned, "/work")
    }

    #[test]
    fn variables_are_expanded_as_go_expands_them() {
        let environment = environment(&[("HOME", "/home/ada"), ("A_1", "x")]);
        for (text, expanded) in [
            ("$HOME/cache", "/home/ada/cache"),
            ("${HOME}cache", "/home/adacache"),
            ("$A_1$A_1/$NONE.", "xx/."),
            ("5$", "5$"),
            ("${HOME", "HOME"),
        ] {
            assert_eq!(environment.expand(text), expanded, "{text}");
        }
    }

    #[test]
    fn an_empty_variable_is_not_set_and_values_are_not_shown() {
        let environment = environment(&[("TF_TOKEN_a", "hunter2"), ("TF_TOKEN_b", "x"), ("TF_TOO", "y"), ("E", "")]);
        assert_eq!(environment.variable("E"), None);
        assert_eq!(environment.with_prefix("TF_TOKEN_").collect::<Vec<_>>(), [("a", "hunter2"), ("b", "x")]);
        assert!(!format!("{environment:?}").contains("hunter2"));
    }
}
