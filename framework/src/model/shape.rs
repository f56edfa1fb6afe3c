//! What a Rust type is in a schema.

use denobridge_core::cty::Type;
use denobridge_core::schema::Nesting;

use crate::schema::{AttributeDefinition, BlockDefinition, TypeDefinition};

/// What a Rust type is in a schema.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A type without attributes of its own.
    Plain(Type),
    /// One model, or a collection of models.
    Models(Nesting, Box<BlockDefinition>),
}

impl Shape {
    /// The type of its values.
    #[must_use]
    pub fn ty(&self) -> Type {
        match self {
            Self::Plain(ty) => ty.clone(),
            Self::Models(nesting, content) => nesting.wrap((**content).clone().build().implied_type()),
        }
    }

    /// A collection of such things.
    #[must_use]
    pub fn collected(self, nesting: Nesting) -> Self {
        match self {
            Self::Models(Nesting::Single, content) => Self::Models(nesting, content),
            // Lists of lists of models have no nesting of their own: their elements are plain objects.
            inner => Self::Plain(nesting.wrap(inner.ty())),
        }
    }

    /// The same elements in another kind of collection.
    #[must_use]
    pub fn nested_as(self, nesting: Nesting) -> Self {
        match self {
            Self::Models(_, content) => Self::Models(nesting, content),
            Self::Plain(ty) => Self::Plain(match ty.element() {
                Some(element) => nesting.wrap(element.clone()),
                None => ty,
            }),
        }
    }

    /// The same as a plain type, in which attributes have no flags.
    #[must_use]
    pub fn plain(self) -> Self {
        Self::Plain(self.ty())
    }

    /// As the type of an attribute.
    #[must_use]
    pub fn into_attribute_type(self) -> TypeDefinition {
        match self {
            Self::Plain(ty) => TypeDefinition::Plain(ty),
            Self::Models(nesting, content) => {
                let attributes: Vec<AttributeDefinition> = content.attributes;
                TypeDefinition::Nested(nesting, attributes)
            }
        }
    }
}
