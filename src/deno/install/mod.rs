//! Downloads Deno: which release, verified against the published checksum, into a cache of the user's own.
//!
//! ```text
//! CACHE/deno/v2.1.4.lock     held shared by who uses the version, exclusively by who installs or removes it
//! CACHE/deno/v2.1.4/deno     complete, or not there: unpacked aside and renamed
//! CACHE/deno/latest          the newest release as last seen, trusted for a day
//! ```
//!
//! Processes that start at the same time wait for one another at the lock of their version, and only the first downloads.

mod cache;
mod fetch;
mod platform;
mod release;
#[cfg(test)]
mod tests;

use super::http::causes;
use semver::Version;
use std::io;
use std::path::PathBuf;

pub use cache::{Cache, InUse};
pub use fetch::Installer;
pub use platform::{CACHE_VARIABLE, cache_folder, cache_folder_of};

/// Where releases come from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Source {
    /// GitHub, whose API names releases, archives and checksums.
    GitHub {
        /// The API's base address.
        api: String,
        /// Sent to the API, which then allows more requests.
        token: Option<String>,
    },
    /// Files at `BASE/TAG/deno-TARGET.zip`, each with its `.sha256sum`, and `BASE/release-latest.txt`.
    Mirror {
        /// The base address.
        base: String,
    },
}

/// The address of GitHub's API.
const GITHUB: &str = "https://api.github.com";

impl Source {
    /// The mirror, if there is one, or GitHub with the token of the environment.
    pub fn new(mirror: Option<&str>) -> Self {
        match mirror.filter(|mirror| !mirror.is_empty()) {
            Some(base) => Self::Mirror { base: base.to_owned() },
            None => Self::GitHub {
                api: GITHUB.to_owned(),
                token: std::env::var("GITHUB_TOKEN").ok().filter(|token| !token.is_empty()),
            },
        }
    }
}

/// Why a Deno was not installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// Deno has no releases for this platform.
    #[error("Deno has no releases for {0}")]
    Platform(String),
    /// Neither a home folder nor a cache is set.
    #[error("there is no folder to keep it in: set the environment variable HOME or {CACHE_VARIABLE}")]
    NoFolder,
    /// Nobody answered.
    #[error("{address} cannot be reached: {reason}")]
    Unreachable {
        /// What was asked.
        address: String,
        /// All causes, outermost first.
        reason: String,
    },
    /// The address is there and what it should name is not.
    #[error("{address} does not exist")]
    NotThere {
        /// What was asked.
        address: String,
    },
    /// Another answer than success.
    #[error("{address} answered with status {status}{}", if *limited { ": too many requests without a token; set GITHUB_TOKEN" } else { "" })]
    Status {
        /// What was asked.
        address: String,
        /// HTTP's number.
        status: u16,
        /// GitHub counts requests, and these were too many.
        limited: bool,
    },
    /// The answer makes no sense.
    #[error("{address} answered with something else than expected: {reason}")]
    Answer {
        /// What was asked.
        address: String,
        /// What is wrong.
        reason: String,
    },
    /// No release fits.
    #[error("no release of Deno fits {wish:?}")]
    NoSuchRelease {
        /// The user's words.
        wish: String,
    },
    /// A mirror knows its newest release only.
    #[error(
        "the mirror's newest release is {newest}, which does not fit {wish:?}, and a mirror cannot list others: name an exact version"
    )]
    NotNewest {
        /// The user's words.
        wish: String,
        /// What the mirror has.
        newest: Version,
    },
    /// A release without what we need of it.
    #[error("the release {tag} cannot be used: {reason}")]
    Unusable {
        /// The release.
        tag: String,
        /// What is missing.
        reason: String,
    },
    /// The archive is not what was published.
    #[error("{address} has the SHA-256 {found}, and {expected} was published: it was damaged or replaced on its way")]
    Checksum {
        /// The archive.
        address: String,
        /// As published.
        expected: String,
        /// As computed.
        found: String,
    },
    /// The archive cannot be unpacked.
    #[error("{address} cannot be unpacked: {reason}")]
    Archive {
        /// The archive.
        address: String,
        /// What is wrong.
        reason: String,
    },
    /// The cache cannot be written.
    #[error("{}: {error}", path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// It took too long.
    #[error("it was not done within {limit:?} (`{}` in the provider's `limits`)", super::limits::setting::DOWNLOAD)]
    TimedOut {
        /// [`Limits::download`](super::Limits::download).
        limit: std::time::Duration,
    },
}

impl InstallError {
    /// What the user can do.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Checksum { .. } => {
                "Nothing of it was kept. Try again; if it comes out the same, the mirror that `deno_mirror` names or a proxy \
                 on the way hands out another file than was published."
            }
            Self::Archive { .. } => {
                "Nothing of it was kept. Have the mirror that `deno_mirror` names hold Deno's releases as they are."
            }
            Self::Io { .. } => {
                "Deno is kept in the folder of the user's cache, or of the environment variable DENOBRIDGE_CACHE: it must be \
                 a folder that can be written to, with some 200 MB left. Or install Deno and put it on PATH."
            }
            Self::TimedOut { .. } => {
                "Raise that limit if the network is slow. Or install that version of Deno and put it on PATH."
            }
            Self::NoSuchRelease { .. } | Self::NotNewest { .. } => {
                "Change `deno_version`, or install such a version of Deno and put it on PATH."
            }
            _ => {
                "Without a network: install that version of Deno and put it on PATH, or set `deno_binary_path` or the \
                 environment variable DENOBRIDGE_DENO to where it is. Behind a firewall: set `deno_mirror` to a copy of \
                 Deno's releases, or HTTPS_PROXY to a proxy. A version that was downloaded once is kept and needs no \
                 network again."
            }
        }
    }

    fn unreachable(address: &str, error: &reqwest::Error) -> Self {
        Self::Unreachable { address: address.to_owned(), reason: causes(error) }
    }

    fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |error| Self::Io { path, error }
    }
}
