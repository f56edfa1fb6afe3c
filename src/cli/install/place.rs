//! Putting a program somewhere, as a link or a copy, so that nobody ever finds half of it.

use std::fs;
use std::io::{self, Error, ErrorKind};
use std::path::{Path, PathBuf};

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    /// There is a symbolic link now.
    Linked,
    /// There is a copy now.
    Copied,
    /// The link was there.
    AlreadyThere,
}

/// Makes `file` be `program`. What was placed there before is replaced; a folder is not.
///
/// # Errors
/// Those of the file system.
pub fn place(program: &Path, file: &Path, copy: bool) -> io::Result<Placed> {
    let there = match fs::symlink_metadata(file) {
        Ok(there) if there.is_dir() => return Err(Error::new(ErrorKind::AlreadyExists, "a folder is there")),
        Ok(_) => true,
        Err(error) if error.kind() == ErrorKind::NotFound => false,
        Err(error) => return Err(error),
    };
    if there && same(program, file) && (!copy || !fs::symlink_metadata(file)?.is_symlink()) {
        return Ok(Placed::AlreadyThere);
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let aside = aside(file);
    let placed = if copy || cfg!(windows) {
        fs::copy(program, &aside)?;
        Placed::Copied
    } else {
        link(program, &aside)?;
        Placed::Linked
    };
    fs::rename(&aside, file).inspect_err(|_| {
        // The reason is what counts; what is left aside has a name that says so.
        let _ = fs::remove_file(&aside);
    })?;
    Ok(placed)
}

/// Whether the file is the program itself, or a link to it.
fn same(program: &Path, file: &Path) -> bool {
    matches!((fs::canonicalize(program), fs::canonicalize(file)), (Ok(program), Ok(file)) if program == file)
}

fn aside(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    file.with_file_name(name)
}

#[cfg(unix)]
fn link(program: &Path, file: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(program, file)
}

#[cfg(not(unix))]
fn link(program: &Path, file: &Path) -> io::Result<()> {
    fs::copy(program, file).map(drop)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_and_copies_replace_each_other_and_nothing_is_left_aside() {
        let folder = tempfile::tempdir().unwrap();
        let (program, other) = (folder.path().join("program"), folder.path().join("other"));
        fs::write(&program, "one").unwrap();
        fs::write(&other, "two").unwrap();
        let plugins = folder.path().join("a/b");
        let file = plugins.join("plugin");
        assert_eq!(place(&program, &file, false).unwrap(), Placed::Linked);
        assert_eq!(place(&program, &file, false).unwrap(), Placed::AlreadyThere);
        assert_eq!(place(&other, &file, false).unwrap(), Placed::Linked);
        assert_eq!(fs::read_to_string(&file).unwrap(), "two");
        assert_eq!(place(&program, &file, true).unwrap(), Placed::Copied);
        assert!(!fs::symlink_metadata(&file).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "one");
        // The link is replaced, not what it leads to.
        assert_eq!(fs::read_to_string(&other).unwrap(), "two");
        assert_eq!(fs::read_dir(&plugins).unwrap().count(), 1);
    }

    #[test]
    fn a_dangling_link_is_replaced_and_a_folder_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (program, file) = (folder.path().join("program"), folder.path().join("plugin"));
        fs::write(&program, "one").unwrap();
        link(Path::new("nowhere"), &file).unwrap();
        assert_eq!(place(&program, &file, false).unwrap(), Placed::Linked);
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert_eq!(place(&program, &file, false).unwrap_err().to_string(), "a folder is there");
    }
}
