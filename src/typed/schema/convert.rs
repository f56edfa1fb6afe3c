//! Values between attributes and scripts: names change, and what was not given is not there.

use std::fmt;
use std::sync::Arc;

use denobridge_core::cty::{Type, Value, ValueKind};

use super::shape::{Property, Shape};

/// A value of a script that does not fit its schema. Never quotes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::typed) struct Misfit {
    /// Where, in the script's names: `zone.name`, `ports[0]`.
    pub place: String,
    /// What it must be.
    pub wanted: &'static str,
    /// What it is; `None` if it is not there.
    pub found: Option<&'static str>,
}

impl Misfit {
    /// The same seen from what it is in.
    pub fn within(mut self, step: &str) -> Self {
        let gap = if self.place.is_empty() || self.place.starts_with('[') { "" } else { "." };
        self.place = format!("{step}{gap}{}", self.place);
        self
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.place.is_empty() { String::new() } else { format!("`{}` ", self.place) };
        match self.found {
            Some(found) => write!(f, "{place}must be {}, not {found}", self.wanted),
            None => write!(f, "{place}must be {}, and it is not there", self.wanted),
        }
    }
}

/// What it means that a required member of an object is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::typed) enum Missing {
    /// Nothing: it is null.
    IsNull,
    /// The value does not fit.
    Misfits,
}

/// The object that a script gets for attributes, of the properties for which `given` is true.
pub(in crate::typed) fn script_object(
    properties: &[Property],
    object: &Value,
    given: &dyn Fn(&Property) -> bool,
) -> Value {
    if !object.is_known() {
        return Value::unknown(Type::Dynamic).with_marks(object.marks());
    }
    if object.is_null() {
        return Value::null(Type::Dynamic);
    }
    let members = properties.iter().filter(|property| given(property)).filter_map(|property| {
        let value = object.attribute(&property.terraform).filter(|value| !value.is_null());
        match value {
            Some(value) => Some((Arc::clone(&property.script), to_script(&property.shape, value))),
            None if property.is_null_if_absent() => Some((Arc::clone(&property.script), Value::null(Type::Dynamic))),
            None => None,
        }
    });
    Value::object(members).with_marks(object.marks())
}

/// What a script gets for a value.
pub(in crate::typed) fn to_script(shape: &Shape, value: &Value) -> Value {
    match (shape, value.kind()) {
        (_, ValueKind::Null(_)) => value.clone(),
        (Shape::Object(properties), _) => script_object(properties, value, &|_| true),
        (_, ValueKind::Unknown(..)) => value.clone(),
        (Shape::List(element), _) if element.has_object() => {
            let items = value.as_elements().unwrap_or_default().iter().map(|item| to_script(element, item));
            Value::tuple(items.collect::<Vec<_>>()).with_marks(value.marks())
        }
        (Shape::Map(element), _) if element.has_object() => {
            let entries = value.as_entries().into_iter().flatten();
            let entries = entries.map(|(key, item)| (Arc::clone(key), to_script(element, item)));
            Value::object(entries.collect::<Vec<_>>()).with_marks(value.marks())
        }
        _ => value.clone(),
    }
}

/// The value of attributes for what a script has answered. What does not fit is null, and among the `misfits`.
pub(in crate::typed) fn from_script(
    shape: &Shape,
    value: &Value,
    missing: Missing,
    misfits: &mut Vec<Misfit>,
) -> Value {
    let ty = shape.ty();
    let misfit = |misfits: &mut Vec<Misfit>| {
        misfits.push(Misfit { place: String::new(), wanted: shape.words(), found: Some(words(value)) });
        Value::null(shape.ty())
    };
    let converted = match (shape, value.kind()) {
        (_, ValueKind::Null(_)) => Value::null(ty),
        (_, ValueKind::Unknown(..)) => Value::unknown(ty),
        (Shape::Anything { .. }, _)
        | (Shape::Text, ValueKind::String(_))
        | (Shape::Flag, ValueKind::Bool(_))
        | (Shape::Number { whole: false }, ValueKind::Number(_)) => return value.clone(),
        (Shape::Number { whole: true }, ValueKind::Number(number)) if number.is_integer() => return value.clone(),
        (Shape::List(element), ValueKind::List(_, items) | ValueKind::Set(_, items) | ValueKind::Tuple(items)) => {
            let items = items.iter().enumerate().map(|(index, item)| {
                convert_part(&format!("[{index}]"), misfits, |misfits| from_script(element, item, missing, misfits))
            });
            Value::list(element.ty(), items.collect::<Vec<_>>())
        }
        (Shape::Map(element), ValueKind::Map(_, entries) | ValueKind::Object(entries)) => {
            let entries = entries.iter().map(|(key, item)| {
                let value = convert_part(&format!("[{key:?}]"), misfits, |misfits| {
                    from_script(element, item, missing, misfits)
                });
                (Arc::clone(key), value)
            });
            Value::map(element.ty(), entries.collect::<Vec<_>>())
        }
        (Shape::Object(properties), ValueKind::Map(_, entries) | ValueKind::Object(entries)) => {
            let members = properties.iter().map(|property| {
                let value = entries.get(&property.script);
                (Arc::clone(&property.terraform), member(property, value, missing, misfits))
            });
            Value::object(members.collect::<Vec<_>>())
        }
        _ => misfit(misfits),
    };
    converted.with_marks(value.marks())
}

/// The value of one attribute for a member of an object.
pub(in crate::typed) fn member(
    property: &Property,
    value: Option<&Value>,
    missing: Missing,
    misfits: &mut Vec<Misfit>,
) -> Value {
    convert_part(&property.script, misfits, |misfits| match value.filter(|value| !value.is_null()) {
        Some(value) => from_script(&property.shape, value, missing, misfits),
        None => {
            if missing == Missing::Misfits && property.required && !property.nullable {
                misfits.push(Misfit { place: String::new(), wanted: property.shape.words(), found: None });
            }
            Value::null(property.shape.ty())
        }
    })
}

/// Converts a part, whose misfits are then seen from the whole.
pub(in crate::typed) fn convert_part(
    step: &str,
    misfits: &mut Vec<Misfit>,
    convert: impl FnOnce(&mut Vec<Misfit>) -> Value,
) -> Value {
    let mut found = Vec::new();
    let value = convert(&mut found);
    misfits.extend(found.into_iter().map(|misfit| misfit.within(step)));
    value
}

/// The value with the default of every property that has one and that it leaves out.
pub(in crate::typed) fn with_defaults(shape: &Shape, value: &Value) -> Value {
    match (shape, value.kind()) {
        (Shape::Object(properties), _) => object_with_defaults(properties, value),
        (Shape::List(element), ValueKind::List(ty, items)) if element.has_object() => {
            let items = items.iter().map(|item| with_defaults(element, item));
            Value::list(ty.clone(), items.collect::<Vec<_>>()).with_marks(value.marks())
        }
        (Shape::Map(element), ValueKind::Map(ty, entries)) if element.has_object() => {
            let entries = entries.iter().map(|(key, item)| (Arc::clone(key), with_defaults(element, item)));
            Value::map(ty.clone(), entries.collect::<Vec<_>>()).with_marks(value.marks())
        }
        _ => value.clone(),
    }
}

/// The same for an object of these properties; what is null or unknown has none.
pub(in crate::typed) fn object_with_defaults(properties: &[Property], object: &Value) -> Value {
    if object.is_null() || !object.is_known() {
        return object.clone();
    }
    properties.iter().fold(object.clone(), |object, property| {
        let given = object.attribute(&property.terraform).filter(|value| !value.is_null());
        let filled = match (given, &property.facts.default) {
            (Some(given), _) => with_defaults(&property.shape, given),
            (None, Some(default)) => default.clone(),
            (None, None) => return object,
        };
        object.with_attribute(Arc::clone(&property.terraform), filled)
    })
}

fn words(value: &Value) -> &'static str {
    match value.kind() {
        ValueKind::Null(_) => "null",
        ValueKind::Unknown(..) => "unknown",
        ValueKind::Bool(_) => "a boolean",
        ValueKind::Number(number) if number.is_integer() => "a number",
        ValueKind::Number(_) => "a number with a fraction",
        ValueKind::String(_) => "a string",
        ValueKind::List(..) | ValueKind::Set(..) | ValueKind::Tuple(_) => "an array",
        ValueKind::Map(..) | ValueKind::Object(_) => "an object",
    }
}
