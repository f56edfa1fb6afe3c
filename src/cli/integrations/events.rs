//! Events to ask about: of the report of a run, or samples.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use denobridge_integrations::Hook;
use denobridge_integrations::protocol::{self, Action, Run, samples};
use serde::Deserialize;
use serde_json::Value as Json;
use thiserror::Error;

/// Something that integrations are asked about.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) hook: Hook,
    /// As JSON, to be sent as it is.
    pub(super) params: Arc<str>,
    pub(super) about: About,
    /// What it was called in the run, if that is known.
    label: Option<String>,
}

/// What is needed of an event to know who is asked, and to show it.
#[derive(Debug, Deserialize)]
pub(super) struct About {
    pub(super) run: Run,
    pub(super) resource: Option<protocol::Resource>,
    pub(super) action: Option<Action>,
}

/// Why there are no events.
#[derive(Debug, Error)]
pub(super) enum EventsError {
    #[error("{}: cannot read it: {reason}", .path.display())]
    Unreadable { path: PathBuf, reason: std::io::Error },
    #[error("{}:{line}: this is no line of a report: {reason}", .path.display())]
    Line { path: PathBuf, line: usize, reason: serde_json::Error },
    #[error("{}: there are no events in it; the report of a run has them, where the configuration has a folder for reports", .0.display())]
    Empty(PathBuf),
}

/// A line of a report. There are others beside events: what integrations have answered.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line {
    Event {
        hook: Hook,
        #[serde(default)]
        subject: Option<String>,
        params: Json,
    },
    #[serde(other)]
    Other,
}

impl Event {
    fn read(hook: Hook, label: Option<String>, params: &Json) -> Result<Self, serde_json::Error> {
        let about = About::deserialize(params)?;
        Ok(Self { hook, params: params.to_string().into(), about, label })
    }

    /// What it is about, for people.
    pub(super) fn subject(&self) -> String {
        match (&self.label, &self.about.resource) {
            (_, None) => String::new(),
            (Some(label), _) => label.clone(),
            (None, Some(resource)) => match (&resource.address, &resource.urn) {
                (Some(name), _) | (None, Some(name)) => name.to_string(),
                (None, None) => [Some(&*resource.type_name), resource.id.as_deref()]
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .join(" "),
            },
        }
    }
}

/// The events of a report, in its order.
pub(super) fn read(path: &Path) -> Result<Vec<Event>, EventsError> {
    let text =
        std::fs::read_to_string(path).map_err(|reason| EventsError::Unreadable { path: path.to_owned(), reason })?;
    let mut events = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let read = serde_json::from_str(text).and_then(|line| match line {
            Line::Event { hook, subject, params } => Event::read(hook, subject, &params).map(Some),
            Line::Other => Ok(None),
        });
        match read {
            Ok(event) => events.extend(event),
            Err(reason) => return Err(EventsError::Line { path: path.to_owned(), line, reason }),
        }
    }
    if events.is_empty() { Err(EventsError::Empty(path.to_owned())) } else { Ok(events) }
}

/// One event of every hook.
pub(super) fn sampled() -> Vec<Event> {
    samples().into_iter().filter_map(|(hook, event)| Event::read(hook, None, &event.params()).ok()).collect()
}
