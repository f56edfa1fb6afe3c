//! Types: what a value may be.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A Terraform type. Cloning costs at most one reference count.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// Unicode text in normalisation form C.
    String,
    /// An exact decimal number.
    Number,
    /// `true` or `false`.
    Bool,
    /// Any type, decided by the value ("dynamic pseudo-type").
    Dynamic,
    /// Ordered, elements of one type.
    List(Arc<Type>),
    /// Unordered, no duplicates, elements of one type.
    Set(Arc<Type>),
    /// Text keys, elements of one type.
    Map(Arc<Type>),
    /// Named attributes, each with its own type.
    Object(Arc<ObjectType>),
    /// A fixed number of elements, each with its own type.
    Tuple(Arc<Vec<Type>>),
}

/// The attributes of an object type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectType {
    /// Attribute types by name.
    pub attributes: BTreeMap<Arc<str>, Type>,
    /// Names that a conversion may leave out (they become null). Only type constraints carry these: the type of a value
    /// never does.
    pub optional: BTreeSet<Arc<str>>,
}

impl Type {
    /// `list(element)`.
    #[must_use]
    pub fn list(element: Type) -> Self {
        Self::List(Arc::new(element))
    }

    /// `set(element)`.
    #[must_use]
    pub fn set(element: Type) -> Self {
        Self::Set(Arc::new(element))
    }

    /// `map(element)`.
    #[must_use]
    pub fn map(element: Type) -> Self {
        Self::Map(Arc::new(element))
    }

    /// `tuple([elements])`.
    #[must_use]
    pub fn tuple(elements: impl IntoIterator<Item = Type>) -> Self {
        Self::Tuple(Arc::new(elements.into_iter().collect()))
    }

    /// `object({name = type, …})` without optional attributes.
    #[must_use]
    pub fn object<N: Into<Arc<str>>>(attributes: impl IntoIterator<Item = (N, Type)>) -> Self {
        Self::Object(Arc::new(ObjectType {
            attributes: attributes.into_iter().map(|(name, ty)| (name.into(), ty)).collect(),
            optional: BTreeSet::new(),
        }))
    }

    /// Whether this is a string, number or bool.
    #[must_use]
    pub fn is_primitive(&self) -> bool {
        matches!(self, Self::String | Self::Number | Self::Bool)
    }

    /// Whether this is a list, set or map.
    #[must_use]
    pub fn is_collection(&self) -> bool {
        self.element().is_some()
    }

    /// The element type of a list, set or map.
    #[must_use]
    pub fn element(&self) -> Option<&Type> {
        match self {
            Self::List(element) | Self::Set(element) | Self::Map(element) => Some(element),
            _ => None,
        }
    }

    /// The attributes of an object type.
    #[must_use]
    pub fn as_object(&self) -> Option<&ObjectType> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Whether `dynamic` occurs anywhere inside, so that the type of a value is not yet settled by it.
    #[must_use]
    pub fn has_dynamic(&self) -> bool {
        match self {
            Self::Dynamic => true,
            Self::String | Self::Number | Self::Bool => false,
            Self::List(element) | Self::Set(element) | Self::Map(element) => element.has_dynamic(),
            Self::Object(object) => object.attributes.values().any(Type::has_dynamic),
            Self::Tuple(elements) => elements.iter().any(Type::has_dynamic),
        }
    }

    /// Whether an optional attribute occurs anywhere inside.
    #[must_use]
    pub fn has_optional(&self) -> bool {
        match self {
            Self::String | Self::Number | Self::Bool | Self::Dynamic => false,
            Self::List(element) | Self::Set(element) | Self::Map(element) => element.has_optional(),
            Self::Object(object) => !object.optional.is_empty() || object.attributes.values().any(Type::has_optional),
            Self::Tuple(elements) => elements.iter().any(Type::has_optional),
        }
    }

    /// As [`Type::without_optional`], built anew only where there is something to take out.
    pub(crate) fn to_value_type(&self) -> Cow<'_, Type> {
        if self.has_optional() { Cow::Owned(self.without_optional()) } else { Cow::Borrowed(self) }
    }

    /// The same type without optional attribute markers: the type that a value of this constraint has.
    #[must_use]
    pub fn without_optional(&self) -> Type {
        match self {
            Self::String | Self::Number | Self::Bool | Self::Dynamic => self.clone(),
            Self::List(element) => Self::list(element.without_optional()),
            Self::Set(element) => Self::set(element.without_optional()),
            Self::Map(element) => Self::map(element.without_optional()),
            Self::Tuple(elements) => Self::tuple(elements.iter().map(Type::without_optional)),
            Self::Object(object) => {
                Self::object(object.attributes.iter().map(|(name, ty)| (Arc::clone(name), ty.without_optional())))
            }
        }
    }
}

impl std::fmt::Display for Type {
    /// As Terraform writes type constraints: `list(string)`, `object({name = string})`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::String => f.write_str("string"),
            Self::Number => f.write_str("number"),
            Self::Bool => f.write_str("bool"),
            Self::Dynamic => f.write_str("dynamic"),
            Self::List(element) => write!(f, "list({element})"),
            Self::Set(element) => write!(f, "set({element})"),
            Self::Map(element) => write!(f, "map({element})"),
            Self::Tuple(elements) => {
                f.write_str("tuple([")?;
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{element}")?;
                }
                f.write_str("])")
            }
            Self::Object(object) => {
                f.write_str("object({")?;
                for (index, (name, ty)) in object.attributes.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    if object.optional.contains(name) {
                        write!(f, "{name} = optional({ty})")?;
                    } else {
                        write!(f, "{name} = {ty}")?;
                    }
                }
                f.write_str("})")
            }
        }
    }
}
