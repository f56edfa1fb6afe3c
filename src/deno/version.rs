//! Which versions of Deno will do, and which version a program is.

use super::find::FindError;
use semver::{Comparator, Op, Version, VersionReq};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// The oldest Deno that scripts run on.
pub const MINIMUM: Version = Version::new(2, 0, 0);
/// Why not an older one, to go after "since".
pub const MINIMUM_REASON: &str =
    "the contract's libraries are written for Deno 2, and older ones know neither its lock files nor `jsr:` workspaces";

/// How long a program may take to say its version.
const ANSWER: Duration = Duration::from_secs(10);

/// The version that a user asks for.
#[derive(Debug, Clone, Default)]
pub enum VersionWish {
    /// Whatever is there, from [`MINIMUM`] on.
    #[default]
    Any,
    /// The newest release.
    Latest,
    /// Those that fit, and the words of the user.
    Matching(VersionReq, String),
}

impl VersionWish {
    /// Reads the `deno_version` setting: a release's tag (`v2.1.4`, also without its `v`), a range as Cargo knows them
    /// (`^2.1`, `>=2.1, <2.4`), `latest`, or nothing.
    ///
    /// # Errors
    /// It is none of these.
    pub fn parse(setting: Option<&str>) -> Result<Self, FindError> {
        let text = setting.unwrap_or_default().trim();
        match text {
            "" => return Ok(Self::Any),
            "latest" => return Ok(Self::Latest),
            _ => {}
        }
        let exact = Version::parse(text.strip_prefix('v').unwrap_or(text)).map(|version| VersionReq {
            comparators: vec![Comparator {
                op: Op::Exact,
                major: version.major,
                minor: Some(version.minor),
                patch: Some(version.patch),
                pre: version.pre,
            }],
        });
        let requirement = exact.or_else(|_| VersionReq::parse(text));
        requirement
            .map(|requirement| Self::Matching(requirement, text.to_owned()))
            .map_err(|error| FindError::InvalidVersion { given: text.to_owned(), reason: error.to_string() })
    }

    /// Whether a version will do. `latest` cannot be told without asking, so any does.
    pub fn accepts(&self, version: &Version) -> bool {
        match self {
            Self::Any | Self::Latest => *version >= MINIMUM,
            Self::Matching(requirement, _) => requirement.matches(version),
        }
    }

    /// The one version that will do, if there is only one.
    pub fn exact(&self) -> Option<Version> {
        let Self::Matching(VersionReq { comparators }, _) = self else { return None };
        match comparators.as_slice() {
            [Comparator { op: Op::Exact, major, minor: Some(minor), patch: Some(patch), pre }] => {
                Some(Version { pre: pre.clone(), ..Version::new(*major, *minor, *patch) })
            }
            _ => None,
        }
    }
}

impl fmt::Display for VersionWish {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => write!(formatter, "{MINIMUM} or newer"),
            Self::Latest => formatter.write_str("latest"),
            Self::Matching(_, text) => formatter.write_str(text),
        }
    }
}

// By the user's words: the requirement follows from them.
impl PartialEq for VersionWish {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for VersionWish {}

impl Hash for VersionWish {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_string().hash(state);
    }
}

/// Asks a program for its version, and whether it is a Deno at all.
pub(crate) async fn version_of(program: &Path) -> Result<Version, FindError> {
    let no_deno = |reason: String| FindError::NotDeno { origin: None, path: program.to_owned(), reason };
    let mut command = tokio::process::Command::new(program);
    command.arg("--version").stdin(Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(ANSWER, command.output()).await;
    let output = output.map_err(|_| no_deno(format!("`--version` gave no answer within {ANSWER:?}")))?;
    let output = output.map_err(|error| no_deno(error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    read_version(&text).ok_or_else(|| {
        let line = text.lines().next().unwrap_or_default().chars().take(80).collect::<String>();
        no_deno(if line.is_empty() {
            format!("`--version` said nothing and ended with {}", super::error::Exit::from(output.status))
        } else {
            format!("`--version` said {line:?}")
        })
    })
}

/// `deno --version` starts with a line such as `deno 2.1.4 (stable, release, x86_64-unknown-linux-gnu)`.
fn read_version(text: &str) -> Option<Version> {
    let mut words = text.lines().next()?.split_whitespace();
    if words.next() != Some("deno") {
        return None;
    }
    // A canary build names its commit behind a plus sign, which is a semantic version too.
    Version::parse(words.next()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        Version::parse(text).unwrap()
    }

    #[test]
    fn wishes() {
        let accepts = |wish: &str, text: &str| VersionWish::parse(Some(wish)).unwrap().accepts(&version(text));
        assert!(accepts("v2.1.4", "2.1.4") && accepts("2.1.4", "2.1.4") && !accepts("v2.1.4", "2.1.5"));
        assert!(accepts("^2.1", "2.9.8") && !accepts("^2.1", "2.0.9") && !accepts("^2.1", "3.0.0"));
        assert!(accepts(">=2.1, <2.4", "2.3.9") && !accepts(">=2.1, <2.4", "2.4.0"));
        assert!(accepts("v1.46.3", "1.46.3"), "the minimum is said with its reason, not as another version");
        assert!(accepts("latest", "2.0.0") && accepts("", "2.0.0") && !accepts("", "1.46.3"));
        assert!(matches!(VersionWish::parse(Some("newest")), Err(FindError::InvalidVersion { .. })));
    }

    #[test]
    fn one_version_is_told_from_a_range() {
        let exact = |wish: &str| VersionWish::parse(Some(wish)).unwrap().exact();
        assert_eq!(exact("v2.1.4"), Some(version("2.1.4")));
        assert_eq!(exact("=2.1.4"), Some(version("2.1.4")));
        assert_eq!(exact("v2.5.0-rc.1"), Some(version("2.5.0-rc.1")));
        assert_eq!((exact("^2.1.4"), exact("latest")), (None, None));
    }

    #[test]
    fn versions_are_read_as_deno_prints_them() {
        let text = "deno 2.1.4 (stable, release, x86_64-unknown-linux-gnu)\nv8 13.0\n";
        assert_eq!(read_version(text), Some(version("2.1.4")));
        assert_eq!(read_version("deno 2.1.4+abc1234\n"), Some(version("2.1.4+abc1234")));
        assert_eq!(read_version("node v22\n"), None);
        assert_eq!(read_version(""), None);
    }
}
