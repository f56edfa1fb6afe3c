//! From property values to Terraform's values.

use std::sync::Arc;

use denobridge_core::cty::{Marks, Number, Type, Value, convert, unify};
use denobridge_core::schema::Nesting;
use denobridge_sdk_gen::{Field, ObjectNames, Shape, Source};

use super::{TranslateError, TranslateProblem};
use crate::property_value::{Asset, AssetContent, Output, PropertyMap, PropertyValue, ResourceReferenceId};

/// Whose values are read, which decides what is asked of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A program's inputs: names must exist and be settable.
    Program,
    /// Stored outputs: the id counts, and names that the schema does not have (any more) are passed over.
    State,
}

/// The whole object of a schema's root block. Every part that cannot be translated is reported and null.
#[must_use]
pub fn root(properties: &PropertyMap, names: &ObjectNames, origin: Origin) -> (Value, Vec<TranslateError>) {
    let mut errors = Vec::new();
    let attributes: Vec<_> = names
        .fields()
        .map(|field| {
            let property = match origin {
                Origin::Program if field.is_id => None,
                Origin::State if field.write_only => None,
                _ => properties.get(&*field.pulumi),
            };
            let value = field_value(field, property, origin).unwrap_or_else(|error| {
                errors.push(error.inside_key(&field.pulumi));
                absent(field)
            });
            (Arc::clone(&field.terraform), value)
        })
        .collect();
    if origin == Origin::Program {
        errors.extend(unexpected_properties(properties, names));
    }
    (Value::object(attributes), errors)
}

/// The properties that programs may not set.
#[must_use]
pub fn unexpected_properties(properties: &PropertyMap, names: &ObjectNames) -> Vec<TranslateError> {
    properties.iter().filter_map(|(name, value)| unexpected(name, value, names)).collect()
}

/// The elements of a list, each by itself: unlike those of a list value, they need not be of one type.
///
/// # Errors
/// See [`TranslateProblem`].
pub fn elements(field: &Field, property: Option<&PropertyValue>, origin: Origin) -> Result<Vec<Value>, TranslateError> {
    let element = field.shape.element().unwrap_or(&Shape::Dynamic);
    let ty = field.ty.element().cloned().unwrap_or(Type::Dynamic);
    let secret = property.is_some_and(PropertyValue::is_secret);
    let marks = if secret { Marks::SECRET } else { Marks::NONE };
    match property.map(PropertyValue::plain) {
        None | Some(PropertyValue::Null) => Ok(Vec::new()),
        // How many there are is not known; that something is not known suffices.
        Some(PropertyValue::Unknown) => Ok(vec![Value::unknown(ty).with_marks(marks)]),
        Some(PropertyValue::Array(items)) => {
            let items = items.iter().enumerate().map(|(index, item)| {
                let value = shaped(item, element, &ty, origin);
                value.map(|value| value.with_marks(marks)).map_err(|error| error.inside_index(index))
            });
            items.collect()
        }
        Some(other) => kind("an array", other),
    }
}

/// What is wrong with setting this property at all. Names that start with two underscores are the engine's own.
fn unexpected(name: &str, value: &PropertyValue, names: &ObjectNames) -> Option<TranslateError> {
    if name.starts_with("__") || value.is_null() {
        return None;
    }
    match names.by_pulumi(name) {
        Some(field) if field.is_input() => None,
        Some(_) => Some(TranslateError::new(TranslateProblem::ReadOnly).inside_key(name)),
        None => {
            let known = names.fields().filter(|field| field.is_input()).map(|field| field.pulumi.to_string()).collect();
            let problem = TranslateProblem::UnknownProperty { name: name.to_owned(), known };
            Some(TranslateError::new(problem).inside_key(name))
        }
    }
}

/// One property as the value of its attribute or block.
///
/// # Errors
/// See [`TranslateProblem`].
pub fn field_value(field: &Field, property: Option<&PropertyValue>, origin: Origin) -> Result<Value, TranslateError> {
    let Some(property) = property.filter(|property| !property.is_null()) else { return Ok(absent(field)) };
    if field.flattened
        && let Some(element) = field.shape.element()
    {
        let element_type = field.ty.element().cloned().unwrap_or(Type::Dynamic);
        let value = shaped(property, element, &element_type, origin)?;
        return collection(&field.shape, &field.ty, vec![value]);
    }
    shaped(property, &field.shape, &field.ty, origin)
}

/// What an attribute or block is when nothing is said about it.
fn absent(field: &Field) -> Value {
    let Source::Block(nesting) = field.source else { return Value::null(field.ty.clone()) };
    match (nesting, &field.shape) {
        (Nesting::Group, Shape::Object(names)) => {
            Value::object(names.fields().map(|inner| (Arc::clone(&inner.terraform), absent(inner))))
        }
        (Nesting::List | Nesting::Set | Nesting::Map, shape) => empty(shape, &field.ty),
        _ => Value::null(field.ty.clone()),
    }
}

fn empty(shape: &Shape, ty: &Type) -> Value {
    match (shape, ty) {
        (_, Type::List(element)) => Value::list((**element).clone(), []),
        (_, Type::Set(element)) => Value::set((**element).clone(), []),
        (_, Type::Map(element)) => Value::map::<&str>((**element).clone(), []),
        // Blocks with dynamic content have no collection type: Terraform makes tuples and objects of them.
        (Shape::Map(_), _) => Value::object::<Arc<str>>([]),
        _ => Value::tuple([]),
    }
}

fn shaped(value: &PropertyValue, shape: &Shape, ty: &Type, origin: Origin) -> Result<Value, TranslateError> {
    match value {
        PropertyValue::Secret(inner) => Ok(shaped(inner, shape, ty, origin)?.with_marks(Marks::SECRET)),
        PropertyValue::Output(Output { value, secret, .. }) => {
            let marks = if *secret { Marks::SECRET } else { Marks::NONE };
            let value = match value {
                Some(inner) => shaped(inner, shape, ty, origin)?,
                None => Value::unknown(ty.clone()),
            };
            Ok(value.with_marks(marks))
        }
        PropertyValue::Unknown => Ok(Value::unknown(ty.clone())),
        PropertyValue::Null => Ok(Value::null(ty.clone())),
        PropertyValue::Asset(asset) => asset_text(asset).and_then(|text| shaped(&text, shape, ty, origin)),
        PropertyValue::Resource(reference) => match &reference.id {
            Some(ResourceReferenceId::Known(id)) => shaped(&PropertyValue::String(id.clone()), shape, ty, origin),
            Some(ResourceReferenceId::Unknown) => Ok(Value::unknown(ty.clone())),
            None => unsupported("a component resource", ", since it has no id"),
        },
        PropertyValue::Archive(_) => unsupported("an archive", ""),
        PropertyValue::Bytes(_) => unsupported("text that is not UTF-8", ""),
        plain => match shape {
            Shape::String => string(plain),
            Shape::Number => number(plain),
            Shape::Bool => boolean(plain),
            Shape::Dynamic => dynamic(plain),
            Shape::List(element) | Shape::Set(element) => array(plain, shape, element, ty, origin),
            Shape::Map(element) => map(plain, element, ty, origin),
            Shape::Object(names) => object(plain, names, origin),
            Shape::Tuple(elements) => tuple(plain, elements, ty, origin),
        },
    }
}

fn unsupported<T>(what: &'static str, why: &'static str) -> Result<T, TranslateError> {
    Err(TranslateError::new(TranslateProblem::Unsupported(what, why)))
}

fn kind<T>(expected: &'static str, value: &PropertyValue) -> Result<T, TranslateError> {
    Err(TranslateError::new(TranslateProblem::Kind { expected, found: value.kind_name() }))
}

/// The content of an asset. Where only the hash is known (the engine keeps the rest) the text is not known here;
/// [`crate::assets`] has put the content of files in place before.
fn asset_text(asset: &Asset) -> Result<PropertyValue, TranslateError> {
    match &asset.content {
        Some(AssetContent::Text(text)) => Ok(PropertyValue::String(text.clone())),
        None => Ok(PropertyValue::Unknown),
        Some(AssetContent::Path(_)) => unsupported("a file asset", " here, since its content was not read"),
        Some(AssetContent::Uri(_)) => unsupported("an asset to download", "; download it in the program"),
    }
}

/// The number that the shortest decimal text of a double says.
#[must_use]
pub fn exact(double: f64) -> Option<Number> {
    // Display never writes an exponent, and writes the shortest digits that read back as the same double.
    if double.is_finite() { double.to_string().parse().ok() } else { None }
}

fn string(value: &PropertyValue) -> Result<Value, TranslateError> {
    match value {
        PropertyValue::String(text) => Ok(Value::string(text)),
        PropertyValue::Bool(value) => Ok(Value::string(value.to_string())),
        PropertyValue::Number(double) => match exact(*double) {
            Some(number) => Ok(Value::string(number.to_string())),
            None => Err(TranslateError::new(TranslateProblem::NotFinite)),
        },
        other => kind("a string", other),
    }
}

fn number(value: &PropertyValue) -> Result<Value, TranslateError> {
    match value {
        PropertyValue::Number(double) => match exact(*double) {
            Some(number) => Ok(Value::number(number)),
            None => Err(TranslateError::new(TranslateProblem::NotFinite)),
        },
        // No text is no number: some languages have it where nothing is set.
        PropertyValue::String(text) if text.is_empty() => Ok(Value::null(Type::Number)),
        // Text is how a program passes a number that no double holds.
        PropertyValue::String(text) => match text.parse::<Number>() {
            Ok(number) => Ok(Value::number(number)),
            Err(_) => Err(TranslateError::new(TranslateProblem::NotANumber)),
        },
        other => kind("a number", other),
    }
}

fn boolean(value: &PropertyValue) -> Result<Value, TranslateError> {
    match value {
        PropertyValue::Bool(value) => Ok(Value::bool(*value)),
        PropertyValue::String(text) if text == "true" => Ok(Value::bool(true)),
        PropertyValue::String(text) if text == "false" => Ok(Value::bool(false)),
        other => kind("a boolean", other),
    }
}

fn dynamic(value: &PropertyValue) -> Result<Value, TranslateError> {
    let inside = |value: &PropertyValue| shaped(value, &Shape::Dynamic, &Type::Dynamic, Origin::Program);
    match value {
        PropertyValue::Bool(_) => boolean(value),
        PropertyValue::Number(_) => number(value),
        PropertyValue::Array(items) => {
            let items = items.iter().enumerate();
            let items = items.map(|(index, item)| inside(item).map_err(|error| error.inside_index(index)));
            Ok(Value::tuple(items.collect::<Result<Vec<_>, _>>()?))
        }
        PropertyValue::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| match inside(value) {
                Ok(value) => Ok((key.as_str(), value)),
                Err(error) => Err(error.inside_key(key)),
            });
            Ok(Value::object(entries.collect::<Result<Vec<_>, _>>()?))
        }
        other => string(other),
    }
}

fn array(
    value: &PropertyValue,
    shape: &Shape,
    element: &Shape,
    ty: &Type,
    origin: Origin,
) -> Result<Value, TranslateError> {
    let PropertyValue::Array(items) = value else { return kind("an array", value) };
    let element_type = ty.element().cloned().unwrap_or_else(|| element.ty());
    let items = items.iter().enumerate();
    let items = items
        .map(|(index, item)| shaped(item, element, &element_type, origin).map_err(|error| error.inside_index(index)));
    collection(shape, ty, items.collect::<Result<_, _>>()?)
}

/// A list or set of these elements, or the tuple that stands for blocks with dynamic content.
fn collection(shape: &Shape, ty: &Type, items: Vec<Value>) -> Result<Value, TranslateError> {
    let Some(element) = ty.element() else { return Ok(Value::tuple(items)) };
    let (element, items) = one_type(element, items)?;
    Ok(match shape {
        Shape::Set(_) => Value::set(element, items),
        _ => Value::list(element, items),
    })
}

/// The elements of a collection brought to one type, where the schema leaves it open.
fn one_type(element: &Type, items: Vec<Value>) -> Result<(Type, Vec<Value>), TranslateError> {
    if !element.has_dynamic() || items.is_empty() {
        return Ok((element.clone(), items));
    }
    let mixed = || TranslateError::new(TranslateProblem::MixedElements);
    let types: Vec<Type> = items.iter().map(Value::ty).collect();
    let common = unify::unify(&types, false).ok_or_else(mixed)?;
    let items = items.iter().map(|item| convert::convert(item, &common).map_err(|_| mixed()));
    Ok((common.clone(), items.collect::<Result<_, _>>()?))
}

fn map(value: &PropertyValue, element: &Shape, ty: &Type, origin: Origin) -> Result<Value, TranslateError> {
    let PropertyValue::Object(entries) = value else { return kind("an object", value) };
    let element_type = ty.element().cloned().unwrap_or_else(|| element.ty());
    let mut keys = Vec::new();
    let mut values = Vec::new();
    for (key, value) in entries {
        keys.push(key.as_str());
        values.push(shaped(value, element, &element_type, origin).map_err(|error| error.inside_key(key))?);
    }
    let Some(element) = ty.element() else { return Ok(Value::object(keys.into_iter().zip(values))) };
    let (element, values) = one_type(element, values)?;
    Ok(Value::map(element, keys.into_iter().zip(values)))
}

fn object(value: &PropertyValue, names: &ObjectNames, origin: Origin) -> Result<Value, TranslateError> {
    let PropertyValue::Object(entries) = value else { return kind("an object", value) };
    if origin == Origin::Program
        && let Some(error) = entries.iter().find_map(|(name, value)| unexpected(name, value, names))
    {
        return Err(error);
    }
    let attributes = names.fields().map(|field| match field_value(field, entries.get(&*field.pulumi), origin) {
        Ok(value) => Ok((Arc::clone(&field.terraform), value)),
        Err(error) => Err(error.inside_key(&field.pulumi)),
    });
    Ok(Value::object(attributes.collect::<Result<Vec<_>, _>>()?))
}

fn tuple(value: &PropertyValue, shapes: &[Shape], ty: &Type, origin: Origin) -> Result<Value, TranslateError> {
    let PropertyValue::Array(items) = value else { return kind("an array", value) };
    if items.len() != shapes.len() {
        let problem = TranslateProblem::Length { expected: shapes.len(), found: items.len() };
        return Err(TranslateError::new(problem));
    }
    let element_type = |index: usize, shape: &Shape| match ty {
        Type::Tuple(elements) => elements.get(index).cloned().unwrap_or(Type::Dynamic),
        _ => shape.ty(),
    };
    let items = items.iter().zip(shapes).enumerate().map(|(index, (item, shape))| {
        shaped(item, shape, &element_type(index, shape), origin).map_err(|error| error.inside_index(index))
    });
    Ok(Value::tuple(items.collect::<Result<Vec<_>, _>>()?))
}
