//! What a block is when the configuration says nothing: all attributes null, no nested blocks.

use std::sync::Arc;

use super::compare::{elements, with_elements};
use crate::cty::{Type, Value};
use crate::schema::{Block, NestedBlock, Nesting};

/// The value of a block without any content. Nested blocks are empty collections, not nulls; a single block is null, a
/// group is empty itself.
#[must_use]
pub fn empty_block(block: &Block) -> Value {
    let attributes =
        block.attributes.iter().map(|attribute| (Arc::clone(&attribute.name), Value::null(attribute.implied_type())));
    let blocks = block.blocks.iter().map(|nested| (Arc::clone(&nested.name), empty_nested_block(nested)));
    Value::object(attributes.chain(blocks))
}

/// The value of a nested block that is not there at all.
pub(super) fn empty_nested_block(nested: &NestedBlock) -> Value {
    let content = nested.block.implied_type();
    match nested.nesting {
        Nesting::Single => Value::null(content),
        Nesting::Group => empty_block(&nested.block),
        Nesting::Set => Value::set(content, []),
        // Blocks with dynamic attributes may each have a type of their own, so no collection holds them.
        Nesting::List if content.has_dynamic() => Value::tuple([]),
        Nesting::List => Value::list(content, []),
        Nesting::Map if content.has_dynamic() => Value::object::<Arc<str>>([]),
        Nesting::Map => Value::map::<Arc<str>>(content, []),
    }
}

/// The configuration as it goes to the provider: computed blocks that the configuration leaves out are null instead of
/// empty, which is how a provider knows that it may fill them (protocol 6.11).
#[must_use]
pub fn unset_computed_blocks(block: &Block, config: &Value) -> Value {
    if !has_computed_blocks(block) || config.is_null() || !config.is_known() {
        return config.clone();
    }
    block.blocks.iter().fold(config.clone(), |config, nested| {
        let Some(value) = config.attribute(&nested.name).cloned() else { return config };
        if value.is_null() || !value.is_known() {
            return config;
        }
        let collection = !matches!(nested.nesting, Nesting::Single | Nesting::Group);
        let value = if collection && elements(&value).is_empty() {
            if nested.block.computed { Value::null(type_of(&value, nested)) } else { value }
        } else if collection {
            let content = value.children().map(|element| unset_computed_blocks(&nested.block, element)).collect();
            with_elements(&value, content)
        } else {
            unset_computed_blocks(&nested.block, &value)
        };
        config.with_attribute(Arc::clone(&nested.name), value)
    })
}

fn type_of(value: &Value, nested: &NestedBlock) -> Type {
    // The schema's type where it is settled; blocks with dynamic attributes are typed by their value.
    match nested.implied_type() {
        Type::Dynamic => value.ty(),
        settled => settled,
    }
}

fn has_computed_blocks(block: &Block) -> bool {
    block.blocks.iter().any(|nested| nested.block.computed || has_computed_blocks(&nested.block))
}
