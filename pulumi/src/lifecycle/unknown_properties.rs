//! Properties that the schema does not have, in inputs for a foreign provider.
//!
//! They are passed over: see [`Conventions::passes_over_unknown_properties`](crate::Conventions).

use denobridge_sdk_gen::{ComponentKind, ObjectNames, PropertyPath, PropertyStep, Shape};

use super::Operation;
use crate::property_value::{Output, PropertyMap, PropertyValue};
use crate::translate::similar;

impl Operation {
    /// Takes out what the schema does not have, where that is passed over, and returns where it was.
    pub(crate) fn take_unknown(&self, inputs: &mut PropertyMap) -> Vec<Unknown> {
        let mut found = Vec::new();
        // A call of a function names its arguments one by one, and settings are few and checked by name.
        let checked = matches!(self.kind(), None | Some(ComponentKind::Function));
        if !checked && self.conventions().passes_over_unknown_properties() {
            take(inputs, self.fields(), &mut PropertyPath::root(), &mut found);
        }
        found
    }

    /// Tells the user what is passed over.
    pub(crate) fn warn_of_unknown(&self, found: &[Unknown]) {
        for Unknown { path, similar } in found {
            let hint = similar.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
            self.warn_once(&format!("`{path}` is passed over, since there is no such property{hint}"));
        }
    }
}

/// A property that the schema does not have.
pub(crate) struct Unknown {
    path: PropertyPath,
    /// A name that the schema has there.
    similar: Option<String>,
}

fn take(inputs: &mut PropertyMap, names: &ObjectNames, path: &mut PropertyPath, found: &mut Vec<Unknown>) {
    inputs.retain(|name, value| {
        // Names that start with two underscores are the engine's own, and null is as good as nothing.
        if name.starts_with("__") || value.is_null() {
            return true;
        }
        path.push(PropertyStep::Name(name.as_str().into()));
        let field = names.by_pulumi(name);
        match field {
            Some(field) => take_inside(value, &field.shape, path, found),
            None => {
                let known = names.fields().filter(|field| field.is_input()).map(|field| &*field.pulumi);
                let similar = similar(name, known).map(str::to_owned);
                found.push(Unknown { path: path.clone(), similar });
            }
        }
        path.pop();
        field.is_some()
    });
}

fn take_inside(value: &mut PropertyValue, shape: &Shape, path: &mut PropertyPath, found: &mut Vec<Unknown>) {
    match (value, shape) {
        (PropertyValue::Secret(inner) | PropertyValue::Output(Output { value: Some(inner), .. }), shape) => {
            take_inside(inner, shape, path, found);
        }
        (PropertyValue::Object(entries), Shape::Object(names)) => take(entries, names, path, found),
        (PropertyValue::Object(entries), Shape::Map(element)) => {
            for (key, value) in entries {
                path.push(PropertyStep::Name(key.as_str().into()));
                take_inside(value, element, path, found);
                path.pop();
            }
        }
        (PropertyValue::Array(items), Shape::List(element) | Shape::Set(element)) => {
            for (index, value) in items.iter_mut().enumerate() {
                path.push(PropertyStep::Index(index));
                take_inside(value, element, path, found);
                path.pop();
            }
        }
        // A flattened list or set is its only element by itself.
        (value @ PropertyValue::Object(_), Shape::List(element) | Shape::Set(element)) => {
            take_inside(value, element, path, found);
        }
        _ => {}
    }
}
