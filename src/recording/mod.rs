//! Recordings in files: writing one for this process, reading one, playing one.

mod play;
mod read;

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use denobridge_core::Provider;
use denobridge_core::provider::Layered;
use denobridge_core::recording::Recorder;
use denobridge_terraform::recording::Recording as RecordingLayer;
use rand::Rng as _;
use serde_json::json;
use thiserror::Error;

use crate::bridged::PluginIdentity;
use crate::packages::VERSION;

pub use play::{CallOutcome, Outcome, play, play_log};
pub use read::{Contents, DoorCall, Process, ReadError, read};

/// Names the file that everything is recorded in that passes both doors.
pub const RECORD: &str = "DENOBRIDGE_RECORD";

/// Says how large that file may become, in bytes.
pub const MAX_BYTES: &str = "DENOBRIDGE_RECORD_MAX_BYTES";

/// How large it may become if nobody says.
pub const DEFAULT_MAX_BYTES: u64 = 1 << 30;

/// What is asked for cannot be recorded.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file cannot be written.
    #[error("{RECORD} names {}, which cannot be written: {reason}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        reason: io::Error,
    },
    /// The limit is none.
    #[error("{MAX_BYTES} is {0:?}, and must be a whole number above 0")]
    Limit(String),
}

/// What records in this process for `tool`, if the environment says that it should; as which plugin, where that matters.
///
/// # Errors
/// The file cannot be written, or its limit is no number.
pub fn from_environment(tool: &str, plugin: Option<&PluginIdentity>) -> Result<Option<Arc<Recorder>>, RecordError> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let Some(path) = variable(RECORD) else { return Ok(None) };
    let max_bytes = match variable(MAX_BYTES) {
        None => DEFAULT_MAX_BYTES,
        Some(limit) => {
            let limit = limit.to_string_lossy().into_owned();
            limit.parse().ok().filter(|bytes| *bytes > 0).ok_or(RecordError::Limit(limit))?
        }
    };
    recorder(Path::new(&path), max_bytes, tool, plugin).map(Some)
}

/// What records in that file, as long as it has at most so many bytes; see [`from_environment`].
///
/// # Errors
/// The file cannot be written.
pub fn recorder(
    path: &Path,
    max_bytes: u64,
    tool: &str,
    plugin: Option<&PluginIdentity>,
) -> Result<Arc<Recorder>, RecordError> {
    let file = open(path).map_err(|reason| RecordError::File { path: path.to_owned(), reason })?;
    let (path, has_failed) = (path.to_owned(), AtomicBool::new(false));
    let process = format!("{:016x}", rand::rng().random::<u64>());
    let recorder = Recorder::new(process, move |line| {
        // What is being recorded matters more than the recording.
        if let Err(error) = append(&file, line, max_bytes)
            && !has_failed.swap(true, Ordering::Relaxed)
        {
            eprintln!("denobridge: the recording {} is not complete: {error}", path.display());
        }
    });
    let at = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let plugin = plugin.map(|PluginIdentity { name, version }| json!({"name": name, "version": version}));
    let facts =
        [("denobridge", VERSION.into()), ("tool", tool.into()), ("at_unix", at.into()), ("plugin", json!(plugin))];
    recorder.note("process", facts.into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect());
    Ok(Arc::new(recorder))
}

/// Opens the file, which only its owner may read: secrets are replaced, but the rest may be nobody else's business either.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Appends a line as a whole, whatever other processes do, or nothing of it.
fn append(file: &File, line: &str, max_bytes: u64) -> io::Result<()> {
    file.lock()?;
    let written = file.metadata().and_then(|metadata| {
        if metadata.len().saturating_add(line.len() as u64) > max_bytes {
            return Err(io::Error::other(format!(
                "it would be larger than {max_bytes} bytes, which is what {MAX_BYTES} allows"
            )));
        }
        (&*file).write_all(line.as_bytes())
    });
    file.unlock()?;
    written
}

/// The provider, recorded if anything is.
#[must_use]
pub fn recorded(provider: Arc<dyn Provider>, recorder: Option<&Arc<Recorder>>) -> Arc<dyn Provider> {
    match recorder {
        Some(recorder) => Arc::new(Layered(RecordingLayer::new(provider, Arc::clone(recorder)))),
        None => provider,
    }
}
