//! Tables of tests for the proposed new state and every rule, and property tests that hold them to each other.

mod action;
mod apply;
mod config;
mod plan;
mod properties;
mod proposed;
mod results;

use crate::cty::{Type, Value};
use crate::schema::{Attribute, Block, NestedBlock, Nesting};

/// An attribute with flags: `r`equired, `o`ptional, `c`omputed, `s`ensitive, `w`rite-only.
fn attribute(name: &str, ty: Type, flags: &str) -> Attribute {
    flagged(Attribute::new(name, ty), flags)
}

fn nested(name: &str, nesting: Nesting, flags: &str, attributes: Vec<Attribute>) -> Attribute {
    flagged(Attribute::nested(name, nesting, attributes), flags)
}

fn flagged(mut attribute: Attribute, flags: &str) -> Attribute {
    attribute.required = flags.contains('r');
    attribute.optional = flags.contains('o');
    attribute.computed = flags.contains('c');
    attribute.sensitive = flags.contains('s');
    attribute.write_only = flags.contains('w');
    attribute
}

fn block(attributes: Vec<Attribute>, blocks: Vec<NestedBlock>) -> Block {
    Block { attributes, blocks, ..Block::default() }
}

fn nested_block(name: &str, nesting: Nesting, attributes: Vec<Attribute>) -> NestedBlock {
    NestedBlock { name: name.into(), nesting, block: block(attributes, Vec::new()), min_items: 0, max_items: 0 }
}

/// A string and a computed string: what most cases need.
fn plain_and_computed() -> Vec<Attribute> {
    vec![attribute("name", Type::String, "o"), attribute("id", Type::String, "oc")]
}

fn text(text: &str) -> Value {
    Value::string(text)
}

fn none() -> Value {
    Value::null(Type::String)
}

fn unknown() -> Value {
    Value::unknown(Type::String)
}

fn object<const N: usize>(attributes: [(&str, Value); N]) -> Value {
    Value::object(attributes)
}

/// An object of [`plain_and_computed`].
fn item(name: Value, id: Value) -> Value {
    object([("name", name), ("id", id)])
}

fn item_type() -> Type {
    Type::object([("name", Type::String), ("id", Type::String)])
}

fn items<const N: usize>(nesting: Nesting, items: [Value; N]) -> Value {
    match nesting {
        Nesting::List => Value::list(item_type(), items),
        Nesting::Set => Value::set(item_type(), items),
        Nesting::Map => Value::map(item_type(), ["a", "b", "c", "d"].into_iter().zip(items)),
        Nesting::Single | Nesting::Group => items.into_iter().next().unwrap_or_else(|| Value::null(item_type())),
    }
}

/// Violations as text with their rule's number.
fn shown(violations: &[super::rules::Violation]) -> Vec<String> {
    violations.iter().map(|violation| format!("{} {violation}", violation.rule.code())).collect()
}
