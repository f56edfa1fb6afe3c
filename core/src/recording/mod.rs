//! What passes both doors, as it is recorded: one JSON object a line, without secrets, such that it can be played again.
//!
//! This is the form, and what must not be in it. Who records decides where lines go; the doors bring their messages into
//! JSON. `docs/recording.md` describes the form for people.

mod compare;
mod placeholders;
mod values;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use serde_json::{Map, Value as Json};

pub use compare::{Difference, differences};
pub use placeholders::Placeholders;
pub use values::{carry_marks, from_json, to_json};

use crate::CallError;

/// Version of the form. One that a reader does not know is refused.
pub const FORMAT: u64 = 1;

/// Fields of messages that say what a request is about. The tools show them in clear, and a recording in which they are
/// not could not be played.
pub const STRUCTURAL: [&str; 7] = ["type_name", "action_type", "target_type_name", "urn", "type", "tok", "schema"];

/// Which of the two protocols a call is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The tool asks us, in Pulumi's protocol.
    Door,
    /// We ask the provider, in Terraform's.
    Seam,
}

impl Side {
    /// The word for it in a recording.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Door => "door",
            Self::Seam => "seam",
        }
    }
}

/// A call that has begun.
#[derive(Clone, Copy, Debug)]
pub struct Begun {
    number: u64,
    at: Instant,
}

/// One call with its answer.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// Of which protocol.
    pub side: Side,
    /// The protocol's name of the procedure.
    pub procedure: String,
    /// The type of resource, function or other component that it is about.
    pub resource: Option<String>,
    /// The address or URN of the one resource that it is about.
    pub subject: Option<String>,
    /// What was asked.
    pub request: Json,
    /// What was answered, or the error that there was instead.
    pub answer: Result<Json, Json>,
}

/// Makes the lines of one process. Several processes may share a file: each line names its own.
pub struct Recorder {
    process: String,
    began: Instant,
    calls: AtomicU64,
    placeholders: Placeholders,
    write: Box<dyn Fn(&str) + Send + Sync>,
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").field("process", &self.process).finish_non_exhaustive()
    }
}

impl Recorder {
    /// A recorder for the process of that name, which must be its own in the file. `write` gets whole lines, each with its
    /// end, and must keep them whole.
    #[must_use]
    pub fn new(process: String, write: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self {
            process,
            began: Instant::now(),
            calls: AtomicU64::new(0),
            placeholders: Placeholders::default(),
            write: Box::new(write),
        }
    }

    /// What stands for the secrets.
    #[must_use]
    pub fn placeholders(&self) -> &Placeholders {
        &self.placeholders
    }

    /// Notes that a call begins. The numbers tell in which order calls began, and with the times which of them overlapped.
    pub fn begin(&self) -> Begun {
        Begun { number: self.calls.fetch_add(1, Ordering::Relaxed), at: Instant::now() }
    }

    /// Records a call that has ended. Whatever in it is a secret by its place must have been told to
    /// [`Self::placeholders`] before; other places where the same text stands are looked for here.
    pub fn end(&self, begun: Begun, exchange: Exchange) {
        let mut line = self.line(exchange.side.name());
        line.insert("call".to_owned(), begun.number.into());
        line.insert("procedure".to_owned(), exchange.procedure.into());
        for (name, text) in [("resource", exchange.resource), ("subject", exchange.subject)] {
            if let Some(text) = text {
                line.insert(name.to_owned(), text.into());
            }
        }
        let micros = |at: Instant| u64::try_from(at.saturating_duration_since(self.began).as_micros());
        line.insert("started_us".to_owned(), micros(begun.at).unwrap_or(u64::MAX).into());
        line.insert("ended_us".to_owned(), micros(Instant::now()).unwrap_or(u64::MAX).into());
        let (name, answer) = match exchange.answer {
            Ok(answer) => ("response", answer),
            Err(error) => ("error", error),
        };
        for (name, mut said) in [("request", exchange.request), (name, answer)] {
            self.placeholders.mask(&mut said, &STRUCTURAL);
            line.insert(name.to_owned(), said);
        }
        self.put(line);
    }

    /// Records what is no call, such as which package is served.
    pub fn note(&self, kind: &str, facts: Map<String, Json>) {
        let mut line = self.line(kind);
        let mut facts = Json::Object(facts);
        self.placeholders.mask(&mut facts, &STRUCTURAL);
        if let Json::Object(facts) = facts {
            line.extend(facts);
        }
        self.put(line);
    }

    /// Records a schema: it holds no values, and so no secrets.
    pub fn schema(&self, procedure: &str, response: Json) {
        let mut line = self.line("schema");
        line.insert("procedure".to_owned(), procedure.into());
        line.insert("response".to_owned(), response);
        self.put(line);
    }

    fn line(&self, kind: &str) -> Map<String, Json> {
        let head = [("format", Json::from(FORMAT)), ("kind", kind.into()), ("process", self.process.clone().into())];
        head.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn put(&self, line: Map<String, Json>) {
        let mut text = Json::Object(line).to_string();
        text.push('\n');
        (self.write)(&text);
    }
}

/// A call error as it is recorded.
#[must_use]
pub fn error_to_json(error: &CallError) -> Json {
    let (kind, facts): (_, &[(&str, &str)]) = match error {
        CallError::Unimplemented { procedure } => ("unimplemented", &[("procedure", procedure)]),
        CallError::Cancelled => ("cancelled", &[]),
        CallError::DeadlineExceeded { whom, limit } => ("deadline_exceeded", &[("whom", whom), ("limit", limit)]),
        CallError::Unavailable { message } => ("unavailable", &[("message", message)]),
        CallError::Internal { message } => ("internal", &[("message", message)]),
    };
    let facts = facts.iter().map(|(name, text)| ((*name).to_owned(), Json::from(*text)));
    Json::Object([("kind".to_owned(), Json::from(kind))].into_iter().chain(facts).collect())
}

/// The call error that was recorded.
#[must_use]
pub fn error_from_json(json: &Json) -> CallError {
    let text = |name: &str| json[name].as_str().unwrap_or_default().to_owned();
    match json["kind"].as_str().unwrap_or_default() {
        "unimplemented" => {
            let named = text("procedure");
            let known = crate::provider::PROCEDURES.iter().find(|procedure| **procedure == named);
            CallError::Unimplemented { procedure: known.copied().unwrap_or("the procedure") }
        }
        "cancelled" => CallError::Cancelled,
        "deadline_exceeded" => CallError::DeadlineExceeded { whom: text("whom"), limit: text("limit") },
        "unavailable" => CallError::Unavailable { message: text("message") },
        _ => CallError::Internal { message: text("message") },
    }
}

#[cfg(test)]
mod tests;
