//! Running the check functions of fields.

use denobridge_core::cty::{Path, PathStep};
use denobridge_core::{Diagnostic, Diagnostics};

use super::ModelError;

/// What check functions have found, and where in the configuration the next one looks.
#[derive(Debug, Default)]
pub struct Checks {
    path: Path,
    found: Diagnostics,
}

impl Checks {
    /// Looks one step further down.
    pub fn at(&mut self, step: PathStep, check: impl FnOnce(&mut Self)) {
        self.path.push(step);
        check(self);
        self.path.pop();
    }

    /// The value here is not accepted.
    pub fn refuse(&mut self, reason: &str) {
        let detail = format!("\"{}\" {reason}.", self.path);
        self.found.push(Diagnostic::error("Invalid value", detail).at(self.path.clone()));
    }

    /// The value here, or a part of it, cannot be held by its Rust type.
    pub fn unfit(&mut self, error: ModelError) {
        let error = self.path.steps().iter().rev().cloned().fold(error, ModelError::within);
        self.found.push(error.to_diagnostic());
    }

    /// What was found.
    #[must_use]
    pub fn into_diagnostics(self) -> Diagnostics {
        self.found
    }
}
