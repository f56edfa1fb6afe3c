//! What was installed: the hash of each file, and what the file looked like when it was last hashed.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::unpack::sum_of;
use crate::error::InstallError;
use crate::hashes::{PackageHash, Sum};

/// The form of the file. One of another form counts as none.
const FORM: u32 = 1;

/// A provider's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    form: u32,
    /// The hash of the archive that they come from, if they do.
    pub(crate) archive: Option<PackageHash>,
    /// What is known of the archives for all platforms.
    pub(crate) hashes: Vec<PackageHash>,
    /// By path, with `/` in it on every platform.
    files: BTreeMap<String, FileRecord>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FileRecord {
    sum: Sum,
    stamp: Stamp,
}

/// What changes when a file does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    size: u64,
    /// Device and inode, where there are such things.
    identity: Option<(u64, u64)>,
    /// When the contents, and where it is known anything about the file, last changed: seconds and nanoseconds.
    times: Vec<(i64, i64)>,
}

/// How files compare to their record.
pub(super) enum State {
    Same,
    /// The contents are the same, and the files are others. The record says what they look like now.
    SameInOtherClothes(Record),
    Changed(String),
}

impl Record {
    /// Of files in a folder, whose sums are known.
    pub(super) fn of(sums: BTreeMap<String, Sum>, folder: &Path) -> Result<Self, InstallError> {
        let mut files = BTreeMap::new();
        for (name, sum) in sums {
            let path = folder.join(&name);
            let stamp = Stamp::of(&path.symlink_metadata().map_err(InstallError::io(path))?);
            files.insert(name, FileRecord { sum, stamp });
        }
        Ok(Self { form: FORM, files, ..Self::default() })
    }

    /// `None`: there is none that can be read.
    pub(super) fn read(path: &Path) -> Option<Self> {
        let record: Self = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        (record.form == FORM).then_some(record)
    }

    /// Aside, then renamed.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".record-");
        // A cache may be shared by users, who then have to read what was recorded.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
        let mut file = builder.tempfile_in(folder)?;
        serde_json::to_writer(&mut file, self)?;
        file.flush()?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    }

    /// The `h1:` hash of the files.
    pub(crate) fn hash_of_files(&self) -> PackageHash {
        PackageHash::of_files(self.files.iter().map(|(name, file)| (name.as_str(), file.sum)))
    }

    /// The hashes that the files themselves have, whatever else is known.
    pub(crate) fn own_hashes(&self) -> Vec<PackageHash> {
        self.archive.into_iter().chain([self.hash_of_files()]).collect()
    }

    /// Compares files with the record. Those that look as they did are not read.
    pub(super) fn compare(&self, folder: &Path) -> Result<State, InstallError> {
        let (now, is_new) = self.updated(folder)?;
        if !is_new {
            return Ok(State::Same);
        }
        for (name, file) in &self.files {
            match now.files.get(name) {
                None => return Ok(State::Changed(format!("{name} is gone"))),
                Some(found) if found.sum != file.sum => {
                    let change = format!("{name} has the SHA-256 {}, and {} was recorded", found.sum, file.sum);
                    return Ok(State::Changed(change));
                }
                Some(_) => {}
            }
        }
        match now.files.keys().find(|name| !self.files.contains_key(*name)) {
            Some(name) => Ok(State::Changed(format!("{name} was added"))),
            None => Ok(State::SameInOtherClothes(now)),
        }
    }

    /// The record of what is there now, and whether that is news.
    pub(super) fn updated(&self, folder: &Path) -> Result<(Self, bool), InstallError> {
        let mut now = Self { form: FORM, files: BTreeMap::new(), ..self.clone() };
        let mut is_new = false;
        let mut names = Vec::new();
        list(folder, "", &mut names)?;
        for name in names {
            let path = folder.join(&name);
            // Of what a link points to, as that is what would be run.
            let stamp = Stamp::of(&path.metadata().map_err(InstallError::io(&path))?);
            let known = self.files.get(&name).filter(|known| known.stamp == stamp);
            let sum = match known {
                Some(known) => known.sum,
                None => {
                    is_new = true;
                    let mut file = fs::File::open(&path).map_err(InstallError::io(&path))?;
                    sum_of(&mut file).map_err(InstallError::io(&path))?
                }
            };
            now.files.insert(name, FileRecord { sum, stamp });
        }
        is_new |= now.files.len() != self.files.len();
        Ok((now, is_new))
    }
}

/// The paths of all files below a folder.
fn list(folder: &Path, prefix: &str, names: &mut Vec<String>) -> Result<(), InstallError> {
    let io = |error| InstallError::io(folder)(error);
    for entry in fs::read_dir(folder).map_err(io)? {
        let entry = entry.map_err(io)?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().map_err(io)?.is_dir() {
            list(&entry.path(), &format!("{name}/"), names)?;
        } else {
            names.push(name);
        }
    }
    Ok(())
}

impl Stamp {
    #[cfg(unix)]
    fn of(file: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let times = vec![(file.mtime(), file.mtime_nsec()), (file.ctime(), file.ctime_nsec())];
        Self { size: file.len(), identity: Some((file.dev(), file.ino())), times }
    }

    #[cfg(windows)]
    fn of(file: &Metadata) -> Self {
        use std::os::windows::fs::MetadataExt as _;
        let time = |ticks: u64| (i64::try_from(ticks).unwrap_or(i64::MAX), 0);
        Self { size: file.len(), identity: None, times: vec![time(file.last_write_time()), time(file.creation_time())] }
    }

    #[cfg(not(any(unix, windows)))]
    fn of(file: &Metadata) -> Self {
        Self { size: file.len(), identity: None, times: Vec::new() }
    }
}
