//! The three states of a Terraform value.

use denobridge_core::cty::{Refinement, Value, ValueKind};

use super::{Checks, ModelError, ModelProblem, ModelValue, Shape, ToValue};

/// A value that may be null or not known yet.
///
/// ```
/// use denobridge_framework::model::Tf;
///
/// let name: Tf<String> = "web".to_owned().into();
/// assert_eq!(name.known().map(String::as_str), Some("web"));
/// assert!(Tf::<String>::unknown().is_unknown());
/// assert_eq!(Tf::<i64>::default(), Tf::Null);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tf<T> {
    /// Not set.
    #[default]
    Null,
    /// Not known until apply, and what is known of it already.
    Unknown(Refinement),
    /// Known.
    Known(T),
}

impl<T> Tf<T> {
    /// Not known yet, and nothing is known of it.
    #[must_use]
    pub fn unknown() -> Self {
        Self::Unknown(Refinement::default())
    }

    /// What it is, if it is known and not null.
    #[must_use]
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Null | Self::Unknown(_) => None,
        }
    }

    /// What it is, by ownership, if it is known and not null.
    #[must_use]
    pub fn into_known(self) -> Option<T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Null | Self::Unknown(_) => None,
        }
    }

    /// What it is, where the operation cannot go on without it.
    ///
    /// # Errors
    /// It is null or not known; the error names `attribute`.
    pub fn need(&self, attribute: &str) -> Result<&T, ModelError> {
        let problem = match self {
            Self::Known(value) => return Ok(value),
            Self::Null => ModelProblem::Null,
            Self::Unknown(_) => ModelProblem::Unknown,
        };
        Err(ModelError::new(problem).within(denobridge_core::cty::PathStep::Attribute(attribute.into())))
    }

    /// Whether it is not set.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether it is not known yet.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown(_))
    }

    /// The same state with another value, where there is one. What was known of an unknown one is forgotten, except
    /// that it will not be null.
    #[must_use]
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Tf<U> {
        match self {
            Self::Null => Tf::Null,
            Self::Unknown(refinement) => {
                Tf::Unknown(Refinement { not_null: refinement.not_null, ..Refinement::default() })
            }
            Self::Known(value) => Tf::Known(change(value)),
        }
    }
}

impl<T> From<T> for Tf<T> {
    fn from(value: T) -> Self {
        Self::Known(value)
    }
}

impl<T> From<Option<T>> for Tf<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Known)
    }
}

impl From<&str> for Tf<String> {
    fn from(text: &str) -> Self {
        Self::Known(text.to_owned())
    }
}

impl<T: ModelValue> ToValue for Tf<T> {
    fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::null(T::ty()),
            Self::Unknown(refinement) => Value::unknown_refined(T::ty(), refinement.clone()),
            Self::Known(value) => value.to_value(),
        }
    }
}

impl<T: ModelValue> ModelValue for Tf<T> {
    type Known = T::Known;

    const HOLDS_NULL: bool = true;
    const HOLDS_UNKNOWN: bool = true;
    const HAS_BLOCKS: bool = T::HAS_BLOCKS;
    const MODELS: Option<u8> = T::MODELS;
    const SENSITIVE: bool = T::SENSITIVE;

    fn shape() -> Shape {
        T::shape()
    }

    fn ty() -> denobridge_core::cty::Type {
        T::ty()
    }

    fn from_value(value: &Value) -> Result<Self, ModelError> {
        Ok(match value.kind() {
            ValueKind::Null(_) => Self::Null,
            ValueKind::Unknown(_, None) => Self::unknown(),
            ValueKind::Unknown(_, Some(refinement)) => Self::Unknown((**refinement).clone()),
            _ => Self::Known(T::from_value(value)?),
        })
    }

    fn known(&self) -> Option<&T::Known> {
        Self::known(self)?.known()
    }

    fn check(value: &Value, checks: &mut Checks) {
        T::check(value, checks);
    }
}

impl<T: ModelValue> ToValue for Option<T> {
    fn to_value(&self) -> Value {
        self.as_ref().map_or_else(|| Value::null(T::ty()), ToValue::to_value)
    }
}

impl<T: ModelValue> ModelValue for Option<T> {
    type Known = T::Known;

    const HOLDS_NULL: bool = true;
    const HOLDS_UNKNOWN: bool = T::HOLDS_UNKNOWN;
    const HAS_BLOCKS: bool = T::HAS_BLOCKS;
    const MODELS: Option<u8> = T::MODELS;
    const SENSITIVE: bool = T::SENSITIVE;

    fn shape() -> Shape {
        T::shape()
    }

    fn ty() -> denobridge_core::cty::Type {
        T::ty()
    }

    fn from_value(value: &Value) -> Result<Self, ModelError> {
        if value.is_null() { Ok(None) } else { T::from_value(value).map(Some) }
    }

    fn known(&self) -> Option<&T::Known> {
        self.as_ref()?.known()
    }

    fn check(value: &Value, checks: &mut Checks) {
        T::check(value, checks);
    }
}
