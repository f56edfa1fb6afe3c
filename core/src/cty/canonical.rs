//! What the decoders share: collections in canonical form.

use std::sync::Arc;

use super::{ObjectType, Type, Value, ValueKind};

/// A list of decoded elements.
pub(super) fn list(element: &Type, mut items: Vec<Value>) -> Value {
    let element = settle(element, &mut items.iter_mut());
    Value::list(element, items)
}

/// A set of decoded elements.
pub(super) fn set(element: &Type, mut items: Vec<Value>) -> Value {
    let element = settle(element, &mut items.iter_mut());
    Value::set(element, items)
}

/// A map of decoded elements by normalised key; of entries with the same key the last one stays.
pub(super) fn map(element: &Type, mut entries: Vec<(Arc<str>, Value)>) -> Value {
    let element = settle(element, &mut entries.iter_mut().map(|(_, value)| value));
    ValueKind::Map(element, Arc::new(entries.into_iter().collect())).into()
}

/// The element type of a collection: a dynamic one is settled by the elements if they agree, as in go-cty, where nulls
/// and unknowns of no type of their own take that type. go-cty panics when elements disagree; here the element type stays
/// dynamic and each element keeps its own.
fn settle(declared: &Type, items: &mut dyn Iterator<Item = &mut Value>) -> Type {
    if !declared.has_dynamic() {
        return declared.clone();
    }
    let mut common: Option<Type> = None;
    let mut untyped = Vec::new();
    for item in items {
        let ty = item.ty();
        if ty == Type::Dynamic {
            untyped.push(item);
        } else if common.as_ref().is_some_and(|common| *common != ty) {
            return declared.clone();
        } else {
            common = Some(ty);
        }
    }
    let Some(common) = common else { return declared.clone() };
    for item in untyped {
        let typed = if item.is_null() { Value::null(common.clone()) } else { Value::unknown(common.clone()) };
        *item = typed.with_marks(item.marks());
    }
    common
}

/// The message for an object without some of its attributes.
pub(super) fn missing_attributes(object: &ObjectType, has: impl Fn(&str) -> bool) -> String {
    let missing: Vec<String> =
        object.attributes.keys().filter(|name| !has(name)).map(|name| format!("{name:?}")).collect();
    match missing.as_slice() {
        [name] => format!("missing attribute {name}"),
        names => format!("missing attributes {}", names.join(", ")),
    }
}
