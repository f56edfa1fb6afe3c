//! Whether a configuration is what a schema asks for. Unknown values pass: their turn comes at apply.

use denobridge_core::cty::{Path, PathStep, Value};
use denobridge_core::schema::{Attribute, AttributeType, Block, NestedBlock, Nesting};
use denobridge_core::{Diagnostic, Diagnostics};

/// Everything that is wrong with the configuration `value` of a component with this block, all at once.
#[must_use]
pub fn configuration(block: &Block, value: &Value) -> Diagnostics {
    let mut found = Diagnostics::new();
    in_block(block, value, &mut Path::root(), &mut found);
    found
}

fn in_block(block: &Block, value: &Value, path: &mut Path, found: &mut Diagnostics) {
    in_attributes(&block.attributes, value, path, found);
    for nested in &block.blocks {
        path.push(PathStep::Attribute(nested.name.clone()));
        if let Some(value) = value.attribute(&nested.name) {
            in_nested_block(nested, value, path, found);
        }
        path.pop();
    }
}

fn in_attributes(attributes: &[Attribute], value: &Value, path: &mut Path, found: &mut Diagnostics) {
    if value.is_null() || !value.is_known() {
        return;
    }
    for attribute in attributes {
        path.push(PathStep::Attribute(attribute.name.clone()));
        let set = value.attribute(&attribute.name).filter(|value| !value.is_null());
        match (set, &attribute.ty) {
            (None, _) if attribute.required => found.push(missing(path)),
            (Some(_), _) if attribute.computed && !attribute.optional && !attribute.required => {
                found.push(read_only(path));
            }
            (Some(value), _) if !allowed(attribute, value) => found.push(not_allowed(attribute, path)),
            (Some(value), AttributeType::Nested(nested)) => {
                each_object(nested.nesting, value, path, &mut |object, path| {
                    in_attributes(&nested.attributes, object, path, found);
                });
            }
            _ => {}
        }
        path.pop();
    }
}

fn in_nested_block(nested: &NestedBlock, value: &Value, path: &mut Path, found: &mut Diagnostics) {
    if nested.nesting == Nesting::Single && nested.min_items > 0 && value.is_null() {
        found.push(wrong_count("Too few blocks", nested, "at least", nested.min_items, 0).at(path.clone()));
    }
    if matches!(nested.nesting, Nesting::List | Nesting::Set)
        && let Some(items) = value.as_elements()
    {
        let count = items.len() as u64;
        if count < nested.min_items {
            found.push(wrong_count("Too few blocks", nested, "at least", nested.min_items, count).at(path.clone()));
        }
        if nested.max_items > 0 && count > nested.max_items {
            found.push(wrong_count("Too many blocks", nested, "at most", nested.max_items, count).at(path.clone()));
        }
    }
    each_object(nested.nesting, value, path, &mut |object, path| in_block(&nested.block, object, path, found));
}

fn each_object(nesting: Nesting, value: &Value, path: &mut Path, visit: &mut dyn FnMut(&Value, &mut Path)) {
    let visit_at = |step: PathStep, item: &Value, path: &mut Path, visit: &mut dyn FnMut(&Value, &mut Path)| {
        path.push(step);
        visit(item, path);
        path.pop();
    };
    match nesting {
        Nesting::Single | Nesting::Group => visit(value, path),
        Nesting::List | Nesting::Set => {
            for (index, item) in value.as_elements().unwrap_or_default().iter().enumerate() {
                let step = match nesting {
                    Nesting::Set => PathStep::Element(Box::new(item.clone())),
                    _ => PathStep::Index(i64::try_from(index).unwrap_or(i64::MAX)),
                };
                visit_at(step, item, path, visit);
            }
        }
        Nesting::Map => {
            for (key, item) in value.as_entries().into_iter().flatten() {
                visit_at(PathStep::Key(key.clone()), item, path, visit);
            }
        }
    }
}

/// Whether it is one of the values that the attribute may have, or not known yet.
fn allowed(attribute: &Attribute, value: &Value) -> bool {
    let values = attribute.annotations.as_ref().map(|annotations| &annotations.enum_values);
    values.is_none_or(|values| values.is_empty() || !value.is_wholly_known() || values.contains(value))
}

fn not_allowed(attribute: &Attribute, path: &Path) -> Diagnostic {
    let values = attribute.annotations.iter().flat_map(|annotations| &annotations.enum_values);
    let names: Vec<String> = values.map(|value| format!("{value:?}")).collect();
    Diagnostic::error("Value not allowed", format!("\"{path}\" must be one of {}.", names.join(", "))).at(path.clone())
}

fn missing(path: &Path) -> Diagnostic {
    Diagnostic::error("Missing required argument", format!("The argument \"{path}\" is required, but was not set."))
        .at(path.clone())
}

fn read_only(path: &Path) -> Diagnostic {
    Diagnostic::error(
        "Value for a read-only attribute",
        format!("\"{path}\" is decided by the provider and cannot be set. Remove it from the configuration."),
    )
    .at(path.clone())
}

fn wrong_count(summary: &str, nested: &NestedBlock, bound: &str, limit: u64, count: u64) -> Diagnostic {
    Diagnostic::error(summary, format!("There must be {bound} {limit} \"{}\" blocks, not {count}.", nested.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use denobridge_core::cty::Type;

    fn block() -> Block {
        let mut name = Attribute::new("name", Type::String);
        name.required = true;
        let mut id = Attribute::new("id", Type::String);
        id.computed = true;
        let nested = Attribute::nested("rules", Nesting::List, vec![name.clone()]);
        Block { attributes: vec![name, id, nested], ..Block::default() }
    }

    fn config(name: Value, id: Value, rule_name: Value) -> Value {
        let rule = Value::object([("name", rule_name)]);
        Value::object([("name", name), ("id", id), ("rules", Value::list(rule.ty(), [rule]))])
    }

    fn problems(config: &Value) -> Vec<(String, String)> {
        let found = configuration(&block(), config);
        found.iter().map(|problem| (problem.summary.clone(), problem.attribute.to_string())).collect()
    }

    #[test]
    fn everything_wrong_is_said_at_once_with_its_path() {
        let null = || Value::null(Type::String);
        assert_eq!(
            problems(&config(null(), Value::string("x"), null())),
            [
                ("Missing required argument".to_owned(), "name".to_owned()),
                ("Value for a read-only attribute".to_owned(), "id".to_owned()),
                ("Missing required argument".to_owned(), "rules[0].name".to_owned()),
            ]
        );
    }

    #[test]
    fn unknown_values_pass() {
        let unknown = || Value::unknown(Type::String);
        assert_eq!(problems(&config(unknown(), Value::null(Type::String), unknown())), []);
        assert_eq!(problems(&Value::unknown(block().implied_type())), []);
    }
}
