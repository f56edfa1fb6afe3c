//! What the attributes' code calls, so that it stays short. Not for use by hand.

use std::fmt::Display;

use denobridge_core::cty::Type;
use denobridge_core::schema::{Description, DescriptionKind, FunctionParameter};

use super::function::FunctionFailure;
use crate::model::{ModelValue, ToValue};

pub use denobridge_core::cty::Value;
pub use denobridge_core::schema::FunctionSignature;

/// A parameter that takes a `T`, whose room for null and unknown is what may be passed.
#[must_use]
pub fn parameter<T: ModelValue>(name: &str, description: &str) -> FunctionParameter {
    FunctionParameter {
        name: name.into(),
        ty: T::ty(),
        allow_null: T::HOLDS_NULL,
        allow_unknown: T::HOLDS_UNKNOWN,
        description: markdown(description),
    }
}

/// Documentation comments are Markdown.
#[must_use]
pub fn markdown(text: &str) -> Description {
    Description {
        text: text.to_owned(),
        kind: if text.is_empty() { DescriptionKind::Plain } else { DescriptionKind::Markdown },
    }
}

/// What a function returns.
#[diagnostic::on_unimplemented(
    message = "a function of a provider cannot return `{Self}`",
    note = "it returns a type that can be a field of a model, or a Result of one with FunctionFailure"
)]
pub trait Returned {
    /// What it is when it did not fail.
    type Good: ModelValue;

    /// The value, or why there is none.
    ///
    /// # Errors
    /// It failed.
    fn settled(self) -> Result<Self::Good, FunctionFailure>;
}

impl<T: ModelValue, E: Into<FunctionFailure>> Returned for Result<T, E> {
    type Good = T;

    fn settled(self) -> Result<T, FunctionFailure> {
        self.map_err(Into::into)
    }
}

/// The type of what a function returns.
#[must_use]
pub fn returns<R: Returned>() -> Type {
    R::Good::ty()
}

/// What a function returned, as a value.
///
/// # Errors
/// It failed.
pub fn returned<R: Returned>(outcome: R) -> Result<Value, FunctionFailure> {
    outcome.settled().map(|good| good.to_value())
}

/// What makes a component: the component itself, or a `Result` of it.
pub trait Made<C> {
    /// The component, or why there is none.
    ///
    /// # Errors
    /// It could not be made.
    fn made(self) -> Result<C, String>;
}

impl<C> Made<C> for C {
    fn made(self) -> Result<C, String> {
        Ok(self)
    }
}

impl<C, E: Display> Made<C> for Result<C, E> {
    fn made(self) -> Result<C, String> {
        self.map_err(|error| error.to_string())
    }
}

/// A component for discovery.
///
/// # Errors
/// It could not be made.
pub fn made<C, M: Made<C>>(component: M) -> Result<C, String> {
    component.made()
}

/// The arguments of a call, to be taken in order.
pub struct Arguments {
    index: usize,
    left: std::vec::IntoIter<Value>,
}

impl Arguments {
    /// All of them.
    #[must_use]
    pub fn new(arguments: Vec<Value>) -> Self {
        Self { index: 0, left: arguments.into_iter() }
    }

    /// The next one.
    ///
    /// # Errors
    /// It does not fit; the failure points at it.
    #[allow(clippy::should_implement_trait)] // each is of a type of its own
    pub fn next<T: ModelValue>(&mut self) -> Result<T, FunctionFailure> {
        let index = self.index;
        self.index += 1;
        let fault = |text: String| FunctionFailure::argument(index, text);
        let value = self.left.next().ok_or_else(|| fault("It is missing.".to_owned()))?;
        T::from_value(&value).map_err(|error| fault(format!("It cannot be used: {error}.")))
    }

    /// All that are left.
    ///
    /// # Errors
    /// One does not fit; the failure points at it.
    pub fn rest<T: ModelValue>(&mut self) -> Result<Vec<T>, FunctionFailure> {
        let count = self.left.len();
        (0..count).map(|_| self.next()).collect()
    }
}
