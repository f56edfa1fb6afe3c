//! Paths as texts.

use denobridge_core::cty::{Path, PathStep};
use serde_json::Value as Json;

use super::Known;

/// A path as it is written in messages; the [module](super) says how. Nothing is taken out of it.
#[must_use]
pub fn path_text(path: &Path) -> String {
    written(path, |name, is_key| if is_key { key(name) } else { attribute(name) })
}

/// The same without known secrets, which map keys and whatever a provider calls an attribute may hold.
#[must_use]
pub fn scrubbed_path(path: &Path, known: &Known) -> String {
    let known = known.lookup();
    written(path, |name, is_key| {
        let name = known.scrub(name);
        if is_key { key(&name) } else { attribute(&name) }
    })
}

fn written(path: &Path, name: impl Fn(&str, bool) -> String) -> String {
    let mut text = String::new();
    for step in path.steps() {
        let step = match step {
            PathStep::Attribute(attribute) => name(attribute, false),
            PathStep::Key(key) => name(key, true),
            PathStep::Index(index) => format!("[{index}]"),
            PathStep::Element(_) => "[]".to_owned(),
        };
        append(&mut text, &step);
    }
    text
}

/// The step to an attribute.
pub(super) fn attribute(name: &str) -> String {
    let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-');
    if !name.is_empty() && name.chars().all(is_word) { format!(".{name}") } else { key(name) }
}

/// The step to an element of a map.
pub(super) fn key(key: &str) -> String {
    format!("[{}]", Json::from(key))
}

/// The step to an element of a list, or of a set as it is sent.
pub(super) fn position(at: usize) -> String {
    format!("[{at}]")
}

/// A path under construction.
#[derive(Default)]
pub(super) struct Trail {
    text: String,
    depth: usize,
}

impl Trail {
    pub(super) fn text(&self) -> String {
        self.text.clone()
    }

    /// How many steps there are.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Takes a step; what is returned takes it back.
    pub(super) fn enter(&mut self, step: &str) -> usize {
        let length = self.text.len();
        append(&mut self.text, step);
        self.depth += 1;
        length
    }

    /// Takes a step back.
    pub(super) fn leave(&mut self, length: usize) {
        self.text.truncate(length);
        self.depth -= 1;
    }
}

fn append(path: &mut String, step: &str) {
    let step = step.strip_prefix('.').filter(|_| path.is_empty()).unwrap_or(step);
    path.push_str(step);
}
