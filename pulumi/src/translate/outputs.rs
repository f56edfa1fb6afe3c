//! From Terraform's values to property values.

use denobridge_core::cty::{Number, Value, ValueKind};
use denobridge_sdk_gen::{Field, ObjectNames, Shape, Source};

use crate::property_value::{PropertyMap, PropertyValue};

/// The properties of an object of a schema's root block. Null attributes and empty blocks are left out (but for blocks
/// of the Go bridge's packages, which keep empty ones), since the engine would store the nulls; write-only attributes
/// are never among outputs. Sensitive attributes and marked values come
/// out as secrets, at the place where they are.
#[must_use]
pub fn root(value: &Value, names: &ObjectNames) -> PropertyMap {
    names.fields().filter_map(|field| Some((field.pulumi.to_string(), field_property(field, value)?))).collect()
}

/// Outputs with every secret at its root property: one that holds a secret anywhere becomes a secret as a whole.
///
/// That is what the SDKs for Node, Python and Go make of a nested secret when a program reads the property. Pulumi YAML
/// does not: a program that passes on an object with a secret inside passes on an empty object in its place, or, through
/// a function such as `fn::toJSON`, the secret in clear.
#[must_use]
pub fn for_programs(outputs: PropertyMap) -> PropertyMap {
    let hoisted = |value: PropertyValue| {
        if value.contains_secret() { value.without_secrets().into_secret() } else { value }
    };
    outputs.into_iter().map(|(name, value)| (name, hoisted(value))).collect()
}

/// The property of one field of an object; `None` where there is nothing to say.
#[must_use]
pub fn field_property(field: &Field, object: &Value) -> Option<PropertyValue> {
    if field.write_only {
        return None;
    }
    let value = object.attribute(&field.terraform)?;
    let is_nothing = matches!(field.source, Source::Block(_)) && value.is_known() && is_empty(value, field);
    if value.is_null() || (is_nothing && !field.kept_empty) {
        return None;
    }
    let property = if field.flattened && value.is_known() {
        let element = field.shape.element().unwrap_or(&Shape::Dynamic);
        let only = value.as_elements().and_then(<[Value]>::first)?;
        wrapped(only, element).into_secret_if(!value.marks().is_empty())
    } else {
        wrapped(value, &field.shape)
    };
    Some(property.into_secret_if(field.sensitive))
}

/// A value that is all there is, as the property that the field names. It is there even where it is null.
#[must_use]
pub fn only(field: &Field, value: &Value) -> (String, PropertyValue) {
    (field.pulumi.to_string(), wrapped(value, &field.shape))
}

/// A value with the names that it has in Terraform.
#[must_use]
pub fn as_it_is(value: &Value) -> PropertyValue {
    wrapped(value, &Shape::Dynamic)
}

fn is_empty(value: &Value, field: &Field) -> bool {
    !matches!(field.shape, Shape::Object(_)) && value.children().next().is_none()
}

/// The value as a property, a secret where it is marked.
fn wrapped(value: &Value, shape: &Shape) -> PropertyValue {
    bare(value, shape).into_secret_if(!value.marks().is_empty())
}

fn bare(value: &Value, shape: &Shape) -> PropertyValue {
    match value.kind() {
        ValueKind::Null(_) => PropertyValue::Null,
        ValueKind::Unknown(..) => PropertyValue::Unknown,
        ValueKind::Bool(value) => PropertyValue::Bool(*value),
        ValueKind::Number(number) => double(number),
        ValueKind::String(text) => PropertyValue::String(text.to_string()),
        ValueKind::List(_, items) | ValueKind::Set(_, items) | ValueKind::Tuple(items) => PropertyValue::Array(
            items.iter().enumerate().map(|(index, item)| wrapped(item, element_shape(shape, index))).collect(),
        ),
        ValueKind::Map(_, entries) => PropertyValue::Object(
            entries.iter().map(|(key, value)| (key.to_string(), wrapped(value, element_shape(shape, 0)))).collect(),
        ),
        ValueKind::Object(attributes) => match shape {
            Shape::Object(names) => PropertyValue::Object(root(value, names)),
            // An object under a map shape is a map of blocks with dynamic content.
            shape => PropertyValue::Object(
                attributes
                    .iter()
                    .map(|(key, value)| (key.to_string(), wrapped(value, element_shape(shape, 0))))
                    .collect(),
            ),
        },
    }
}

/// The shape of the element of an array (or of any entry of a map) at an index.
pub(crate) fn element_shape(shape: &Shape, index: usize) -> &Shape {
    match shape {
        Shape::Tuple(elements) => elements.get(index).unwrap_or(&Shape::Dynamic),
        other => other.element().unwrap_or(&Shape::Dynamic),
    }
}

/// The nearest double. A number beyond the doubles comes out as text, since the engine takes no infinity.
fn double(number: &Number) -> PropertyValue {
    let double = number.to_f64();
    if double.is_finite() { PropertyValue::Number(double) } else { PropertyValue::String(number.to_string()) }
}

impl PropertyValue {
    fn into_secret_if(self, secret: bool) -> Self {
        if secret { self.into_secret() } else { self }
    }
}
