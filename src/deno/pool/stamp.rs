//! Tells whether a script has changed since its process was started.

use super::super::command::{ConfigurationFile, Location};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What identifies the contents of the script and of its configuration file without reading them. A change in a module
/// that the script imports is not seen until the process ends for another reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp {
    script: Option<FileStamp>,
    configuration: Option<FileStamp>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct FileStamp {
    modified: Option<SystemTime>,
    length: u64,
    /// Device and inode: an editor that renames a new file over the old one within the clock's step is noticed.
    identity: (u64, u64),
}

impl Stamp {
    /// The stamp as of now. The error is the path of a script that is not there, or is a folder.
    pub(super) fn read(location: &Location, configuration: &ConfigurationFile) -> Result<Self, PathBuf> {
        let script = match location.file() {
            Some(path) => Some(file_stamp(path).ok_or_else(|| path.to_owned())?),
            None => None,
        };
        let configuration = match configuration {
            ConfigurationFile::File(path) => file_stamp(path),
            ConfigurationFile::Discovered | ConfigurationFile::Off => None,
        };
        Ok(Self { script, configuration })
    }
}

fn file_stamp(path: &Path) -> Option<FileStamp> {
    let metadata = path.metadata().ok().filter(|metadata| !metadata.is_dir())?;
    #[cfg(unix)]
    let identity = (std::os::unix::fs::MetadataExt::dev(&metadata), std::os::unix::fs::MetadataExt::ino(&metadata));
    #[cfg(not(unix))]
    let identity = (0, 0);
    Some(FileStamp { modified: metadata.modified().ok(), length: metadata.len(), identity })
}
