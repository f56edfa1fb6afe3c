//! The folder of installed versions, and the locks that keep processes out of each other's way.

use super::InstallError;
use super::platform::executable;
use crate::files::write_aside;
use semver::Version;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// How many versions are kept, those in use and the one just installed apart.
const KEPT: usize = 3;
/// How long the newest release is taken to be the newest.
const FRESH: Duration = Duration::from_secs(24 * 60 * 60);
/// How often to look whether a lock has become free.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Installed versions of Deno.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

/// An installed version that is not removed as long as this lives.
#[derive(Debug, Clone)]
pub struct InUse {
    /// The executable.
    pub program: PathBuf,
    /// Its version.
    pub version: Version,
    /// Holds the shared lock.
    _lock: Option<Arc<File>>,
}

impl Cache {
    /// The cache below a user's [`cache_folder`](super::cache_folder). Nothing is created before something is installed.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.join("deno") }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn version_folder(&self, version: &Version) -> PathBuf {
        self.folder.join(format!("v{version}"))
    }

    fn program(&self, version: &Version) -> Option<PathBuf> {
        let program = self.version_folder(version).join(executable());
        program.is_file().then_some(program)
    }

    /// The installed versions, newest first.
    pub fn versions(&self) -> Vec<Version> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut versions: Vec<Version> = entries
            .filter_map(|entry| Version::parse(entry.file_name().to_str()?.strip_prefix('v')?).ok())
            .filter(|version| self.program(version).is_some())
            .collect();
        versions.sort_by(|one, other| other.cmp(one));
        versions
    }

    /// An installed version, kept from being removed; `None` when it is not there.
    pub fn take(&self, version: &Version) -> Option<InUse> {
        self.program(version)?;
        // Nobody removes anything from a cache that can only be read.
        let lock = self.lock_file(version).ok();
        // Being removed or put in place right now.
        if matches!(lock.as_ref().map(File::try_lock_shared), Some(Err(TryLockError::WouldBlock))) {
            return None;
        }
        // It may have been removed before the lock was ours.
        self.program(version).map(|program| InUse { program, version: version.clone(), _lock: lock.map(Arc::new) })
    }

    fn lock_file(&self, version: &Version) -> Result<File, InstallError> {
        let path = self.folder.join(format!("v{version}.lock"));
        OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(InstallError::io(path))
    }

    /// The right to install a version, and nobody else's. Waits for as long as somebody has it.
    pub(super) async fn lock(&self, version: &Version) -> Result<File, InstallError> {
        create_private(&self.folder)?;
        let lock = self.lock_file(version)?;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(TryLockError::WouldBlock) => tokio::time::sleep(LOOK_AGAIN).await,
                Err(TryLockError::Error(error)) => return Err(InstallError::io(&self.folder)(error)),
            }
        }
    }

    /// Removes the oldest versions that nobody uses, and what killed installations have left.
    pub(super) fn tidy(&self, installed: &Version) {
        for version in self.versions().into_iter().filter(|version| version != installed).skip(KEPT - 1) {
            if let Ok(lock) = self.lock_file(&version)
                && lock.try_lock().is_ok()
            {
                // What cannot be removed is tried again after the next installation.
                let _ = fs::remove_dir_all(self.version_folder(&version));
            }
        }
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let is_old = || entry.metadata().and_then(|data| data.modified()).is_ok_and(|time| !is_fresh(time));
            if entry.file_name().to_string_lossy().starts_with(ASIDE) && is_old() {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// A folder to unpack in: in the same file system, so that the result can be renamed.
    pub(super) fn aside(&self) -> Result<tempfile::TempDir, InstallError> {
        tempfile::Builder::new().prefix(ASIDE).tempdir_in(&self.folder).map_err(InstallError::io(&self.folder))
    }

    /// The newest release as last seen, unless that was long ago.
    pub(super) fn known_latest(&self) -> Option<Version> {
        let path = self.folder.join(LATEST);
        is_fresh(path.metadata().ok()?.modified().ok()?).then(|| fs::read_to_string(&path).ok())??.trim().parse().ok()
    }

    /// Remembers the newest release. That it cannot be remembered costs a question the next time.
    pub(super) fn remember_latest(&self, version: &Version) {
        let _ = write_aside(&self.folder.join(LATEST), version.to_string().as_bytes());
    }
}

const ASIDE: &str = ".unpacking-";
const LATEST: &str = "latest";

fn is_fresh(time: SystemTime) -> bool {
    // A time in the future comes from a clock that was put back.
    time.elapsed().is_ok_and(|age| age < FRESH)
}

/// Creates a folder that only this user can write to.
fn create_private(folder: &Path) -> Result<(), InstallError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o755);
    builder.create(folder).map_err(InstallError::io(folder))
}
