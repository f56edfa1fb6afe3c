//! Documentation on disk.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::page::MARK;
use super::{Error, Page, PageKind};

/// Writes the pages below `root`, and removes pages that were generated once and no longer are. Other files stay.
///
/// # Errors
/// A file cannot be written or removed.
pub fn write(root: &Path, pages: &[Page]) -> Result<(), Error> {
    for page in pages {
        let path = root.join(&page.path);
        if read(&path)?.as_deref() != Some(page.text.as_str()) {
            replace(&path, &page.text).map_err(|error| Error::file(&path, &error))?;
        }
    }
    for page in left_over(root, pages)? {
        let path = root.join(page);
        fs::remove_file(&path).map_err(|error| Error::file(&path, &error))?;
    }
    Ok(())
}

/// Compares the pages with what is below `root`.
///
/// # Errors
/// They differ, or a file cannot be read.
pub fn check(root: &Path, pages: &[Page]) -> Result<(), Error> {
    let mut differences = Vec::new();
    for page in pages {
        match read(&root.join(&page.path))? {
            None => differences.push(format!("{}: missing", page.path)),
            Some(text) if text == page.text => {}
            Some(text) => differences.push(format!("{}: differs from line {}", page.path, line(&text, &page.text))),
        }
    }
    differences.extend(left_over(root, pages)?.into_iter().map(|page| format!("{page}: documents nothing")));
    if differences.is_empty() { Ok(()) } else { Err(Error::NotCurrent { differences }) }
}

/// The first line that differs, counted from one.
fn line(one: &str, other: &str) -> usize {
    one.lines().zip(other.lines()).take_while(|(one, other)| one == other).count() + 1
}

/// Generated pages on disk that are none of `pages`.
fn left_over(root: &Path, pages: &[Page]) -> Result<BTreeSet<String>, Error> {
    let mut found = BTreeSet::new();
    for kind in PageKind::ALL {
        let folder = format!("docs/{}", kind.folder());
        let entries = match fs::read_dir(root.join(&folder)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            entries => entries.map_err(|error| Error::file(&root.join(&folder), &error))?,
        };
        for entry in entries {
            let name = entry.map_err(|error| Error::file(&root.join(&folder), &error))?.file_name();
            let path = format!("{folder}/{}", name.to_string_lossy());
            let is_page = path.ends_with(".md") && !pages.iter().any(|page| page.path == path);
            if is_page && read(&root.join(&path))?.is_some_and(|text| text.lines().nth(1) == Some(MARK)) {
                found.insert(path);
            }
        }
    }
    Ok(found)
}

/// The text of a file, with the line ends of pages. `None`: there is no such file.
fn read(path: &Path) -> Result<Option<String>, Error> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text.replace("\r\n", "\n"))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file(path, &error)),
    }
}

/// Written aside and renamed, so that a site that watches the folder never shows half a page.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let aside = PathBuf::from(format!("{}.new", path.display()));
    fs::write(&aside, text)?;
    fs::rename(&aside, path)
}
