//! What property values cannot carry: types inside dynamic values, and numbers that no double holds.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::{Number, Type, Value, ValueKind, type_json};
use denobridge_sdk_gen::{Field, ObjectNames};
use serde_json::{Map, Value as Json};

use crate::state::StateError;
use crate::translate::{align, inputs, outputs};

/// Facts about a state by where they belong.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// By name of the root attribute or block: the type of its value, where the value does not tell.
    types: BTreeMap<Arc<str>, Type>,
    /// By pointer into the value (as RFC 6901, by Terraform's names): the number in full.
    numbers: BTreeMap<String, Number>,
}

impl Facts {
    /// The facts about a state: those that may be seen, and those about its secret parts.
    #[must_use]
    pub fn of(value: &Value, names: &ObjectNames) -> (Self, Self) {
        let mut clear = Self::default();
        let mut sensitive = Self::default();
        for field in names.fields() {
            let Some(part) = value.attribute(&field.terraform) else { continue };
            if part.is_null() {
                continue;
            }
            let secret = field.sensitive || !part.marks_deep().is_empty();
            let facts = if secret { &mut sensitive } else { &mut clear };
            if field.ty.has_dynamic() && reads_as(field, value).is_none_or(|ty| ty != part.ty()) {
                facts.types.insert(Arc::clone(&field.terraform), part.ty());
            }
            collect_numbers(part, &mut format!("/{}", escaped(&field.terraform)), &mut facts.numbers);
        }
        (clear, sensitive)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.types.is_empty() && self.numbers.is_empty()
    }

    /// Puts the facts into a record.
    pub fn write(&self, record: &mut Map<String, Json>) {
        if !self.types.is_empty() {
            let types = self.types.iter().filter_map(|(name, ty)| {
                Some((name.to_string(), serde_json::from_slice::<Json>(&type_json::encode(ty)).ok()?))
            });
            record.insert("types".to_owned(), Json::Object(types.collect()));
        }
        if !self.numbers.is_empty() {
            let numbers =
                self.numbers.iter().map(|(pointer, number)| (pointer.clone(), Json::from(number.to_string())));
            record.insert("numbers".to_owned(), Json::Object(numbers.collect()));
        }
    }

    /// Takes the facts out of a record.
    ///
    /// # Errors
    /// The record is not one of ours.
    pub fn read(record: &Map<String, Json>) -> Result<Self, StateError> {
        let mut facts = Self::default();
        for (name, ty) in members(record, "types")? {
            let ty = type_json::decode(ty.to_string().as_bytes())
                .map_err(|_| StateError::Meta("one of its `types` is not a type"))?;
            facts.types.insert(name.as_str().into(), ty);
        }
        for (pointer, number) in members(record, "numbers")? {
            let number = number.as_str().and_then(|text| text.parse().ok());
            let number = number.ok_or(StateError::Meta("one of its `numbers` is not a number"))?;
            facts.numbers.insert(pointer.clone(), number);
        }
        Ok(facts)
    }

    /// The value with the facts put back. A fact that no longer fits (someone has edited the outputs) is passed over.
    #[must_use]
    pub fn restore(&self, value: &Value) -> Value {
        let value = if self.numbers.is_empty() { value.clone() } else { self.with_numbers(value, &mut String::new()) };
        self.types.iter().fold(value, |value, (name, ty)| {
            match value.attribute(name).and_then(|part| align::retyped(part, ty)) {
                Some(retyped) => value.with_attribute(Arc::clone(name), retyped),
                None => value,
            }
        })
    }

    fn with_numbers(&self, value: &Value, pointer: &mut String) -> Value {
        let mut inside = |key: &str, part: &Value| {
            let length = pointer.len();
            pointer.push('/');
            pointer.push_str(&escaped(key));
            let restored = self.with_numbers(part, pointer);
            pointer.truncate(length);
            restored
        };
        let mut each = |items: &[Value]| -> Vec<Value> {
            items.iter().enumerate().map(|(index, item)| inside(&index.to_string(), item)).collect()
        };
        let restored = match value.kind() {
            ValueKind::Number(_) | ValueKind::String(_) => match self.numbers.get(pointer.as_str()) {
                Some(exact) if is_form_of(value, exact) => Value::number(exact.clone()),
                _ => return value.clone(),
            },
            ValueKind::List(ty, items) => Value::list(ty.clone(), each(items)),
            ValueKind::Set(ty, items) => Value::set(ty.clone(), each(items)),
            ValueKind::Tuple(items) => Value::tuple(each(items)),
            ValueKind::Map(ty, entries) => {
                Value::map(ty.clone(), entries.iter().map(|(key, part)| (key, inside(key, part))).collect::<Vec<_>>())
            }
            ValueKind::Object(entries) => Value::object(
                entries.iter().map(|(key, part)| (Arc::clone(key), inside(key, part))).collect::<Vec<_>>(),
            ),
            ValueKind::Null(_) | ValueKind::Unknown(..) | ValueKind::Bool(_) => return value.clone(),
        };
        restored.with_marks(value.marks())
    }
}

fn members<'r>(record: &'r Map<String, Json>, name: &str) -> Result<Vec<(&'r String, &'r Json)>, StateError> {
    match record.get(name) {
        None => Ok(Vec::new()),
        Some(Json::Object(members)) => Ok(members.iter().collect()),
        Some(_) => Err(StateError::Meta("`types` or `numbers` is not an object")),
    }
}

/// The type that the field's property reads as by itself.
fn reads_as(field: &Field, object: &Value) -> Option<Type> {
    let property = outputs::field_property(field, object);
    inputs::field_value(field, property.as_ref(), inputs::Origin::State).ok().map(|value| value.ty())
}

fn collect_numbers(value: &Value, pointer: &mut String, numbers: &mut BTreeMap<String, Number>) {
    let mut inside = |key: &str, part: &Value| {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&escaped(key));
        collect_numbers(part, pointer, numbers);
        pointer.truncate(length);
    };
    match value.kind() {
        ValueKind::Number(number) => {
            if inputs::exact(number.to_f64()).as_ref() != Some(number) {
                numbers.insert(pointer.clone(), number.clone());
            }
        }
        ValueKind::Map(_, entries) | ValueKind::Object(entries) => {
            entries.iter().for_each(|(key, part)| inside(key, part));
        }
        _ => value.children().enumerate().for_each(|(index, part)| inside(&index.to_string(), part)),
    }
}

/// Whether a number or text is what outputs say for `exact`.
fn is_form_of(value: &Value, exact: &Number) -> bool {
    match value.kind() {
        ValueKind::Number(number) => inputs::exact(exact.to_f64()).as_ref() == Some(number),
        ValueKind::String(text) => !exact.to_f64().is_finite() && **text == exact.to_string(),
        _ => false,
    }
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
