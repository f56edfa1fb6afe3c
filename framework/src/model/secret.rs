//! Values that must not be shown.

use denobridge_core::cty::{Marks, Type, Value};

use super::{Checks, ModelError, ModelValue, Shape, ToValue};

/// A value that no log, message or debug output shows. Its attribute is sensitive without being told so.
///
/// ```
/// use denobridge_framework::model::Secret;
///
/// let password = Secret::new("hunter2".to_owned());
/// assert_eq!(format!("{password:?}"), "(sensitive)");
/// assert_eq!(password.expose(), "hunter2");
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Wraps it.
    #[must_use]
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// What is in it. From here on it is in the caller's hands that it is not shown.
    #[must_use]
    pub const fn expose(&self) -> &T {
        &self.0
    }

    /// What is in it, by ownership.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> std::fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("(sensitive)")
    }
}

impl<T> From<T> for Secret<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: ModelValue> ToValue for Secret<T> {
    fn to_value(&self) -> Value {
        self.0.to_value().with_marks(Marks::SENSITIVE)
    }
}

impl<T: ModelValue> ModelValue for Secret<T> {
    type Known = T::Known;

    const HOLDS_NULL: bool = T::HOLDS_NULL;
    const HOLDS_UNKNOWN: bool = T::HOLDS_UNKNOWN;
    const HAS_BLOCKS: bool = T::HAS_BLOCKS;
    const MODELS: Option<u8> = T::MODELS;
    const SENSITIVE: bool = true;

    fn shape() -> Shape {
        T::shape()
    }

    fn ty() -> Type {
        T::ty()
    }

    fn from_value(value: &Value) -> Result<Self, ModelError> {
        T::from_value(value).map(Self)
    }

    fn known(&self) -> Option<&T::Known> {
        self.0.known()
    }

    fn check(value: &Value, checks: &mut Checks) {
        T::check(value, checks);
    }
}
