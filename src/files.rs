//! What all that keep files for others have in common.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

/// Writes a file that others may be reading: aside, in its folder, which must be there, and renamed.
pub(crate) fn write_aside(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut aside = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    aside.write_all(content)?;
    aside.persist(path).map(drop).map_err(|error| error.error)
}

/// Copies a file to where others may be reading: aside, in the folder, which must be there, and renamed. Who may read the
/// copy is who may read the file.
pub(crate) fn copy_aside(from: &Path, to: &Path) -> io::Result<()> {
    let aside = tempfile::NamedTempFile::new_in(to.parent().unwrap_or(Path::new(".")))?.into_temp_path();
    std::fs::copy(from, &aside)?;
    aside.persist(to).map_err(|error| error.error)
}

/// The path without `.` and `..`, as text: links are not looked at. What leads out of the root stays there.
pub(crate) fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}

/// Bytes in lower case, as sums are written.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a text never fails.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_without_dots() {
        for (path, plain) in [("/a/./b/../c", "/a/c"), ("/../a", "/a"), ("/a/..", "/"), ("a/../b", "b")] {
            assert_eq!(without_dots(Path::new(path)), Path::new(plain), "{path}");
        }
    }

    #[test]
    fn a_copy_takes_the_place_of_what_was_there() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        std::fs::write(path("new"), "new").unwrap();
        std::fs::write(path("old"), "what was there").unwrap();
        copy_aside(&path("new"), &path("old")).unwrap();
        assert_eq!(std::fs::read(path("old")).unwrap(), b"new");
        assert!(copy_aside(&path("none"), &path("old")).is_err());
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 2);
    }
}
