//! What is left of a run for people and programs: one JSON object per line for each event and each answer.
//!
//! All provider processes of a run append to one file, `RUN.jsonl` in the folder that the configuration names. A line is
//! written by one call, so lines of several processes do not mix. What is in it is what an integration with redacted values is
//! told. `RUN.html` is the same for people, in one file that needs no network.

mod page;
mod story;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use denobridge_core::call::{LogLevel, LogSink};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::Hook;
use crate::protocol::{Run, Status};
use crate::run::RunFolder;

/// What one integration has answered, and what became of it.
#[derive(Debug)]
pub(crate) struct Answer<'a> {
    pub(crate) run: &'a Run,
    pub(crate) hook: Hook,
    /// What it was asked about.
    pub(crate) subject: &'a str,
    pub(crate) integration: &'a str,
    /// None if it gave no answer.
    pub(crate) status: Option<Status>,
    pub(crate) effect: &'static str,
    pub(crate) messages: &'a [String],
    pub(crate) metadata: Option<&'a Map<String, Json>>,
    pub(crate) duration: Duration,
}

/// The report of a run, as far as this process writes it.
pub(crate) struct Report {
    path: PathBuf,
    file: Mutex<Option<File>>,
    complaint: Mutex<Complaint>,
    log: Arc<dyn LogSink>,
}

/// That it cannot be written: once is enough.
#[derive(Debug, Default)]
enum Complaint {
    /// It can, as far as is known.
    #[default]
    None,
    /// Nobody has been told.
    Due(String),
    Told,
}

impl Report {
    /// The report of `run` in `folder`. Nothing is made before there is something to write.
    pub(crate) fn new(folder: &Path, run: &RunFolder, log: Arc<dyn LogSink>) -> Self {
        let path = folder.join(format!("{}.jsonl", run.id()));
        Self { path, file: Mutex::default(), complaint: Mutex::default(), log }
    }

    /// Something has happened, or is about to.
    pub(crate) fn event(&self, hook: Hook, subject: &str, params: &impl Serialize) {
        #[derive(Serialize)]
        struct Line<'a, P> {
            kind: &'static str,
            time: f64,
            hook: Hook,
            subject: &'a str,
            params: &'a P,
        }
        self.write(&Line { kind: "event", time: now(), hook, subject, params });
    }

    /// An integration has said what it makes of it.
    pub(crate) fn answer(&self, answer: &Answer<'_>) {
        #[derive(Serialize)]
        struct Line<'a> {
            kind: &'static str,
            time: f64,
            hook: Hook,
            run: &'a str,
            seq: u64,
            subject: &'a str,
            integration: &'a str,
            status: Option<Status>,
            effect: &'static str,
            messages: &'a [String],
            #[serde(skip_serializing_if = "Option::is_none")]
            metadata: Option<&'a Map<String, Json>>,
            duration_ms: f64,
        }
        let line = Line {
            kind: "answer",
            time: now(),
            hook: answer.hook,
            run: &answer.run.id,
            seq: answer.run.seq,
            subject: answer.subject,
            integration: answer.integration,
            status: answer.status,
            effect: answer.effect,
            messages: answer.messages,
            metadata: answer.metadata,
            duration_ms: (answer.duration.as_secs_f64() * 1e6).round() / 1e3,
        };
        self.write(&line);
    }

    /// Nothing further comes from this process: makes the page of what there is by now. The process that ends last makes the one
    /// that stays.
    pub(crate) fn close(&self) {
        let is_begun = self.file.lock().unwrap_or_else(PoisonError::into_inner).take().is_some();
        if is_begun && let Err(error) = self.write_page() {
            self.complain(&self.path.with_extension("html"), &error);
        }
        // The user cannot be told any more.
        if let Some(complaint) = self.take_complaint() {
            self.log.log(LogLevel::Warn, "integrations", &complaint, &[]);
        }
    }

    /// Why it cannot be written, to be told to the user.
    pub(crate) fn take_complaint(&self) -> Option<String> {
        let mut complaint = self.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *complaint {
            Complaint::Due(text) => {
                let text = std::mem::take(text);
                *complaint = Complaint::Told;
                Some(text)
            }
            Complaint::None | Complaint::Told => None,
        }
    }

    fn write_page(&self) -> io::Result<()> {
        let page = page::of(BufReader::new(File::open(&self.path)?))?;
        // Written aside: a browser may be looking at it.
        let aside = self.path.with_extension(format!("html.{}", std::process::id()));
        let mut file = open(&aside)?;
        file.write_all(page.as_bytes())?;
        fs::rename(&aside, self.path.with_extension("html"))
    }

    fn complain(&self, path: &Path, error: &io::Error) {
        let mut complaint = self.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*complaint, Complaint::None) {
            *complaint = Complaint::Due(format!("the report {} cannot be written: {error}", path.display()));
        }
    }

    fn write(&self, line: &impl Serialize) {
        let written = serde_json::to_vec(line).map_err(Into::into).and_then(|mut line| {
            line.push(b'\n');
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            if file.is_none() {
                *file = Some(open(&self.path)?);
            }
            file.as_mut().map_or(Ok(()), |file| file.write_all(&line))
        });
        if let Err(error) = written {
            self.complain(&self.path, &error);
        }
    }
}

/// States are in it, so it is for its owner only.
fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| (time.as_secs_f64() * 1e3).round() / 1e3)
}
