//! The error that walkers of this module build while they unwind.

use super::{Path, PathStep};

/// What is wrong, with the steps to it from the innermost outwards. Nothing is recorded on the way down, so a walk that
/// succeeds pays nothing for paths.
#[derive(Debug)]
pub(super) struct Failure {
    steps: Vec<PathStep>,
    /// What is wrong; never quotes a value.
    pub(super) message: String,
}

impl Failure {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { steps: Vec::new(), message: message.into() }
    }

    /// The same failure seen from one level further out.
    pub(super) fn within(mut self, step: PathStep) -> Self {
        self.steps.push(step);
        self
    }

    /// As [`Failure::within`], for a position.
    pub(super) fn at_index(self, index: usize) -> Self {
        self.within(PathStep::Index(i64::try_from(index).unwrap_or(i64::MAX)))
    }

    /// Where it is, and what.
    pub(super) fn into_parts(self) -> (Path, String) {
        (self.steps.into_iter().rev().collect(), self.message)
    }
}

/// Nesting beyond [`crate::limits::MAX_DEPTH`].
pub(super) fn too_deep() -> Failure {
    Failure::new(format!("nested more than {} levels deep", crate::limits::MAX_DEPTH))
}
