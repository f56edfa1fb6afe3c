//! One process at a time installs a provider: ours by a lock of our own, and the Go bridge by its lock.
//!
//! Two locks, since the Go bridge's is a POSIX record lock. Such a lock belongs to the process, and is lost as soon as the
//! process closes any handle of the file, so that it cannot keep two tasks of one process apart. It is taken second, by the
//! one task that has ours.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::error::InstallError;

/// How often to look whether a lock has become free.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Held until it is dropped, or the process ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _theirs: File,
    _ours: File,
}

impl Lock {
    pub(super) async fn acquire(ours: &Path, theirs: &Path, limit: Duration) -> Result<Self, InstallError> {
        let both = async {
            let ours = wait_for(ours, |file| match file.try_lock() {
                Ok(()) => Ok(true),
                Err(TryLockError::WouldBlock) => Ok(false),
                Err(TryLockError::Error(error)) => Err(error),
            });
            Ok(Self { _ours: ours.await?, _theirs: wait_for(theirs, try_go_lock).await? })
        };
        let late = |_| Err(InstallError::Locked { path: ours.to_owned(), limit });
        tokio::time::timeout(limit, both).await.unwrap_or_else(late)
    }
}

async fn wait_for(path: &Path, try_lock: impl Fn(&File) -> io::Result<bool>) -> Result<File, InstallError> {
    let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
    let file = file.map_err(InstallError::io(path))?;
    while !try_lock(&file).map_err(InstallError::io(path))? {
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    Ok(file)
}

/// The kind of lock that Go's OpenTofu uses.
#[cfg(unix)]
fn try_go_lock(file: &File) -> io::Result<bool> {
    use rustix::fs::{FlockOperation, fcntl_lock};
    match fcntl_lock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::AGAIN | rustix::io::Errno::ACCESS) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn try_go_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
