//! Short functions for definitions. The flags follow as methods: `string("name").required()`.

use std::sync::Arc;

use denobridge_core::cty::Type;
use denobridge_core::schema::{IdentityAttribute, IdentitySchema, Nesting};

use super::definition::{
    AttributeDefinition, BlockDefinition, NestedBlockDefinition, SchemaDefinition, TypeDefinition,
};

/// An attribute of any type.
#[must_use]
pub fn attribute(name: impl Into<Arc<str>>, ty: Type) -> AttributeDefinition {
    AttributeDefinition::new(name, TypeDefinition::Plain(ty))
}

macro_rules! attributes_of_a_type {
    ($($(#[$doc:meta])* $function:ident($($argument:ident: $argument_type:ty),*) = $ty:expr;)*) => {
        $(
            $(#[$doc])*
            #[must_use]
            pub fn $function(name: impl Into<Arc<str>>, $($argument: $argument_type),*) -> AttributeDefinition {
                attribute(name, $ty)
            }
        )*
    };
}

attributes_of_a_type! {
    /// An attribute that holds text.
    string() = Type::String;
    /// An attribute that holds an exact decimal number.
    number() = Type::Number;
    /// An attribute that holds `true` or `false`.
    bool() = Type::Bool;
    /// An attribute whose type the value decides.
    dynamic() = Type::Dynamic;
    /// An attribute that holds elements of one type in order.
    list(element: Type) = Type::list(element);
    /// An attribute that holds elements of one type without order or duplicates.
    set(element: Type) = Type::set(element);
    /// An attribute that holds elements of one type by text keys.
    map(element: Type) = Type::map(element);
    /// An attribute that holds a fixed number of elements, each with its own type.
    tuple(elements: impl IntoIterator<Item = Type>) = Type::tuple(elements);
    /// An attribute that holds named values, each with its own type. Flags of its parts need [`nested_single`].
    object(parts: impl IntoIterator<Item = (&'static str, Type)>) = Type::object(parts);
}

macro_rules! nested {
    ($($(#[$doc:meta])* $function:ident = $nesting:ident;)*) => {
        $(
            $(#[$doc])*
            #[must_use]
            pub fn $function(
                name: impl Into<Arc<str>>,
                attributes: impl IntoIterator<Item = AttributeDefinition>,
            ) -> AttributeDefinition {
                let attributes = attributes.into_iter().collect();
                AttributeDefinition::new(name, TypeDefinition::Nested(Nesting::$nesting, attributes))
            }
        )*
    };
}

nested! {
    /// An attribute with attributes of its own.
    nested_single = Single;
    /// An attribute that holds objects with attributes of their own, in order.
    nested_list = List;
    /// An attribute that holds objects with attributes of their own, without order or duplicates.
    nested_set = Set;
    /// An attribute that holds objects with attributes of their own, by text keys.
    nested_map = Map;
}

macro_rules! blocks {
    ($($(#[$doc:meta])* $function:ident = $nesting:ident;)*) => {
        $(
            $(#[$doc])*
            #[must_use]
            pub fn $function(
                name: impl Into<Arc<str>>,
                attributes: impl IntoIterator<Item = AttributeDefinition>,
            ) -> NestedBlockDefinition {
                NestedBlockDefinition::new(name, Nesting::$nesting, BlockDefinition::of(attributes))
            }
        )*
    };
}

blocks! {
    /// One block or none.
    single_block = Single;
    /// Always one block, empty where the configuration has none.
    group_block = Group;
    /// Blocks in order.
    list_block = List;
    /// Blocks without order or duplicates.
    set_block = Set;
    /// Blocks by label.
    map_block = Map;
}

fn schema(attributes: impl IntoIterator<Item = AttributeDefinition>) -> SchemaDefinition {
    SchemaDefinition { version: 0, root: BlockDefinition::of(attributes) }
}

/// The schema of a managed resource.
#[must_use]
pub fn resource(attributes: impl IntoIterator<Item = AttributeDefinition>) -> SchemaDefinition {
    schema(attributes)
}

/// The schema of a data source.
#[must_use]
pub fn data_source(attributes: impl IntoIterator<Item = AttributeDefinition>) -> SchemaDefinition {
    schema(attributes)
}

/// The schema of a provider's own configuration.
#[must_use]
pub fn provider(attributes: impl IntoIterator<Item = AttributeDefinition>) -> SchemaDefinition {
    schema(attributes)
}

/// The schema of an identity. Import needs its required attributes and accepts the others.
#[must_use]
pub fn identity(attributes: impl IntoIterator<Item = AttributeDefinition>) -> IdentitySchema {
    let attributes = attributes
        .into_iter()
        .map(AttributeDefinition::build)
        .map(|attribute| IdentityAttribute {
            ty: attribute.implied_type(),
            name: attribute.name,
            required_for_import: attribute.required,
            optional_for_import: !attribute.required,
            description: attribute.description.text,
        })
        .collect();
    IdentitySchema { version: 0, attributes }
}
