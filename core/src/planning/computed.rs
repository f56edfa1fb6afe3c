//! What a provider may still compute: the plan that can be made without asking it.

use std::sync::Arc;

use super::compare::with_elements;
use crate::cty::Value;
use crate::schema::{Attribute, AttributeType, Block, NestedObject, Nesting};

/// The value of a block with everything unknown that is null and that the provider may compute: for who has to plan
/// although the provider cannot be asked.
#[must_use]
pub fn computed_unknown(block: &Block, value: &Value) -> Value {
    if value.is_null() || !value.is_known() {
        return value.clone();
    }
    let value = in_attributes(&block.attributes, value);
    block.blocks.iter().fold(value, |value, nested| {
        let Some(content) = value.attribute(&nested.name) else { return value };
        let computed = in_objects(nested.nesting, content, |object| computed_unknown(&nested.block, object));
        value.with_attribute(Arc::clone(&nested.name), computed)
    })
}

fn in_attributes(attributes: &[Attribute], object: &Value) -> Value {
    attributes.iter().fold(object.clone(), |object, attribute| {
        let Some(value) = object.attribute(&attribute.name) else { return object };
        let computed = match &attribute.ty {
            _ if attribute.computed && value.is_null() => Value::unknown(attribute.implied_type()),
            AttributeType::Nested(nested) => in_nested(nested, value),
            AttributeType::Plain(_) => return object,
        };
        object.with_attribute(Arc::clone(&attribute.name), computed)
    })
}

fn in_nested(nested: &NestedObject, value: &Value) -> Value {
    in_objects(nested.nesting, value, |object| {
        if object.is_null() || !object.is_known() { object.clone() } else { in_attributes(&nested.attributes, object) }
    })
}

fn in_objects(nesting: Nesting, value: &Value, change: impl Fn(&Value) -> Value) -> Value {
    match nesting {
        Nesting::Single | Nesting::Group => change(value),
        Nesting::List | Nesting::Set | Nesting::Map => with_elements(value, value.children().map(change).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cty::Type;
    use crate::schema::NestedBlock;

    fn block(name: &str, blocks: Vec<NestedBlock>) -> Block {
        let mut computed = Attribute::new(name, Type::String);
        (computed.computed, computed.optional) = (true, true);
        let mut plain = Attribute::new("plain", Type::String);
        plain.optional = true;
        Block { attributes: vec![computed, plain], blocks, ..Block::default() }
    }

    #[test]
    fn only_what_is_null_and_computed_becomes_unknown() {
        let inner = block("port", Vec::new());
        let nested = NestedBlock {
            name: "rule".into(),
            nesting: Nesting::List,
            block: inner.clone(),
            min_items: 0,
            max_items: 0,
        };
        let outer = block("id", vec![nested]);
        let (null, text) = (Value::null(Type::String), Value::string("x"));
        let rule = |port: &Value| Value::object([("port", port.clone()), ("plain", null.clone())]);
        let of = |id: &Value, rules: [Value; 2]| {
            let rules = Value::list(inner.implied_type(), rules);
            Value::object([("id", id.clone()), ("plain", null.clone()), ("rule", rules)])
        };
        let unknown = Value::unknown(Type::String);
        let planned = computed_unknown(&outer, &of(&null, [rule(&text), rule(&null)]));
        assert_eq!(planned, of(&unknown, [rule(&text), rule(&unknown)]));
    }
}
