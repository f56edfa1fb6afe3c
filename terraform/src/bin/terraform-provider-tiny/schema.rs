//! What the provider offers.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::Type;
use denobridge_core::schema::{
    Attribute, Block, FunctionParameter, FunctionSignature, IdentityAttribute, IdentitySchema, NestedBlock, Nesting,
    ProviderSchema, Schema,
};

fn attribute(name: &str, ty: Type, flag: impl FnOnce(&mut Attribute)) -> Attribute {
    let mut attribute = Attribute::new(name, ty);
    flag(&mut attribute);
    attribute
}

fn required(name: &str) -> Attribute {
    attribute(name, Type::String, |attribute| attribute.required = true)
}

fn optional(name: &str) -> Attribute {
    attribute(name, Type::String, |attribute| attribute.optional = true)
}

fn computed(name: &str, ty: Type) -> Attribute {
    attribute(name, ty, |attribute| attribute.computed = true)
}

fn schema(attributes: impl IntoIterator<Item = Attribute>) -> Schema {
    Schema { version: 0, block: Block { attributes: attributes.into_iter().collect(), ..Block::default() } }
}

fn named(schemas: impl IntoIterator<Item = (&'static str, Schema)>) -> BTreeMap<Arc<str>, Schema> {
    schemas.into_iter().map(|(name, schema)| (Arc::from(name), schema)).collect()
}

/// The whole schema.
pub(super) fn provider() -> ProviderSchema {
    let note = || schema([required("path"), optional("text"), computed("id", Type::String)]);
    let endpoint = Schema {
        version: 0,
        block: Block {
            blocks: vec![NestedBlock {
                name: "endpoint".into(),
                nesting: Nesting::List,
                block: schema([required("url")]).block,
                min_items: 0,
                max_items: 1,
            }],
            ..Block::default()
        },
    };
    let path = IdentityAttribute {
        name: "path".into(),
        ty: Type::String,
        required_for_import: true,
        optional_for_import: false,
        description: "Where the note is".to_owned(),
    };
    let shout = FunctionSignature {
        parameters: vec![FunctionParameter {
            name: "text".into(),
            ty: Type::String,
            allow_null: false,
            allow_unknown: false,
            description: "What to shout".into(),
        }],
        variadic: None,
        returns: Type::String,
        summary: "Upper case".to_owned(),
        description: "The text in upper case".into(),
        deprecation: None,
    };
    ProviderSchema {
        provider: endpoint,
        provider_meta: None,
        resources: named([("tiny_note", note()), ("tiny_slow", note()), ("tiny_bomb", note())]),
        identities: [(Arc::from("tiny_note"), IdentitySchema { version: 0, attributes: vec![path] })].into(),
        data_sources: named([("tiny_length", schema([required("text"), computed("length", Type::Number)]))]),
        ephemeral_resources: named([("tiny_token", schema([required("for"), computed("token", Type::String)]))]),
        list_resources: named([("tiny_note", schema([optional("filter")]))]),
        state_stores: named([("tiny_store", schema([optional("prefix")]))]),
        actions: named([("tiny_ring", schema([])), ("tiny_mute", schema([])), ("tiny_crash", schema([]))]),
        functions: [(Arc::from("shout"), shout)].into(),
    }
}

/// The schema with a resource that protocol 5 cannot describe, and whose blocks are counted.
pub(super) fn with_nested() -> ProviderSchema {
    let mut folder = Attribute::nested("notes", Nesting::List, vec![required("path")]);
    folder.optional = true;
    let mut described = schema([folder]);
    described.block.blocks.push(NestedBlock {
        name: "page".into(),
        nesting: Nesting::List,
        block: schema([required("number")]).block,
        min_items: 1,
        max_items: 2,
    });
    let mut offered = provider();
    offered.resources.insert("tiny_folder".into(), described);
    offered
}
