//! Which files of a folder are its scripts.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use super::FolderError;
use crate::cli::LIBRARY_FOLDER;

/// How files end that may be scripts.
const ENDINGS: [&str; 4] = [".ts", ".mts", ".js", ".mjs"];

/// More files than this are no package: somebody has named the wrong folder.
const MOST_FILES: usize = 5_000;

/// A file that may be a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    /// Its path in the folder, with `/`.
    pub file: String,
    /// Whether the package names it, so that it must be a script that describes itself.
    pub is_named: bool,
}

/// The files that may be scripts, in order: those that `named` says, or all that are not excluded by their names.
pub(super) fn candidates(folder: &Path, named: Option<&[String]>) -> Result<Vec<Candidate>, FolderError> {
    let found = Walk { folder, files: Vec::new() }.run()?;
    let Some(named) = named else {
        return Ok(found.into_iter().map(|file| Candidate { file, is_named: false }).collect());
    };
    let mut files: BTreeMap<String, bool> = BTreeMap::new();
    for name in named {
        let nothing = || FolderError::NoSuchScript { folder: folder.to_owned(), named: name.clone() };
        let plain = name.strip_prefix("./").unwrap_or(name);
        if is_pattern(plain) {
            let matcher = pattern(plain)?;
            let mut matching = found.iter().filter(|file| matcher.is_match(file)).peekable();
            matching.peek().ok_or_else(nothing)?;
            for file in matching {
                files.entry(file.clone()).or_insert(false);
            }
        } else if is_inside(plain) && folder.join(plain).is_file() {
            files.insert(plain.to_owned(), true);
        } else {
            return Err(nothing());
        }
    }
    Ok(files.into_iter().map(|(file, is_named)| Candidate { file, is_named }).collect())
}

/// Whether something is a pattern and no file's name.
pub(crate) fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?', '[', '{'])
}

/// Whether a path stays in the folder that it starts from.
fn is_inside(path: &str) -> bool {
    Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

fn pattern(name: &str) -> Result<GlobMatcher, FolderError> {
    // A `*` does not go beyond a folder; `**` does.
    let glob = GlobBuilder::new(name).literal_separator(true).backslash_escape(false).build();
    let glob =
        glob.map_err(|error| FolderError::Pattern { pattern: name.to_owned(), problem: error.kind().to_string() })?;
    Ok(glob.compile_matcher())
}

/// Whether a file or a folder is left out by its name alone.
fn is_hidden(name: &str) -> bool {
    name.starts_with(['_', '.']) || name == "node_modules" || name == LIBRARY_FOLDER
}

fn is_test(name: &str) -> bool {
    let stem = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    stem.ends_with("_test") || stem.ends_with(".test")
}

fn may_be_script(name: &str) -> bool {
    ENDINGS.iter().any(|ending| name.ends_with(ending)) && !name.ends_with(".d.ts") && !name.ends_with(".d.mts")
}

/// A walk through a folder.
struct Walk<'a> {
    folder: &'a Path,
    files: Vec<String>,
}

impl Walk<'_> {
    fn run(mut self) -> Result<Vec<String>, FolderError> {
        let mut open = vec![(self.folder.to_owned(), String::new())];
        while let Some((folder, prefix)) = open.pop() {
            self.read(&folder, &prefix, &mut open)?;
        }
        self.files.sort();
        Ok(self.files)
    }

    fn read(&mut self, folder: &Path, prefix: &str, open: &mut Vec<(PathBuf, String)>) -> Result<(), FolderError> {
        let unreadable =
            |error: std::io::Error| FolderError::Unreadable { path: folder.to_owned(), reason: error.to_string() };
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            // Of linked folders there may be no end.
            if entry.file_type().map_err(unreadable)?.is_dir() {
                if !is_hidden(&name) {
                    open.push((entry.path(), format!("{prefix}{name}/")));
                }
            } else if may_be_script(&name) && !is_hidden(&name) && !is_test(&name) {
                self.files.push(format!("{prefix}{name}"));
                if self.files.len() > MOST_FILES {
                    return Err(FolderError::TooMany { folder: self.folder.to_owned(), most: MOST_FILES });
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        folder
    }

    fn found(folder: &Path, named: &[&str]) -> Result<Vec<String>, String> {
        let named: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
        let named = Some(named).filter(|named| !named.is_empty());
        candidates(folder, named.as_deref())
            .map(|found| found.into_iter().map(|found| found.file).collect())
            .map_err(|error| error.to_string().replace(folder.to_str().unwrap(), "DIR"))
    }

    #[test]
    fn some_files_are_none_by_their_names() {
        let folder = folder(&[
            "bucket.ts",
            "deeper/zone.mjs",
            "deeper/_shared/zone.ts",
            "_api.ts",
            ".hidden.ts",
            "node_modules/x/index.js",
            "denobridge-sdk/mod.ts",
            "bucket_test.ts",
            "bucket.test.ts",
            "types.d.ts",
            "README.md",
        ]);
        assert_eq!(found(folder.path(), &[]).unwrap(), ["bucket.ts", "deeper/zone.mjs"]);
    }

    #[test]
    fn patterns_choose_and_names_name_any_file() {
        let folder = folder(&["a.ts", "b.ts", "deeper/c.ts", "_d.ts", "deeper/e_test.ts"]);
        let found = |named: &[&str]| found(folder.path(), named);
        assert_eq!(found(&["*.ts"]).unwrap(), ["a.ts", "b.ts"]);
        assert_eq!(found(&["**/*.ts"]).unwrap(), ["a.ts", "b.ts", "deeper/c.ts"]);
        assert_eq!(found(&["./a.ts", "[ab].ts", "_d.ts"]).unwrap(), ["_d.ts", "a.ts", "b.ts"]);
        let wrong = [found(&["a.ts", "x.ts"]), found(&["../a.ts"]), found(&["x/*.ts"]), found(&["[a.ts"])];
        insta::assert_snapshot!(wrong.map(Result::unwrap_err).join("\n"));
    }
}
