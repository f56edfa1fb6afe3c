//! `tiny_note`: a text file.

use bytes::Bytes;
use denobridge_core::cty::{Path, Type, Value};
use denobridge_core::provider::{ApplyResourceChangeResponse, PlanResourceChangeResponse};
use denobridge_core::{Diagnostic, Diagnostics};

fn text<'v>(value: &'v Value, attribute: &str) -> Option<&'v str> {
    value.attribute(attribute).and_then(Value::as_str)
}

fn gone(value: &Value) -> Value {
    Value::null(value.ty())
}

/// The identity of the note at `path`.
pub(super) fn identity(path: &str) -> Value {
    Value::object([("path", Value::string(path))])
}

/// The note at `path` as it is on disk.
pub(super) fn found(path: &str) -> Value {
    let content = std::fs::read_to_string(path).map_or_else(|_| Value::null(Type::String), Value::string);
    Value::object([("id", Value::string(path)), ("path", Value::string(path)), ("text", content)])
}

/// The state that is true now; null when the file is gone.
pub(super) fn read(state: Value) -> Value {
    let Some(path) = text(&state, "path") else { return state };
    match std::fs::read_to_string(path) {
        Ok(content) if text(&state, "text").unwrap_or_default() != content => {
            state.with_attribute("text", Value::string(content))
        }
        Ok(_) => state,
        Err(_) => gone(&state),
    }
}

/// Another path is another note.
pub(super) fn plan(prior: &Value, proposed: Value, private: Bytes) -> PlanResourceChangeResponse {
    let moved = !prior.is_null() && prior.attribute("path") != proposed.attribute("path");
    let planned = if proposed.is_null() || !(prior.is_null() || moved) {
        proposed
    } else {
        proposed.with_attribute("id", Value::unknown(Type::String))
    };
    PlanResourceChangeResponse {
        planned_state: planned.into(),
        requires_replace: if moved { vec![Path::root().attribute("path")] } else { Vec::new() },
        planned_private: private,
        ..PlanResourceChangeResponse::default()
    }
}

/// Writes or removes the file.
pub(super) fn apply(prior: &Value, planned: Value) -> ApplyResourceChangeResponse {
    let (state, done) = match (text(prior, "path"), text(&planned, "path")) {
        (Some(path), None) => (planned, std::fs::remove_file(path)),
        (_, Some(path)) => {
            let done = std::fs::write(path, text(&planned, "text").unwrap_or_default());
            let id = Value::string(path);
            (if done.is_ok() { planned.with_attribute("id", id) } else { prior.clone() }, done)
        }
        (None, None) => (planned, Ok(())),
    };
    let diagnostics = match done {
        Ok(()) => Diagnostics::new(),
        Err(error) => {
            Diagnostic::error("Cannot write the note", error.to_string()).at(Path::root().attribute("path")).into()
        }
    };
    ApplyResourceChangeResponse {
        new_state: state.into(),
        private: Bytes::from_static(b"{}"),
        diagnostics,
        ..Default::default()
    }
}
