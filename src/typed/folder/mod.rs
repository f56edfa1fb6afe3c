//! Reading a folder of scripts: which files are its scripts, what they say of themselves, and what `denobridge.json` says of
//! them together. `docs/packages.md` has the rules.

mod assembly;
mod error;
mod files;
mod manifest;

use std::path::{Path, PathBuf};

use denobridge_core::Call;

pub(crate) use assembly::Assembly;
pub use error::FolderError;
pub use manifest::{MANIFEST, Manifest, check_name, check_permission, name_of};

use self::files::Candidate;
pub(crate) use self::files::is_pattern;
use super::ScriptPackage;
use super::collect::Collector;

/// What whoever wants the package says about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// What to call it, if not as it calls itself.
    pub name: Option<String>,
    /// What its scripts ask for beside what the package says.
    pub allow: Vec<String>,
    /// An SDK was made of it already, so that nobody needs to be told what is not part of it.
    pub is_known: bool,
}

/// A package that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// What a provider is made of.
    pub package: ScriptPackage,
    /// What the package says of itself.
    pub manifest: Manifest,
}

/// A script or a folder of them, before the scripts are asked.
struct Folder {
    root: PathBuf,
    manifest: Manifest,
    /// What names it where it has no name of its own.
    stem: String,
    candidates: Vec<Candidate>,
}

/// Reads the package at `place`: a folder, its manifest, or one script, which is a package of one.
///
/// # Errors
/// There is none; says what to do about it.
pub async fn open(call: &Call, place: &Path, wishes: &Wishes, collector: &Collector) -> Result<Opened, FolderError> {
    let Folder { root, manifest, stem, candidates } = Folder::at(place)?;
    let files: Vec<String> = candidates.iter().map(|candidate| candidate.file.clone()).collect();
    let collected = collector.collect(call, &root, None, &files).await;
    let collected = collected.map_err(|error| FolderError::Unasked { reason: error.to_string() })?;
    let assembly = Assembly {
        place: &root.display().to_string(),
        manifest,
        stem: &stem,
        locations: files.into_iter().map(|file| (file.clone(), root.join(&file).display().to_string())).collect(),
        // Deno finds it from where the script is.
        config_file: None,
        named: candidates.into_iter().filter(|candidate| candidate.is_named).map(|candidate| candidate.file).collect(),
    };
    assembly.package(call, collected, wishes)
}

/// The folder of a package at `place`, in which its files are.
#[must_use]
pub fn root(place: &Path) -> PathBuf {
    let folder = if place.is_dir() { Some(place) } else { place.parent() };
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}

impl Folder {
    fn at(place: &Path) -> Result<Self, FolderError> {
        let place = match place.file_name() {
            Some(name) if name == MANIFEST => root(place),
            _ => place.to_owned(),
        };
        let unreadable =
            |error: std::io::Error| FolderError::Unreadable { path: place.clone(), reason: error.to_string() };
        let place = std::path::absolute(&place).map_err(unreadable)?;
        let stem = |stem: Option<&std::ffi::OsStr>| stem.unwrap_or_default().to_string_lossy().into_owned();
        if place.is_dir() {
            let manifest = Manifest::of_folder(&place)?;
            let candidates = files::candidates(&place, manifest.scripts.as_deref())?;
            // Of a path that ends with `..`, only the resolved one has a name.
            let resolved = place.canonicalize().unwrap_or_else(|_| place.clone());
            return Ok(Self { stem: stem(resolved.file_name()), root: place, manifest, candidates });
        }
        let file = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self {
            stem: stem(place.file_stem()),
            root: root(&place),
            manifest: Manifest::default(),
            candidates: vec![Candidate { file, is_named: true }],
        })
    }
}
