//! Whether a value is what a schema asks for.

use denobridge_core::cty::{Path, PathStep, Value};
use denobridge_core::planning::rules;
use denobridge_core::schema::{Attribute, AttributeType, Block, Nesting};
use denobridge_core::{Diagnostic, Diagnostics};

/// Everything that is wrong with a configuration of this block, all at once: values of other types, required ones that are
/// missing, ones that only the provider may set, blocks in the wrong number, values that are not among the allowed ones.
/// Null is fine for what is optional; what is unknown is left for when it is known. Values are never quoted.
#[must_use]
pub fn check_value(block: &Block, value: &Value) -> Diagnostics {
    let mismatches = rules::object_conforms(block, value);
    if !mismatches.is_empty() {
        // A value of another shape has no parts to which the other rules could apply.
        let wrong_type = |violation: rules::Violation| {
            Diagnostic::error("Incorrect value type", violation.message).at(violation.path)
        };
        return mismatches.into_iter().map(wrong_type).collect();
    }
    let mut found = crate::validate::configuration(block, value);
    in_block(block, value, &mut Path::root(), &mut found);
    found
}

fn in_block(block: &Block, value: &Value, path: &mut Path, found: &mut Diagnostics) {
    in_attributes(&block.attributes, value, path, found);
    for nested in &block.blocks {
        let Some(content) = value.attribute(&nested.name) else { continue };
        path.push(PathStep::Attribute(nested.name.clone()));
        if nested.nesting == Nesting::Single && nested.min_items > 0 && content.is_null() {
            let detail = format!("There must be a \"{}\" block.", nested.name);
            found.push(Diagnostic::error("Too few blocks", detail).at(path.clone()));
        }
        each_object(nested.nesting, content, path, &mut |object, path| in_block(&nested.block, object, path, found));
        path.pop();
    }
}

fn in_attributes(attributes: &[Attribute], object: &Value, path: &mut Path, found: &mut Diagnostics) {
    for attribute in attributes {
        let Some(value) = object.attribute(&attribute.name) else { continue };
        path.push(PathStep::Attribute(attribute.name.clone()));
        allowed(attribute, value, path, found);
        if let AttributeType::Nested(nested) = &attribute.ty {
            each_object(nested.nesting, value, path, &mut |object, path| {
                in_attributes(&nested.attributes, object, path, found);
            });
        }
        path.pop();
    }
}

fn allowed(attribute: &Attribute, value: &Value, path: &Path, found: &mut Diagnostics) {
    let Some(annotations) = &attribute.annotations else { return };
    let values = &annotations.enum_values;
    if values.is_empty() || value.is_null() || !value.is_wholly_known() || values.contains(value) {
        return;
    }
    let names: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
    let detail = format!("\"{path}\" must be one of {}.", names.join(", "));
    found.push(Diagnostic::error("Value not allowed", detail).at(path.clone()));
}

fn each_object(nesting: Nesting, value: &Value, path: &mut Path, visit: &mut dyn FnMut(&Value, &mut Path)) {
    if matches!(nesting, Nesting::Single | Nesting::Group) {
        return visit(value, path);
    }
    let elements: Vec<(PathStep, &Value)> = match nesting {
        Nesting::Map => {
            value.as_entries().into_iter().flatten().map(|(key, item)| (PathStep::Key(key.clone()), item)).collect()
        }
        Nesting::Set => value.children().map(|item| (PathStep::Element(Box::new(item.clone())), item)).collect(),
        _ => (0..).map(PathStep::Index).zip(value.children()).collect(),
    };
    for (step, item) in elements {
        path.push(step);
        visit(item, path);
        path.pop();
    }
}
