//! What went wrong, as handlers say it.

use std::any::Any;
use std::error::Error;

use denobridge_core::cty::Path;
use denobridge_core::{Diagnostic, Diagnostics};

use crate::model::ModelError;

/// An operation that failed. Made from any error by `?`; the framework adds which operation on which component it was, and
/// the error's causes follow in the detail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The first one may be without a summary, which the server then writes.
    diagnostics: Diagnostics,
}

/// What an operation that makes or changes an object comes to: the object, or what is left of it.
pub type Outcome<M> = Result<M, Incomplete<M>>;

/// A failed operation, and what exists nevertheless. A creation that failed halfway keeps what it made: Terraform then
/// knows the object, and replaces it the next time.
#[derive(Clone, Debug)]
pub struct Incomplete<M> {
    /// What exists; `None` when nothing has changed.
    pub state: Option<M>,
    /// What went wrong.
    pub failure: Failure,
}

impl Failure {
    /// A failure with a message of its own: one line, and what happened and what to do about it.
    #[must_use]
    pub fn new(summary: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { diagnostics: Diagnostic::error(summary, detail).into() }
    }

    /// The same failure about one part of the configuration.
    #[must_use]
    pub fn at(self, attribute: Path) -> Self {
        let diagnostics = self.diagnostics.into_iter().map(|diagnostic| diagnostic.at(attribute.clone())).collect();
        Self { diagnostics }
    }

    /// A failure with these messages.
    #[must_use]
    pub fn of(diagnostics: Diagnostics) -> Self {
        Self { diagnostics }
    }

    /// The same failure, and what exists nevertheless.
    #[must_use]
    pub fn leaving<M>(self, state: M) -> Incomplete<M> {
        Incomplete { state: Some(state), failure: self }
    }

    /// The messages for the user. One without a summary gets it from the server, which knows the operation.
    #[must_use]
    pub fn into_diagnostics(self) -> Diagnostics {
        self.diagnostics
    }
}

impl From<Failure> for Diagnostics {
    fn from(failure: Failure) -> Self {
        failure.into_diagnostics()
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let error: &(dyn Any + Send + Sync) = &error;
        if let Some(error) = error.downcast_ref::<ModelError>() {
            return Self { diagnostics: error.to_diagnostic().into() };
        }
        // The cast is undone by the one type that it was made from.
        let detail = error.downcast_ref::<E>().map(|error| chain(error)).unwrap_or_default();
        Self::new("", detail)
    }
}

impl<M> From<Failure> for Incomplete<M> {
    fn from(failure: Failure) -> Self {
        Self { state: None, failure }
    }
}

impl<M, E: Error + Send + Sync + 'static> From<E> for Incomplete<M> {
    fn from(error: E) -> Self {
        Failure::from(error).into()
    }
}

/// An error with its causes, as one sentence per line. Causes that the message above already tells are left out.
pub(super) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let message = cause.to_string();
        if !text.contains(&message) {
            text.push_str("\nCaused by: ");
            text.push_str(&message);
        }
        next = cause.source();
    }
    text
}
