//! Events to ask about: of the report of a run, or samples.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use denobridge_integrations::Hook;
use denobridge_integrations::configuration::Integration;
use denobridge_integrations::protocol::{self, Action, Run, samples};
use serde::Deserialize;
use serde_json::Value as Json;
use thiserror::Error;

/// What integrations are asked about.
#[derive(Debug)]
pub(super) struct Events {
    pub(super) all: Vec<Event>,
    /// Whether they are those of a run.
    are_recorded: bool,
}

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
    #[error(
        "{}:{line}: this is no line of a report: {what}. A report is the file RUN.jsonl that a run leaves where the \
         configuration has a folder for reports", .path.display()
    )]
    Line { path: PathBuf, line: usize, what: String },
    #[error("{}: there are no events in it; the report of a run has them, where the configuration has a folder for reports", .0.display())]
    Empty(PathBuf),
}

impl Events {
    /// The events of a report, in its order.
    pub(super) fn read(path: &Path) -> Result<Self, EventsError> {
        let bytes = std::fs::read(path).map_err(|reason| EventsError::Unreadable { path: path.to_owned(), reason })?;
        let mut all = Vec::new();
        for (line, text) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
            if text.trim_ascii().is_empty() {
                continue;
            }
            match read_line(text) {
                Ok(event) => all.extend(event),
                Err(what) => return Err(EventsError::Line { path: path.to_owned(), line, what }),
            }
        }
        if all.is_empty() { Err(EventsError::Empty(path.to_owned())) } else { Ok(Self { all, are_recorded: true }) }
    }

    /// One event of every hook.
    pub(super) fn sampled() -> Self {
        let event = |(hook, event): (Hook, protocol::Event)| Event::of(hook, None, &event.params()).ok();
        Self { all: samples().into_iter().filter_map(event).collect(), are_recorded: false }
    }

    /// Why an integration was asked about none of them, of which so many are about a provider that it is for.
    pub(super) fn why_none(&self, integration: &Integration, fit: usize) -> String {
        let what = if self.are_recorded { "event" } else { "sample" };
        if fit > 0 {
            return format!("no {what} is of a hook, a type and an action that it asks for");
        }
        // Stages of a whole run are of no provider, and for everybody.
        let about = self.all.iter().filter_map(|event| event.about.run.provider.as_ref());
        let mut providers: Vec<&str> = about.map(|provider| &*provider.address).collect();
        providers.sort_unstable();
        providers.dedup();
        format!(
            "no {what} fits, since it is for {}, and all are about {}",
            integration.providers.join(", "),
            providers.join(", ")
        )
    }
}

/// Reads a line of a report; there are others beside events: what integrations have answered. The error says what was
/// expected and is not there.
fn read_line(text: &[u8]) -> Result<Option<Event>, String> {
    let line: Json = serde_json::from_slice(text)
        .map_err(|error| format!("it is not JSON from its column {} on", error.column().max(1)))?;
    match line.get("kind").and_then(Json::as_str) {
        Some("event") => {}
        // Others have a time, too, whatever a later version may call them.
        Some(_) if line.get("time").is_some() => return Ok(None),
        _ => return Err("it must be an object with `time` and `kind`, such as \"event\" or \"answer\"".to_owned()),
    }
    let name = line.get("hook").and_then(Json::as_str);
    let name = name.ok_or("the event has no `hook`, which is a text such as \"pre_plan_resource\"")?;
    let hook = Hook::parse(name).ok_or_else(|| format!("there is no hook {name:?} (docs/integrations/protocol.md)"))?;
    let label = line.get("subject").and_then(Json::as_str).map(str::to_owned);
    let params = line.get("params").unwrap_or(&Json::Null);
    Event::of(hook, label, params).map(Some).map_err(|()| {
        format!(
            "`params` of the event are not what is sent at {name}: {} (docs/integrations/protocol.schema.json)",
            if params.get("run").is_none() {
                "there is no `run` in them"
            } else {
                "a member is missing, or another type"
            }
        )
    })
}

impl Event {
    /// None of what has not what every event has.
    fn of(hook: Hook, label: Option<String>, params: &Json) -> Result<Self, ()> {
        let about = About::deserialize(params).map_err(drop)?;
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
