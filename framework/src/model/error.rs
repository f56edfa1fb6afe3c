//! Why a value cannot be held by a Rust type.

use denobridge_core::Diagnostic;
use denobridge_core::cty::{Path, PathStep, Type, Value};
use thiserror::Error;

/// A value that a model cannot hold.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}{problem}", place(.steps))]
pub struct ModelError {
    /// From the innermost outwards: nothing is recorded on the way down, so reading what fits costs nothing.
    steps: Vec<PathStep>,
    problem: ModelProblem,
}

/// What is wrong. Never quotes a value.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ModelProblem {
    /// It is null, and the type has no room for that.
    #[error("it is not set")]
    Null,
    /// It is not known yet, and the type has no room for that.
    #[error("it is not known yet")]
    Unknown,
    /// It is of another type.
    #[error("{wanted} is required, but this is {found}")]
    Type {
        /// What the field holds.
        wanted: Type,
        /// What there is.
        found: Type,
    },
    /// The object has no such attribute.
    #[error("it is missing")]
    Missing,
    /// The number has a fraction.
    #[error("a whole number is required")]
    NotWhole,
    /// The number does not fit.
    #[error("the number is not within {least} and {most}")]
    OutOfRange {
        /// The least that fits.
        least: String,
        /// The most that fits.
        most: String,
    },
}

impl ModelError {
    /// A problem of the value itself.
    #[must_use]
    pub fn new(problem: ModelProblem) -> Self {
        Self { steps: Vec::new(), problem }
    }

    /// That `value` is not one of type `wanted`: null, unknown, or of another type.
    #[must_use]
    pub fn mismatch(value: &Value, wanted: Type) -> Self {
        Self::new(if value.is_null() {
            ModelProblem::Null
        } else if value.is_known() {
            ModelProblem::Type { wanted, found: value.ty() }
        } else {
            ModelProblem::Unknown
        })
    }

    /// The same problem seen from one level further out.
    #[must_use]
    pub fn within(mut self, step: PathStep) -> Self {
        self.steps.push(step);
        self
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> Path {
        self.steps.iter().rev().cloned().collect()
    }

    /// What is wrong.
    #[must_use]
    pub fn problem(&self) -> &ModelProblem {
        &self.problem
    }

    /// The message for the user.
    #[must_use]
    pub fn to_diagnostic(&self) -> Diagnostic {
        Diagnostic::error("The provider cannot use a value", format!("{self}.")).at(self.path())
    }
}

fn place(steps: &[PathStep]) -> String {
    if steps.is_empty() {
        return String::new();
    }
    format!("\"{}\": ", steps.iter().rev().cloned().collect::<Path>())
}
