//! What scripts have said, by the digest of their code.
//!
//! ```text
//! CACHE/descriptions/SHA256.json     complete, or not there: written aside and renamed
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use denobridge_core::Call;
use denobridge_core::call::LogLevel;

use super::Collected;
use super::fingerprint::Fingerprint;
use crate::files::write_aside;

/// How many packages, in all their versions, are remembered; the oldest are forgotten.
const KEPT: usize = 256;

/// Descriptions that are remembered.
pub(super) struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Below the user's cache. Nothing is created before something is kept.
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.join("descriptions") }
    }

    fn file(&self, fingerprint: &Fingerprint) -> PathBuf {
        self.folder.join(format!("{}.json", fingerprint.digest()))
    }

    /// What was said; nothing where it cannot be read.
    pub(super) fn get(&self, fingerprint: &Fingerprint) -> Option<Vec<Collected>> {
        serde_json::from_slice(&fs::read(self.file(fingerprint)).ok()?).ok()
    }

    /// Remembers what was said. That it cannot costs asking again the next time.
    pub(super) fn put(&self, call: &Call, fingerprint: &Fingerprint, collected: &[Collected]) {
        if let Err(error) = self.write(fingerprint, collected) {
            let message = format!("what scripts say of themselves is not kept in {}: {error}", self.folder.display());
            call.log(LogLevel::Debug, "collect", &message);
        }
        self.tidy();
    }

    fn write(&self, fingerprint: &Fingerprint, collected: &[Collected]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        write_aside(&self.file(fingerprint), &serde_json::to_vec(collected)?)
    }

    fn tidy(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut files: Vec<(SystemTime, PathBuf)> =
            entries.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
        files.sort_by(|one, other| other.cmp(one));
        for (_, path) in files.into_iter().skip(KEPT) {
            // Another process may have been quicker.
            let _ = fs::remove_file(path);
        }
    }
}
