//! Getting a package: download, compare, unpack, put in place.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use semver::Version;

use super::{InstalledProvider, Installer, Kept, Requirement, blocking, is_recorded};
use crate::address::ProviderAddress;
use crate::cache::{Entry, Lock, Record, sum_of, unpacked};
use crate::error::InstallError;
use crate::executable;
use crate::hashes::PackageHash;
use crate::limits::Limits;
use crate::source::{Content, Package};
use crate::verification::VerificationError;

/// The provider in an entry of the cache.
pub(super) fn from_entry(
    address: &ProviderAddress,
    version: &Version,
    entry: &Entry,
    record: &Record,
) -> Result<InstalledProvider, InstallError> {
    let folder = entry.folder();
    let path = executable::required(&folder, &address.provider_type, &folder.display().to_string())?;
    let hashes: BTreeSet<_> = record.hashes.iter().copied().chain(record.own_hashes()).collect();
    Ok(InstalledProvider { path, version: version.clone(), hashes: hashes.into_iter().collect(), warnings: Vec::new() })
}

impl Installer {
    /// Gets a package from where it is.
    pub(super) async fn fetch(
        &self,
        requirement: &Requirement,
        package: Package,
    ) -> Result<InstalledProvider, InstallError> {
        if let Content::Folder(folder) = package.content {
            return self.foreign_folder(requirement, &package.version, folder, package.warnings).await;
        }
        let entry = self.cache.entry(&requirement.address, &package.version);
        let lock = entry.lock(&self.configuration.limits).await?;
        // Whoever had the lock before may have installed it.
        if let Kept::Good(installed) = self.kept(requirement, &package.version).await? {
            return Ok(InstalledProvider { warnings: package.warnings, ..installed });
        }
        let aside = entry.aside(&lock)?;
        let archive = match &package.content {
            Content::Download { url, access, retries } => {
                let path = aside.path().join("archive.zip");
                self.http()?.download(url, access, *retries, &path).await?;
                path
            }
            Content::Archive(path) | Content::Folder(path) => path.clone(),
        };
        let work = Unpacking {
            requirement: requirement.clone(),
            package,
            entry,
            archive,
            limits: self.configuration.limits.clone(),
        };
        // The folder and the lock go with the work, which is not stopped by whoever stops waiting for it.
        blocking(move || work.run(aside.path(), &lock)).await
    }

    /// A folder that is not ours: used where it is, since whoever fills it may change it.
    pub(super) async fn foreign_folder(
        &self,
        requirement: &Requirement,
        version: &Version,
        folder: PathBuf,
        warnings: Vec<String>,
    ) -> Result<InstalledProvider, InstallError> {
        let address = &requirement.address;
        let path = executable::required(&folder, &address.provider_type, &folder.display().to_string())?;
        let place = folder.display().to_string();
        let cache = self.cache.clone();
        let hashes = vec![blocking(move || cache.hash_of_foreign(&folder)).await?];
        check_recorded(requirement, version, &place, &hashes)?;
        Ok(InstalledProvider { path, version: version.clone(), hashes, warnings })
    }
}

/// What remains to be done with an archive on this machine.
struct Unpacking {
    requirement: Requirement,
    package: Package,
    entry: Entry,
    archive: PathBuf,
    limits: Limits,
}

impl Unpacking {
    fn run(self, aside: &Path, lock: &Lock) -> Result<InstalledProvider, InstallError> {
        let Requirement { address, .. } = &self.requirement;
        let Package { version, warnings, .. } = &self.package;
        let place = self.package.content.place();
        // Opened once, so that what is compared is what is unpacked.
        let mut archive = File::open(&self.archive).map_err(InstallError::io(&self.archive))?;
        let sum = PackageHash::Archive(sum_of(&mut archive).map_err(InstallError::io(&self.archive))?);
        self.check_archive(sum, &place)?;
        let limits = &self.limits;
        let mut record = self.entry.unpack(&mut archive, aside, &place, limits, &address.provider_type)?;
        record.archive = Some(sum);
        record.hashes = self.package.hashes.clone();
        self.check_content(&record, &place)?;
        executable::required(&unpacked(aside), &address.provider_type, &place)?;
        self.entry.put(aside, &record, lock)?;
        let installed = from_entry(address, version, &self.entry, &record)?;
        Ok(InstalledProvider { warnings: warnings.clone(), ..installed })
    }

    /// Before anything is unpacked, where that can be said: a place that announces hashes of archives means the archive.
    fn check_archive(&self, sum: PackageHash, place: &str) -> Result<(), InstallError> {
        let are_all_archives = |hashes: &[PackageHash]| {
            !hashes.is_empty() && hashes.iter().all(|hash| matches!(hash, PackageHash::Archive(_)))
        };
        if are_all_archives(&self.package.required) && !self.package.required.contains(&sum) {
            return Err(self.wrong(sum, place));
        }
        if are_all_archives(&self.requirement.recorded) {
            check_recorded(&self.requirement, &self.package.version, place, &[sum])?;
        }
        Ok(())
    }

    fn check_content(&self, record: &Record, place: &str) -> Result<(), InstallError> {
        let own = record.own_hashes();
        let required = &self.package.required;
        if !required.is_empty() && !required.iter().any(|hash| own.contains(hash)) {
            return Err(self.wrong(record.hash_of_files(), place));
        }
        check_recorded(&self.requirement, &self.package.version, place, &own)
    }

    fn wrong(&self, found: PackageHash, place: &str) -> InstallError {
        let expected: Vec<_> = self.package.required.iter().map(ToString::to_string).collect();
        InstallError::Unverified {
            address: self.requirement.address.clone(),
            version: self.package.version.clone(),
            place: place.to_owned(),
            reason: VerificationError::WrongArchive { found, expected: expected.join(" or ") },
        }
    }
}

fn check_recorded(
    requirement: &Requirement,
    version: &Version,
    place: &str,
    found: &[PackageHash],
) -> Result<(), InstallError> {
    if is_recorded(requirement, found) {
        return Ok(());
    }
    Err(InstallError::NotAsRecorded {
        address: requirement.address.clone(),
        version: version.clone(),
        place: place.to_owned(),
        found: found.to_vec(),
        recorded: requirement.recorded.clone(),
    })
}
