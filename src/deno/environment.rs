//! What scripts get of our own environment.

use std::env;
use std::ffi::OsStr;
use std::process::Command;

/// The variables of our own environment that a script's process gets.
///
/// A script can read none of them without the permission `env`; what it may run gets them all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Inherited {
    /// All.
    #[default]
    All,
    /// Those that Deno itself needs, and these. A name that ends with `*` stands for all that start so.
    Only(Vec<String>),
}

/// What Deno needs to find its caches, the network and its own temporary files, on every platform.
const NEEDED: [&str; 23] = [
    "APPDATA",
    "COMSPEC",
    "DENO_*",
    "HOME",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "JSR_URL",
    "LANG",
    "LC_*",
    "LOCALAPPDATA",
    "NO_PROXY",
    "NPM_CONFIG_REGISTRY",
    "PATH",
    "PATHEXT",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
    "TZ",
    "USERPROFILE",
    "XDG_CACHE_HOME",
];

impl Inherited {
    pub(super) fn apply(&self, command: &mut Command) {
        if let Self::Only(names) = self {
            command.env_clear();
            command.envs(env::vars_os().filter(|(name, _)| is_passed(name, names)));
        }
    }
}

fn is_passed(name: &OsStr, names: &[String]) -> bool {
    is_needed(name) || name.to_str().is_some_and(|name| names.iter().any(|pattern| fits(name, pattern)))
}

/// Whether Deno itself needs the variable.
pub(crate) fn is_needed(name: &OsStr) -> bool {
    // Proxies are written in either case on Unix, and Windows knows no case.
    let name = name.to_str().map(str::to_ascii_uppercase);
    name.is_some_and(|name| NEEDED.iter().any(|pattern| fits(&name, pattern)))
}

fn fits(name: &str, pattern: &str) -> bool {
    pattern.strip_suffix('*').map_or(name == pattern, |start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_deno_needs_and_what_is_named() {
        let passed = |name: &str| is_passed(OsStr::new(name), &["AWS_*".to_owned(), "TOKEN".to_owned()]);
        assert!(
            ["PATH", "HOME", "https_proxy", "npm_config_registry", "DENO_DIR", "AWS_REGION", "TOKEN"]
                .into_iter()
                .all(passed)
        );
        assert!(!["TOKEN2", "GITHUB_TOKEN", "aws_region", "HOMEPAGE"].into_iter().any(passed));
    }
}
