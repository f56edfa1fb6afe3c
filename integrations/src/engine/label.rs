//! The lines that people read: what a thing is called, and what an integration said of it.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use denobridge_core::cty::{Value, ValueKind};

use crate::configuration::{FailMode, Integration};
use crate::process::{self, Failure};
use crate::protocol::HookResult;
use crate::redaction::Known;
use crate::{Hook, Moment};

/// Attributes by which people tell objects apart before these have an id.
const NAMES: [&str; 8] = ["name", "bucket", "path", "filename", "file", "key", "title", "label"];

/// The longest name taken from a value, in characters.
const LONGEST: usize = 80;

/// What a thing is called in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label(Arc<str>);

impl Label {
    /// A stage.
    pub(crate) fn stage(hook: Hook) -> Self {
        Self(hook.configured().into())
    }

    /// An instance by its address, which says all.
    pub(crate) fn address(address: &str) -> Self {
        Self(address.into())
    }

    /// An instance by its type and whatever tells it apart: its id, or what it is named in one of the values, the first of which
    /// counts most.
    pub(crate) fn instance(type_name: &str, id: Option<&str>, values: &[&Value], known: &Known) -> Self {
        let named = id.map(str::to_owned).or_else(|| values.iter().find_map(|value| name_in(value)));
        match named {
            Some(name) => Self(format!("{type_name} {}", known.scrub(&name)).into()),
            None => Self(type_name.into()),
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of an object among the `props` of a script, which are what the user has written of it, or among its own attributes.
fn name_in(value: &Value) -> Option<String> {
    let own = |value: &Value| {
        NAMES.iter().find_map(|name| match value.attribute(name)?.kind() {
            ValueKind::String(text) if !text.is_empty() => Some(text.chars().take(LONGEST).collect()),
            _ => None,
        })
    };
    value.attribute("props").and_then(own).or_else(|| own(value))
}

/// What integrations said, as lines.
#[derive(Default)]
pub(super) struct Lines {
    /// How often each summary of a warning was used: hosts fold warnings whose summaries are equal into one.
    used: Mutex<HashMap<String, u32>>,
}

impl Lines {
    /// What an integration has to say, or what is wrong with it.
    pub(super) fn of(
        &self,
        integration: &Integration,
        hook: Hook,
        answer: &Result<HookResult, Failure>,
        known: &Known,
    ) -> Vec<String> {
        let lines = match answer {
            Ok(result) => process::lines(result),
            Err(failure) => {
                let went_on = match (integration.fail_mode, hook.moment()) {
                    (FailMode::Soft, _) => "It is a soft integration: what it was asked about goes on without it.",
                    (FailMode::Hard, Moment::Before) => {
                        "It is a hard integration: nothing happens that it has not agreed to."
                    }
                    (FailMode::Hard, Moment::After) => {
                        "It is a hard integration: nothing further happens that it has not agreed to."
                    }
                };
                vec![format!("no answer to {hook}: {failure}"), went_on.to_owned()]
            }
        };
        lines.into_iter().map(|line| known.scrub(&line).into_owned()).collect()
    }

    /// A summary that no other has.
    pub(super) fn unique(&self, summary: String) -> String {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let count = used.entry(summary.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { summary } else { format!("{summary} ({count})") }
    }
}
