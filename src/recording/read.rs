//! Reads recordings.

use std::collections::BTreeMap;

use denobridge_core::recording::FORMAT;
use denobridge_terraform::recording::go_log::{self, Log};
use denobridge_terraform::recording::{Answer, RecordedCall};
use serde_json::Value as Json;
use thiserror::Error;

use crate::bridged::{PluginIdentity, RecordedPackage};
use crate::typed::RecordedScripts;

/// Why a file is no recording.
#[derive(Debug, Error)]
pub enum ReadError {
    /// A line is not understood.
    #[error("line {line} is not understood: {reason}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// It was made by a later version.
    #[error("line {line} is in form {found} of recordings, and this version of denobridge knows form {FORMAT} only")]
    Form {
        /// Counted from 1.
        line: usize,
        /// Its form.
        found: Json,
    },
    /// It looks like a log of the Go bridge, but is none.
    #[error("{0}")]
    GoLog(String),
    /// There is nothing in it.
    #[error("it is empty")]
    Empty,
}

/// What a file holds.
pub enum Contents {
    /// What we have recorded, by process in the order in which they began.
    Ours(Vec<Process>),
    /// What the Go bridge has logged.
    GoLog(Log),
}

/// What one process has recorded.
#[derive(Debug, Default)]
pub struct Process {
    name: String,
    /// For which tool it worked.
    pub tool: String,
    /// Which plugin it was, where it was one.
    pub plugin: Option<PluginIdentity>,
    /// What the bridge was told to be, if it was.
    pub package: Option<RecordedPackage>,
    /// The package of scripts that it was, if it was one.
    pub scripts: Option<RecordedScripts>,
    /// The provider's schema: the answers to GetProviderSchema and GetResourceIdentitySchemas.
    pub schemas: BTreeMap<String, Json>,
    /// What the provider was asked.
    pub seam: Vec<RecordedCall>,
    /// What the engine asked.
    pub door: Vec<DoorCall>,
}

/// A call of the engine.
#[derive(Clone, Debug)]
pub struct DoorCall {
    /// When it began among the calls of the process.
    pub number: u64,
    /// The protocol's name of the procedure.
    pub procedure: String,
    /// What it was about.
    pub about: String,
    /// What was asked.
    pub request: Json,
    /// What was answered, or the error that there was instead.
    pub answer: Result<Json, Json>,
}

/// Reads a recording, or a log of the Go bridge. What a process that was killed has begun to write at the end is left out.
///
/// # Errors
/// It is neither.
pub fn read(text: &str) -> Result<Contents, ReadError> {
    let first = text.lines().find(|line| !line.trim().is_empty()).ok_or(ReadError::Empty)?;
    let is_ours = serde_json::from_str::<Json>(first).is_ok_and(|line| line.get("format").is_some());
    if !is_ours && (first.starts_with('[') || text.contains("\"request\"")) {
        return go_log::read(text).map(Contents::GoLog).map_err(ReadError::GoLog);
    }
    let mut reader = Reader::default();
    for (index, line) in text.split_inclusive('\n').enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(json) => reader.line(index + 1, &json)?,
            Err(_) if !line.ends_with('\n') && !reader.processes.is_empty() => {}
            Err(error) => return Err(ReadError::Line { line: index + 1, reason: error.to_string() }),
        }
    }
    Ok(Contents::Ours(reader.finish()))
}

/// What was read so far. Lines are in the order in which calls ended; what they are put in is that in which they began.
#[derive(Default)]
struct Reader {
    processes: Vec<Process>,
    seam: BTreeMap<(usize, u64), RecordedCall>,
}

impl Reader {
    fn line(&mut self, line: usize, json: &Json) -> Result<(), ReadError> {
        if json["format"] != FORMAT {
            return Err(match json.get("format") {
                Some(found) => ReadError::Form { line, found: found.clone() },
                None => ReadError::Line { line, reason: "it is no line of a recording".to_owned() },
            });
        }
        let wrong = |reason: &str| ReadError::Line { line, reason: reason.to_owned() };
        let at = self.process(json["process"].as_str().ok_or_else(|| wrong("it names no process"))?);
        let process = &mut self.processes[at];
        let number = || json["call"].as_u64().ok_or_else(|| wrong("it has no number"));
        match json["kind"].as_str() {
            Some("process") => {
                process.tool = text_of(json, "tool");
                let plugin = json.get("plugin").filter(|plugin| plugin.is_object());
                process.plugin = plugin.map(|plugin| PluginIdentity {
                    name: text_of(plugin, "name"),
                    version: text_of(plugin, "version"),
                });
            }
            Some("package") => {
                let package = serde_json::from_value(json["package"].clone());
                process.package = Some(package.map_err(|error| wrong(&error.to_string()))?);
            }
            Some("scripts") => {
                let scripts = serde_json::from_value(json["scripts"].clone());
                process.scripts = Some(scripts.map_err(|error| wrong(&error.to_string()))?);
            }
            Some("schema") => {
                process.schemas.insert(text_of(json, "procedure"), json["response"].clone());
            }
            Some("door") => process.door.push(door_call(number()?, json)),
            Some("seam") => {
                self.seam.insert((at, number()?), seam_call(json));
            }
            // What a later version adds to this form may be read over.
            _ => {}
        }
        Ok(())
    }

    fn process(&mut self, name: &str) -> usize {
        let known = self.processes.iter().position(|process| process.name == name);
        known.unwrap_or_else(|| {
            self.processes.push(Process { name: name.to_owned(), ..Process::default() });
            self.processes.len() - 1
        })
    }

    fn finish(mut self) -> Vec<Process> {
        for ((at, _), call) in self.seam {
            self.processes[at].seam.push(call);
        }
        self.processes.iter_mut().for_each(|process| process.door.sort_by_key(|call| call.number));
        self.processes
    }
}

fn text_of(json: &Json, name: &str) -> String {
    json[name].as_str().unwrap_or_default().to_owned()
}

fn door_call(number: u64, json: &Json) -> DoorCall {
    let about = ["subject", "resource"].iter().find_map(|name| json[*name].as_str());
    DoorCall {
        number,
        procedure: text_of(json, "procedure"),
        about: about.unwrap_or_default().to_owned(),
        request: json["request"].clone(),
        answer: match json.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(json["response"].clone()),
        },
    }
}

fn seam_call(json: &Json) -> RecordedCall {
    RecordedCall {
        procedure: text_of(json, "procedure"),
        resource: json["resource"].as_str().map(str::to_owned),
        request: json["request"].clone(),
        encoded: None,
        answer: match json.get("error") {
            Some(error) => Answer::Error(error.clone()),
            None => Answer::Readable(json["response"].clone()),
        },
    }
}
