//! Paths as texts.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

use denobridge_core::cty::{Path, PathStep};
use serde_json::Value as Json;

use super::Known;

/// A path as it is written in messages; the [module](super) says how. Nothing is taken out of it.
#[must_use]
pub fn path_text(path: &Path) -> String {
    written(path, |name| name.into())
}

/// The same without known secrets, which map keys and whatever a provider calls an attribute may hold.
#[must_use]
pub fn scrubbed_path(path: &Path, known: &Known) -> String {
    let known = known.lookup();
    written(path, |name| known.scrub(name))
}

fn written(path: &Path, shown: impl Fn(&str) -> Cow<'_, str>) -> String {
    let mut text = String::new();
    for step in path.steps() {
        match step {
            PathStep::Attribute(name) => Step::Attribute(&shown(name)).append_to(&mut text),
            PathStep::Key(key) => Step::Key(&shown(key)).append_to(&mut text),
            PathStep::Index(index) => Step::Position(*index).append_to(&mut text),
            PathStep::Element(_) => Step::Element.append_to(&mut text),
        }
    }
    text
}

/// A step on a path.
#[derive(Clone, Copy)]
pub(super) enum Step<'s> {
    /// To an attribute.
    Attribute(&'s str),
    /// To an element of a map.
    Key(&'s str),
    /// To an element of a list, or of a set as it is sent.
    Position(i64),
    /// To an element of a set that is not sent.
    Element,
}

impl Step<'_> {
    /// To an element of what is in memory.
    pub(super) fn position(at: usize) -> Self {
        Self::Position(i64::try_from(at).unwrap_or(i64::MAX))
    }

    fn append_to(&self, path: &mut String) {
        let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-');
        match self {
            Self::Attribute(name) if !name.is_empty() && name.chars().all(is_word) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            Self::Attribute(name) | Self::Key(name) => append(path, &Json::from(*name)),
            Self::Position(at) => append(path, at),
            Self::Element => path.push_str("[]"),
        }
    }
}

/// Appends something in brackets.
fn append(path: &mut String, what: &impl Display) {
    // A text takes whatever is written to it.
    let _ = write!(path, "[{what}]");
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
    pub(super) fn enter(&mut self, step: Step<'_>) -> usize {
        let length = self.text.len();
        step.append_to(&mut self.text);
        self.depth += 1;
        length
    }

    /// Takes a step back.
    pub(super) fn leave(&mut self, length: usize) {
        self.text.truncate(length);
        self.depth -= 1;
    }
}
