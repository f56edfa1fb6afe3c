//! Providers that were installed, in the Go bridge's folder and layout, so that either finds what the other installed.
//!
//! ```text
//! ROOT/HOST/NAMESPACE/TYPE/VERSION/PLATFORM/                  the provider: complete, or not there
//! ROOT/HOST/NAMESPACE/TYPE/VERSION/PLATFORM.lock              the Go bridge's lock, which we hold as well
//! ROOT/HOST/NAMESPACE/TYPE/VERSION/PLATFORM.denobridge.lock   ours, held while the provider is installed
//! ROOT/HOST/NAMESPACE/TYPE/VERSION/PLATFORM.denobridge.json   what was installed: a hash for each file
//! ROOT/HOST/NAMESPACE/TYPE/VERSION/.PLATFORM-*/               being unpacked
//! ROOT/.checked/                                              hashes of folders that are not ours
//! ```
//!
//! A provider without a record (the Go bridge wrote it, or a process was killed at the wrong moment) is installed again;
//! one that differs from its record too. Its files are hashed again only when something about them has changed.

mod lock;
mod record;
mod unpack;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use semver::Version;
use tempfile::TempDir;

use crate::address::ProviderAddress;
use crate::environment::Environment;
use crate::error::InstallError;
use crate::hashes::{PackageHash, Sum};
use crate::limits::Limits;
use crate::platform::Platform;
use crate::source::provider_folder;

pub(crate) use lock::Lock;
pub(crate) use record::Record;
use record::State;
pub(crate) use unpack::sum_of;

/// The variable that names the folder; the Go bridge's.
pub const CACHE_VARIABLE: &str = "PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR";

/// The folder of installed providers.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    root: PathBuf,
    platform: Platform,
}

/// Where a version of a provider is or would be.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The folder that has all versions of the provider for all platforms in the end.
    version_folder: PathBuf,
    platform: String,
}

/// What is known of an entry.
#[derive(Debug)]
pub(crate) enum Found {
    /// It is there, as recorded.
    Good(Record),
    /// It is not there, or nobody recorded what it should be.
    Nothing,
    /// It is not what was recorded: a clause that says how.
    Changed(String),
}

impl Cache {
    /// The user's cache. Nothing is created before something is installed.
    pub(crate) fn of(environment: &Environment, platform: Platform) -> Result<Self, InstallError> {
        let pulumi_home = || environment.folder("PULUMI_HOME").or_else(|| Some(environment.home()?.join(".pulumi")));
        let root = environment.folder(CACHE_VARIABLE).or_else(|| Some(pulumi_home()?.join("dynamic_tf_plugins")));
        Ok(Self { root: root.ok_or(InstallError::NoFolder)?, platform })
    }

    pub(crate) fn entry(&self, address: &ProviderAddress, version: &Version) -> Entry {
        let version_folder = provider_folder(&self.root, address).join(version.to_string());
        Entry { version_folder, platform: self.platform.to_string() }
    }

    /// The versions of a provider that were installed by us.
    pub(crate) fn versions(&self, address: &ProviderAddress) -> Vec<Version> {
        let entries = fs::read_dir(provider_folder(&self.root, address)).into_iter().flatten().flatten();
        let version = |entry: fs::DirEntry| Version::parse(entry.file_name().to_str()?).ok();
        entries.filter_map(version).filter(|version| self.entry(address, version).record_path().is_file()).collect()
    }

    /// The hash of the files in a folder that is not ours, and which may change at any time.
    pub(crate) fn hash_of_foreign(&self, folder: &Path) -> Result<PackageHash, InstallError> {
        let name = format!("{}.json", Sum::of(folder.as_os_str().as_encoded_bytes()));
        let kept = self.root.join(".checked").join(name);
        let known = Record::read(&kept).unwrap_or_default();
        let (record, is_new) = known.updated(folder)?;
        if is_new {
            // Whoever cannot write it has to hash again the next time.
            let _ = kept.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| record.write(&kept));
        }
        Ok(record.hash_of_files())
    }
}

impl Entry {
    /// The provider's folder.
    pub(crate) fn folder(&self) -> PathBuf {
        self.version_folder.join(&self.platform)
    }

    fn record_path(&self) -> PathBuf {
        self.version_folder.join(format!("{}.denobridge.json", self.platform))
    }

    /// Looks whether the provider is there and as recorded.
    pub(crate) fn check(&self) -> Result<Found, InstallError> {
        let folder = self.folder();
        let Some(record) = Record::read(&self.record_path()).filter(|_| folder.is_dir()) else {
            return Ok(Found::Nothing);
        };
        let state = match record.compare(&folder) {
            // Another process is replacing it right now.
            Err(InstallError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Found::Nothing);
            }
            state => state?,
        };
        Ok(match state {
            State::Same => Found::Good(record),
            State::SameInOtherClothes(newer) => {
                // Whoever cannot write it has to hash again the next time.
                let _ = newer.write(&self.record_path());
                Found::Good(newer)
            }
            State::Changed(how) => Found::Changed(how),
        })
    }

    /// The right to install, and nobody else's.
    pub(crate) async fn lock(&self, limits: &Limits) -> Result<Lock, InstallError> {
        fs::create_dir_all(&self.version_folder).map_err(InstallError::io(&self.version_folder))?;
        let path = |suffix: &str| self.version_folder.join(format!("{}{suffix}", self.platform));
        Lock::acquire(&path(".denobridge.lock"), &path(".lock"), limits.lock_timeout).await
    }

    /// A folder to prepare things in: on the same disk, so that the result can be renamed. Who has the lock knows that what
    /// others have left of theirs belongs to nobody.
    pub(crate) fn aside(&self, _lock: &Lock) -> Result<TempDir, InstallError> {
        let prefix = format!(".{}-", self.platform);
        for entry in fs::read_dir(&self.version_folder).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(&prefix) {
                // What cannot be removed is tried again the next time.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        let aside = tempfile::Builder::new().prefix(&prefix).tempdir_in(&self.version_folder);
        aside.map_err(InstallError::io(&self.version_folder))
    }

    /// Unpacks an archive into `aside`, whose files are then as the record says.
    pub(crate) fn unpack(
        &self,
        archive: &mut fs::File,
        aside: &Path,
        place: &str,
        limits: &Limits,
        provider_type: &str,
    ) -> Result<Record, InstallError> {
        let files = unpack::unpack(archive, &unpacked(aside), place, limits, provider_type)?;
        Record::of(files, &unpacked(aside))
    }

    /// Puts what was unpacked in place of what is there. At no time is there a provider with another's record.
    pub(crate) fn put(&self, aside: &Path, record: &Record, _lock: &Lock) -> Result<(), InstallError> {
        let (place, record_path) = (self.folder(), self.record_path());
        let new_record = aside.join("record.json");
        record.write(&new_record).map_err(InstallError::io(&new_record))?;
        match fs::remove_file(&record_path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(InstallError::io(record_path)(error));
            }
            _ => {}
        }
        if place.exists() {
            // A process that runs it keeps its files until it ends.
            fs::rename(&place, aside.join("replaced")).map_err(InstallError::io(&place))?;
        }
        fs::rename(unpacked(aside), &place).map_err(InstallError::io(&place))?;
        fs::rename(new_record, &record_path).map_err(InstallError::io(&record_path))
    }
}

/// Where in a folder of [`Entry::aside`] the files of an archive are put.
pub(crate) fn unpacked(aside: &Path) -> PathBuf {
    aside.join("unpacked")
}
