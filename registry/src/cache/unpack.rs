//! Unpacking archives that may be made to do harm: too large, or with files for other folders.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Component, Path};

use sha2::{Digest as _, Sha256};
use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::InstallError;
use crate::hashes::Sum;
use crate::limits::{Limits, PACKAGE_FILES};

/// Unpacks, and returns the sums of what was written.
pub(super) fn unpack(
    archive: &mut File,
    folder: &Path,
    place: &str,
    limits: &Limits,
    provider_type: &str,
) -> Result<BTreeMap<String, Sum>, InstallError> {
    let unusable = |reason: String| InstallError::Archive { place: place.to_owned(), reason };
    let broken = |error: ZipError| unusable(error.to_string());
    archive.seek(SeekFrom::Start(0)).map_err(|error| unusable(error.to_string()))?;
    let mut archive = ZipArchive::new(archive).map_err(broken)?;
    if archive.len() > PACKAGE_FILES {
        return Err(unusable(format!("it has more than {PACKAGE_FILES} files")));
    }
    fs::create_dir(folder).map_err(InstallError::io(folder))?;
    let mut sums = BTreeMap::new();
    let mut left = limits.package_bytes;
    for index in 0..archive.len() {
        let mut packed = archive.by_index(index).map_err(broken)?;
        let given = packed.name().map_err(broken)?.into_owned();
        let name = safe_name(&given).ok_or_else(|| unusable(format!("{given:?} is no name of a file")))?;
        let path = folder.join(&name);
        if packed.is_dir() {
            fs::create_dir_all(&path).map_err(InstallError::io(&path))?;
            continue;
        }
        if packed.is_symlink() {
            return Err(unusable(format!("{name} is a link")));
        }
        let mode = mode(packed.unix_mode(), is_executable(&name, provider_type));
        let sum = write(&mut packed, &path, mode, &mut left, &unusable)?;
        let sum = sum.ok_or_else(|| InstallError::TooLarge { place: place.to_owned(), limit: limits.package_bytes })?;
        if sums.insert(name.clone(), sum).is_some() {
            return Err(unusable(format!("it has {name} twice")));
        }
    }
    Ok(sums)
}

/// A path that stays within its folder, on every platform. Directories' names end with a slash.
fn safe_name(name: &str) -> Option<String> {
    let name = name.strip_suffix('/').unwrap_or(name);
    let is_plain = |part| matches!(part, Component::Normal(_));
    let stays = !name.is_empty() && !name.contains(['\\', ':', '\0']) && Path::new(name).components().all(is_plain);
    stays.then(|| name.to_owned())
}

/// The archive's, but readable and writable by its owner. Archives made on Windows do not say what can be run.
fn mode(archived: Option<u32>, is_executable: bool) -> u32 {
    let mode = archived.unwrap_or(0o644) & 0o755 | 0o600;
    if is_executable { mode | 0o755 } else { mode }
}

fn is_executable(name: &str, provider_type: &str) -> bool {
    crate::executable::is_named(name, provider_type)
}

/// `None`: it is larger than what is left.
fn write(
    packed: &mut impl Read,
    path: &Path,
    mode: u32,
    left: &mut u64,
    unusable: &impl Fn(String) -> InstallError,
) -> Result<Option<Sum>, InstallError> {
    let io = |error| InstallError::io(path)(error);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(InstallError::io(parent))?;
    }
    let mut file = File::create(path).map_err(io)?;
    let mut sum = Sha256::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        let length = match packed.read(&mut buffer) {
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(unusable(error.to_string())),
        };
        let Some(chunk) = buffer.get(..length).filter(|chunk| !chunk.is_empty()) else { break };
        match left.checked_sub(length as u64) {
            Some(rest) => *left = rest,
            None => return Ok(None),
        }
        sum.update(chunk);
        file.write_all(chunk).map_err(io)?;
    }
    set_mode(&file, mode).map_err(io)?;
    // Before the rename, so that a machine that goes down has all of it or nothing.
    file.sync_all().map_err(io)?;
    Ok(Some(Sum(sum.finalize().into())))
}

#[cfg(unix)]
fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &File, _: u32) -> io::Result<()> {
    Ok(())
}

/// The sum of a file from its beginning.
pub(crate) fn sum_of(file: &mut File) -> io::Result<Sum> {
    file.seek(SeekFrom::Start(0))?;
    let mut sum = Sha256::new();
    io::copy(file, &mut sum)?;
    Ok(Sum(sum.finalize().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_within_their_folder() {
        for (name, safe) in [
            ("terraform-provider-x", true),
            ("docs/a.md", true),
            ("docs/", true),
            ("../x", false),
            ("a/../../x", false),
            ("/x", false),
            ("./x", false),
            ("C:x", false),
            ("a\\..\\x", false),
            ("", false),
            ("/", false),
        ] {
            assert_eq!(safe_name(name).is_some(), safe, "{name}");
        }
    }

    #[test]
    fn modes_are_the_archives_and_providers_can_be_run() {
        assert_eq!(mode(Some(0o100_755), false), 0o755);
        assert_eq!(mode(Some(0o100_444), false), 0o644);
        assert_eq!(mode(Some(0o106_777), false), 0o755);
        assert_eq!(mode(None, false), 0o644);
        assert_eq!(mode(None, true), 0o755);
    }
}
