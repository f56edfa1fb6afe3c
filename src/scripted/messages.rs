//! What the user is told: failures of calls, answers that cannot be used, and diagnostics that scripts report.

use std::sync::Arc;

use denobridge_core::call::LogLevel;
use denobridge_core::cty::{Path, PathStep, Value, ValueKind};
use denobridge_core::mask::Secrets;
use denobridge_core::{Call, Diagnostic, Diagnostics, Severity};
use serde_json::Value as Json;

use super::answer::{Reported, WrongAnswer};
use crate::deno::{ScriptError, ScriptErrorKind};

/// What to do when the script that manages an object is not where it was.
const MOVED: &str = "A relative path starts from the working directory. If the script has moved since the object was made, change \
                     `path` in the configuration and apply that once without a refresh (Terraform: `-refresh=false`). If it \
                     is gone for good, all that can be done is to take the object out of the state.";

/// What a script is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Create,
    Read,
    Update,
    Delete,
    ModifyPlan,
    /// Reading for a data source.
    ReadData,
    Open,
    Renew,
    Close,
    Invoke,
    CallFunction,
    List,
}

impl Operation {
    /// The method of the contract.
    pub fn method(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Read | Self::ReadData => "read",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::ModifyPlan => "modifyPlan",
            Self::Open => "open",
            Self::Renew => "renew",
            Self::Close => "close",
            Self::Invoke => "invoke",
            Self::CallFunction => "call",
            Self::List => "list",
        }
    }

    /// The title of its failure.
    fn summary(self) -> &'static str {
        match self {
            Self::Create => "Failed to create resource",
            Self::Read => "Failed to read resource",
            Self::Update => "Failed to update resource",
            Self::Delete => "Failed to delete resource",
            Self::ModifyPlan => "Failed to modify the plan",
            Self::ReadData => "Failed to read data",
            Self::Open => "Failed to open data",
            Self::Renew => "Failed to renew",
            Self::Close => "Failed to close",
            Self::Invoke => "Failed to invoke action",
            Self::CallFunction => "Failed to call function",
            Self::List => "Failed to list resources",
        }
    }

    /// The member of an answer that holds what the script says, and its secret part, for operations that have them.
    pub fn results(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Create | Self::Read | Self::Update => Some(("state", "sensitiveState")),
            Self::ReadData | Self::Open => Some(("result", "sensitiveResult")),
            Self::Delete
            | Self::ModifyPlan
            | Self::Renew
            | Self::Close
            | Self::Invoke
            | Self::CallFunction
            | Self::List => None,
        }
    }

    /// A failure of this operation, in our own words.
    pub fn failed(self, detail: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.summary(), detail)
    }

    /// The call gave no result. `advice` is that of whoever has the script.
    pub fn call_failed(self, error: &ScriptError, advice: Option<String>) -> Diagnostic {
        let mut detail = format!("{}.\n\n{}", error.summary(), error.detail());
        let advice = match &error.kind {
            _ if advice.is_some() => advice,
            // The state says which script it is, whatever the configuration says by now.
            ScriptErrorKind::Missing { .. } if matches!(self, Self::Read | Self::Delete) => Some(MOVED.to_owned()),
            _ => error.advice(),
        };
        if let Some(advice) = advice {
            detail = format!("{detail}\n\n{advice}");
        }
        let (summary, attribute) = match &error.kind {
            ScriptErrorKind::Deno(_) | ScriptErrorKind::NotStarted { .. } => ("Failed to start Deno", None),
            ScriptErrorKind::Missing { .. } => (self.summary(), Some("path")),
            ScriptErrorKind::PermissionDenied { .. } => (self.summary(), Some("permissions")),
            _ => (self.summary(), None),
        };
        let diagnostic = Diagnostic::error(summary, detail);
        match attribute {
            Some(name) => diagnostic.at(Path::root().attribute(name)),
            None => diagnostic,
        }
    }

    /// The result cannot be used.
    pub fn wrong_answer(self, script: &str, wrong: &WrongAnswer) -> Diagnostic {
        self.failed(format!(
            "Script {script} answered \"{}\" with something that the contract does not allow: {wrong}.\n\nCorrect the script.",
            self.method()
        ))
    }
}

/// How a script's diagnostics become ours.
pub(super) struct Reports<'r> {
    /// Where messages go that are no diagnostics.
    pub call: &'r Call,
    /// The script as the user wrote it.
    pub script: &'r str,
    /// The resource's attributes, to tell a position from a name in paths.
    pub object: &'r Value,
    /// Texts that must not be shown, whoever writes them.
    pub secrets: &'r Secrets,
    /// What the script could not know; paths start with the attribute's name.
    pub unknown: &'r [Vec<Json>],
    /// Whether paths are left as they are, for who has attributes of their own for them.
    pub whole_paths: bool,
}

impl Reports<'_> {
    /// The diagnostics to show, in the script's order.
    pub fn read(&self, reported: Vec<Reported>) -> Diagnostics {
        reported.into_iter().filter_map(|reported| self.diagnostic(reported)).collect()
    }

    fn diagnostic(&self, reported: Reported) -> Option<Diagnostic> {
        let Reported { severity, summary, detail, prop_path } = reported;
        let severity = match severity.to_ascii_lowercase().as_str() {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            // The contract knows no others, and Terraform could not show them.
            other => {
                let message = self.masked(format!("{}: {other}: {summary}: {detail}", self.script));
                self.call.log(LogLevel::Info, "script", &message);
                return None;
            }
        };
        let path = self.path(&prop_path);
        if summary == ZOD_ISSUE && self.is_unknown(&prop_path) {
            return None;
        }
        let detail = self.masked(detail);
        let (attribute, detail) = if self.whole_paths { (path, detail) } else { placed(path, detail) };
        Some(Diagnostic { severity, summary: self.masked(summary), detail, attribute })
    }

    fn masked(&self, text: String) -> String {
        self.secrets.mask(&text).into_owned()
    }

    /// The path in the resource that a script means.
    fn path(&self, prop_path: &[Json]) -> Path {
        let Some((first, rest)) = prop_path.split_first() else { return Path::root() };
        let name = attribute_name(first.as_str().unwrap_or_default());
        if self.object.attribute(name).is_some() {
            return self.path_from(name, rest);
        }
        // Some scripts leave the attribute out and start with the property.
        let props = self.object.attribute("props").and_then(Value::as_entries);
        if props.is_some_and(|props| props.contains_key(name)) {
            return self.path_from("props", prop_path);
        }
        Path::root()
    }

    fn path_from(&self, attribute: &str, rest: &[Json]) -> Path {
        let mut path = Path::root().attribute(attribute);
        let mut value = self.object.attribute(attribute);
        for segment in rest {
            let step = step(value, segment);
            value = value.and_then(|value| value.step(&step));
            path.push(step);
        }
        path
    }

    /// Whether a path is at or under something that the script could not know.
    fn is_unknown(&self, prop_path: &[Json]) -> bool {
        let segment = |json: &Json| json.as_str().map_or_else(|| json.to_string(), str::to_owned);
        let steps: Vec<String> = prop_path.iter().map(segment).collect();
        let root = steps.first().map(|first| attribute_name(first)).unwrap_or_default();
        self.unknown.iter().any(|unknown| {
            unknown.len() <= steps.len()
                && unknown.first().and_then(Json::as_str).map(attribute_name) == Some(root)
                && unknown.iter().zip(&steps).skip(1).all(|(unknown, step)| segment(unknown) == *step)
        })
    }
}

/// The title of the diagnostics that the published library makes of a Zod schema's issues.
const ZOD_ISSUE: &str = "Zod Validation Issue";

/// The attribute behind a name of the contract.
fn attribute_name(name: &str) -> &str {
    match name {
        "nextProps" | "currentProps" => "props",
        "writeOnlyProps" | "nextWriteOnlyProps" => "write_only_props",
        "sensitiveState" | "currentSensitiveState" => "sensitive_state",
        "currentState" => "state",
        other => other,
    }
}

/// A step of a path; what it means is told by the value that is there, and where there is none by its look.
fn step(value: Option<&Value>, segment: &Json) -> PathStep {
    let (name, index) = match segment {
        Json::String(text) => (Arc::from(text.as_str()), text.parse().ok()),
        other => (Arc::from(other.to_string()), other.as_i64()),
    };
    match (value.map(Value::kind), index) {
        (Some(ValueKind::Object(_)), _) => PathStep::Attribute(name),
        (Some(ValueKind::Map(..)), _) => PathStep::Key(name),
        (_, Some(index)) => PathStep::Index(index),
        (_, None) => PathStep::Key(name),
    }
}

/// Terraform finds the line of an attribute and of an element that is directly in it, which must then be named by its key,
/// whatever it is. Of anything deeper it finds no line at all.
pub(crate) fn shown_at(path: &Path) -> Path {
    let mut shown: Path = path.steps().iter().take(2).cloned().collect();
    if let [_, PathStep::Attribute(name)] = shown.steps() {
        let name = Arc::clone(name);
        shown.pop();
        shown.push(PathStep::Key(name));
    }
    shown
}

/// The path where something is shown, and the text about it, which says what the path cannot.
pub(crate) fn placed(path: Path, detail: String) -> (Path, String) {
    let shown = shown_at(&path);
    if path.steps().len() <= 2 {
        return (shown, detail);
    }
    let place = format!("The property is {path}.");
    (shown, if detail.is_empty() { place } else { format!("{detail}\n\n{place}") })
}
