//! The types of values, out of a schema as it came over the wire.

use denobridge_core::cty::{Type, type_json};
use denobridge_terraform::proto::tfplugin6::schema::nested_block::NestingMode as BlockNesting;
use denobridge_terraform::proto::tfplugin6::schema::object::NestingMode as ObjectNesting;
use denobridge_terraform::proto::tfplugin6::schema::{Attribute, Block, NestedBlock, Object};
use denobridge_terraform::proto::tfplugin6::{ResourceIdentitySchema, Schema};

/// The type of a component's values.
pub fn type_of(schema: &Schema) -> Type {
    block_type(schema.block.as_ref().unwrap())
}

/// The type of a resource's identities.
pub fn identity_type_of(schema: &ResourceIdentitySchema) -> Type {
    Type::object(schema.identity_attributes.iter().map(|attribute| (attribute.name.as_str(), plain(&attribute.r#type))))
}

fn plain(json: &[u8]) -> Type {
    type_json::decode(json).unwrap()
}

fn block_type(block: &Block) -> Type {
    let attributes = block.attributes.iter().map(|attribute| (attribute.name.as_str(), attribute_type(attribute)));
    let blocks = block.block_types.iter().map(|nested| (nested.type_name.as_str(), nested_type(nested)));
    Type::object(attributes.chain(blocks))
}

fn attribute_type(attribute: &Attribute) -> Type {
    match &attribute.nested_type {
        Some(nested) => object_type(nested),
        None => plain(&attribute.r#type),
    }
}

fn object_type(nested: &Object) -> Type {
    let attributes = nested.attributes.iter().map(|attribute| (attribute.name.as_str(), attribute_type(attribute)));
    let object = Type::object(attributes);
    match nested.nesting() {
        ObjectNesting::Single | ObjectNesting::Invalid => object,
        ObjectNesting::List => Type::list(object),
        ObjectNesting::Set => Type::set(object),
        ObjectNesting::Map => Type::map(object),
    }
}

fn nested_type(nested: &NestedBlock) -> Type {
    let content = block_type(nested.block.as_ref().unwrap());
    match nested.nesting() {
        BlockNesting::Single | BlockNesting::Group | BlockNesting::Invalid => content,
        BlockNesting::List => Type::list(content),
        BlockNesting::Set => Type::set(content),
        BlockNesting::Map => Type::map(content),
    }
}
