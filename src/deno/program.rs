//! Which Deno runs the scripts: decided when the first of them is to run, so that a plugin starts without looking.

use super::find::{DenoSource, FindError};
use super::install::{Cache, InUse, Installer, Source, cache_folder};
use super::version::{MINIMUM, VersionWish, version_of};
use semver::Version;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OnceCell;

/// A Deno, found or yet to be found. Clones find it together, once.
#[derive(Debug, Clone)]
pub struct Deno(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    wanted: Wanted,
    found: OnceCell<Result<Found, FindError>>,
}

/// Where to look for a Deno, and what will do.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Search {
    /// The places on this machine.
    pub source: DenoSource,
    /// The version asked for.
    pub version: VersionWish,
    /// Where to download from; `None` when that is not allowed.
    pub download: Option<Source>,
    /// Where downloads are kept; `None` when there is no place for them.
    pub cache: Option<PathBuf>,
    /// How long an installation may take.
    pub download_limit: Duration,
}

impl Search {
    /// What the environment of this process says, with nothing configured.
    pub fn from_environment() -> Self {
        Self {
            source: DenoSource::from_environment(None),
            version: VersionWish::Any,
            download: Some(Source::new(None)),
            cache: cache_folder(),
            download_limit: super::Limits::default().download,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Wanted {
    /// This one, without a question.
    At(PathBuf),
    Search(Search),
    Nothing(String),
}

#[derive(Debug, Clone)]
struct Found {
    program: PathBuf,
    /// Keeps a downloaded version from being removed.
    _in_use: Option<InUse>,
}

impl From<PathBuf> for Deno {
    /// This very program, which is not looked at before it is started.
    fn from(program: PathBuf) -> Self {
        Self::wanting(Wanted::At(program))
    }
}

impl From<&Path> for Deno {
    fn from(program: &Path) -> Self {
        program.to_owned().into()
    }
}

impl From<Search> for Deno {
    fn from(search: Search) -> Self {
        Self::wanting(Wanted::Search(search))
    }
}

impl From<FindError> for Deno {
    /// None: every script fails with this.
    fn from(error: FindError) -> Self {
        let deno = Self::wanting(Wanted::Nothing(error.to_string()));
        // The cell is new, so it takes the value.
        let _ = deno.0.found.set(Err(error));
        deno
    }
}

impl Deno {
    fn wanting(wanted: Wanted) -> Self {
        Self(Arc::new(Inner { wanted, found: OnceCell::new() }))
    }

    /// The executable. The first call looks for it, and downloads it if need be; a failure is not tried again, since
    /// every script of a run would wait for it anew.
    ///
    /// # Errors
    /// There is none that will do.
    pub async fn locate(&self) -> Result<PathBuf, FindError> {
        let found = self.0.found.get_or_init(|| self.0.find()).await;
        found.as_ref().map(|found| found.program.clone()).map_err(Clone::clone)
    }

    /// The executable that [`locate`](Self::locate) would look at first. Nothing is started for it, so it may turn out to be of
    /// a version that will not do.
    pub fn candidate(&self) -> Option<PathBuf> {
        match &self.0.wanted {
            Wanted::At(program) => Some(program.clone()),
            Wanted::Search(search) => {
                search.source.find().ok().or_else(|| search.installed().map(|installed| installed.program))
            }
            Wanted::Nothing(_) => None,
        }
    }
}

// By what is wanted, whether or not it has been found yet.
impl PartialEq for Deno {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.wanted == other.0.wanted
    }
}

impl Eq for Deno {}

impl Hash for Deno {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.wanted.hash(state);
    }
}

impl Inner {
    async fn find(&self) -> Result<Found, FindError> {
        match &self.wanted {
            Wanted::At(program) => Ok(Found { program: program.clone(), _in_use: None }),
            Wanted::Search(search) => search.find().await,
            Wanted::Nothing(_) => Err(FindError::Missing),
        }
    }
}

impl Search {
    async fn find(&self) -> Result<Found, FindError> {
        if self.source.given().is_some() {
            return self.given().await;
        }
        let mut rejected = None;
        let on_path = match self.source.find() {
            Ok(program) => match self.fits(&program).await {
                Ok(version) => Some((program, version)),
                Err(reason) => {
                    rejected = Some(reason);
                    None
                }
            },
            Err(_) => None,
        };
        let asks_latest = matches!(self.version, VersionWish::Latest) && self.download.is_some();
        match (on_path, asks_latest) {
            (Some((program, _)), false) => Ok(Found { program, _in_use: None }),
            (None, false) => match self.installed() {
                Some(installed) => Ok(installed.into()),
                None => self.download(rejected).await,
            },
            (on_path, true) => match (self.download(rejected).await, on_path) {
                // The newest as far as this machine knows is better than none.
                (Err(_), Some((program, _))) => Ok(Found { program, _in_use: None }),
                (Err(error), None) => self.installed().map(Found::from).ok_or(error),
                (downloaded, _) => downloaded,
            },
        }
    }

    /// The Deno that the user names, which is never passed over for another.
    async fn given(&self) -> Result<Found, FindError> {
        let program = self.source.find()?;
        let version = version_of(&program).await.map_err(|error| match error {
            FindError::NotDeno { path, reason, .. } => {
                FindError::NotDeno { origin: self.source.given().map(|(_, origin)| origin), path, reason }
            }
            other => other,
        })?;
        // A configured path wins over a configured version; one from the environment must not contradict it.
        if self.source.configured.is_none() && !self.version.accepts(&version) && version >= MINIMUM {
            return Err(FindError::OtherVersion { wish: self.version.to_string(), path: program, version });
        }
        old_enough(program, version).map(|(program, _)| Found { program, _in_use: None })
    }

    /// The version of a program, if it will do; otherwise what it is.
    async fn fits(&self, program: &Path) -> Result<Version, String> {
        let version = version_of(program).await.map_err(|error| error.to_string())?;
        match self.version.accepts(&version) && version >= MINIMUM {
            true => Ok(version),
            false => Err(format!("{} is {version}", program.display())),
        }
    }

    /// The newest of the downloaded versions that will do.
    fn installed(&self) -> Option<InUse> {
        let cache = Cache::new(self.cache.as_deref()?);
        let versions = cache.versions().into_iter();
        versions
            .filter(|version| *version >= MINIMUM && self.version.accepts(version))
            .find_map(|version| cache.take(&version))
    }

    async fn download(&self, rejected: Option<String>) -> Result<Found, FindError> {
        let wish = self.version.to_string();
        let found = rejected.map(|found| format!(" ({found})")).unwrap_or_default();
        let Some(source) = &self.download else { return Err(FindError::NotAllowed { wish, found }) };
        if let Some(version) = self.version.exact().filter(|version| *version < MINIMUM) {
            return Err(FindError::TooOld { path: "the release".into(), version });
        }
        let installed = match &self.cache {
            None => Err(super::install::InstallError::NoFolder),
            Some(cache) => match Installer::new(source.clone(), Cache::new(cache)) {
                Ok(installer) => installer.install(&self.version, self.download_limit).await,
                Err(error) => Err(error),
            },
        };
        installed.map(Found::from).map_err(|error| {
            let (reason, advice) = (error.to_string(), error.advice());
            FindError::NotInstalled { wish, found, reason, advice }
        })
    }
}

impl From<InUse> for Found {
    fn from(installed: InUse) -> Self {
        Self { program: installed.program.clone(), _in_use: Some(installed) }
    }
}

fn old_enough(program: PathBuf, version: Version) -> Result<(PathBuf, Version), FindError> {
    if version < MINIMUM {
        return Err(FindError::TooOld { path: program, version });
    }
    Ok((program, version))
}
