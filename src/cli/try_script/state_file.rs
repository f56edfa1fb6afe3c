//! The state between two runs.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use denobridge_framework::host::StoredState;

/// A file with the state of one resource.
#[derive(Debug)]
pub(super) struct StateFile {
    path: PathBuf,
}

impl StateFile {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The state; none if there is no file.
    pub(super) fn read(&self) -> Result<Option<StoredState>, String> {
        let text = match fs::read(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("cannot read the state file {}: {error}", self.shown())),
        };
        let stored = serde_json::from_slice(&text)
            .map_err(|error| format!("{} is not a state file of `denobridge try`: {error}", self.shown()))?;
        Ok(Some(stored))
    }

    /// Finds out whether the file can be written, so that nothing is made that nobody would remember.
    pub(super) fn check_writable(&self) -> Result<(), String> {
        let aside = self.aside();
        write_private(&aside, b"")
            .and_then(|()| fs::remove_file(&aside))
            .map_err(|error| format!("cannot write the state file {}: {error}. Nothing was done", self.shown()))
    }

    /// Where the new file is written before it takes the old one's place.
    fn aside(&self) -> PathBuf {
        let mut aside = self.path.clone().into_os_string();
        aside.push(format!(".{}.new", std::process::id()));
        PathBuf::from(aside)
    }

    /// Puts a state in place of the old one, or nothing in place of it. The old file stays whole until the new one is.
    pub(super) fn write(&self, state: Option<&StoredState>) -> Result<(), String> {
        let failed = |error: io::Error| format!("cannot write the state file {}: {error}", self.shown());
        let Some(state) = state else {
            return match fs::remove_file(&self.path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
                _ => Ok(()),
            };
        };
        let mut text = serde_json::to_vec_pretty(state).map_err(|error| failed(error.into()))?;
        text.push(b'\n');
        let aside = self.aside();
        let written = write_private(&aside, &text).and_then(|()| fs::rename(&aside, &self.path));
        if written.is_err() {
            let _ = fs::remove_file(&aside);
        }
        written.map_err(failed)
    }

    pub(super) fn shown(&self) -> std::path::Display<'_> {
        self.path.display()
    }
}

/// Writes a file that only its owner can read: the sensitive state of a script is in it.
fn write_private(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file: File = options.open(path)?;
    file.write_all(text)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> StoredState {
        StoredState {
            type_name: "denobridge_resource".to_owned(),
            schema_version: 0,
            attributes: serde_json::json!({ "id": "1" }),
            private: String::new(),
            identity: None,
            identity_schema_version: 0,
            tainted: true,
        }
    }

    #[test]
    fn a_state_comes_back_as_it_was_and_leaves_no_other_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = StateFile::new(folder.path().join("state.json"));
        assert_eq!(file.read().unwrap(), None);
        file.write(Some(&state())).unwrap();
        assert_eq!(file.read().unwrap(), Some(state()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        file.write(None).unwrap();
        assert_eq!(file.read().unwrap(), None);
        file.write(None).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        StateFile::new(path.clone()).write(Some(&state())).unwrap();
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_file_that_cannot_be_written_is_known_before() {
        let folder = tempfile::tempdir().unwrap();
        let error = StateFile::new(folder.path().join("absent/state.json")).check_writable().unwrap_err();
        assert!(error.ends_with("Nothing was done") && error.contains("absent/state.json"), "{error}");
        StateFile::new(folder.path().join("state.json")).check_writable().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "the check leaves nothing");
    }

    #[test]
    fn other_files_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("terraform.tfstate");
        fs::write(&path, "{\"version\": 4}").unwrap();
        let error = StateFile::new(path).read().unwrap_err();
        assert!(error.contains("terraform.tfstate is not a state file of `denobridge try`"), "{error}");
    }
}
