//! Values: known, null or unknown, always with a type.

use std::collections::BTreeMap;
use std::sync::Arc;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::{Marks, Number, ObjectType, PathStep, Refinement, Type, set};

/// A value with its marks. Cloning costs at most two reference counts.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Value {
    kind: ValueKind,
    marks: Marks,
}

/// What a value is.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// Absent, of a type.
    Null(Type),
    /// Not known until apply, of a type, with what is known of it (`None`: nothing).
    Unknown(Type, Option<Arc<Refinement>>),
    /// A bool.
    Bool(bool),
    /// A number.
    Number(Number),
    /// Text in normalisation form C.
    String(Arc<str>),
    /// Elements with their common type.
    List(Type, Arc<Vec<Value>>),
    /// Elements in canonical order without duplicates, with their common type.
    Set(Type, Arc<Vec<Value>>),
    /// Elements by key, with their common type.
    Map(Type, Arc<BTreeMap<Arc<str>, Value>>),
    /// Attributes by name.
    Object(Arc<BTreeMap<Arc<str>, Value>>),
    /// Elements, each with a type of its own.
    Tuple(Arc<Vec<Value>>),
}

impl From<ValueKind> for Value {
    fn from(kind: ValueKind) -> Self {
        Self { kind, marks: Marks::NONE }
    }
}

impl Value {
    /// A null of `ty`.
    #[must_use]
    pub fn null(ty: Type) -> Self {
        ValueKind::Null(ty).into()
    }

    /// An unknown of `ty` of which nothing is known.
    #[must_use]
    pub fn unknown(ty: Type) -> Self {
        ValueKind::Unknown(ty, None).into()
    }

    /// An unknown of `ty` with a refinement, of which only what can be said of `ty` is kept. When the refinement leaves
    /// one value (a number from 5 to 5, a collection of no elements) the result is that value; a list of known length is
    /// a list of unknown elements. Both as in go-cty, so that there is one form for each state of knowledge.
    #[must_use]
    pub fn unknown_refined(ty: Type, refinement: Refinement) -> Self {
        let refinement = refinement.applicable_to(&ty);
        match refinement.only_value(&ty) {
            Some(value) => value,
            None => {
                let refinement = (!refinement.is_empty()).then(|| Arc::new(refinement));
                ValueKind::Unknown(ty, refinement).into()
            }
        }
    }

    /// Text, brought to normalisation form C as Terraform requires.
    #[must_use]
    pub fn string(text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        ValueKind::String(normalize(text)).into()
    }

    /// A bool.
    #[must_use]
    pub fn bool(value: bool) -> Self {
        ValueKind::Bool(value).into()
    }

    /// A number.
    #[must_use]
    pub fn number(value: impl Into<Number>) -> Self {
        ValueKind::Number(value.into()).into()
    }

    /// A list. The caller guarantees that each element is of type `element` (anything where it is dynamic).
    #[must_use]
    pub fn list(element: Type, items: impl IntoIterator<Item = Value>) -> Self {
        ValueKind::List(element, Arc::new(items.into_iter().collect())).into()
    }

    /// A set: sorted, duplicates dropped. Marks of elements move to the whole set, as in go-cty, since an element's
    /// place in a set already tells what it is.
    #[must_use]
    pub fn set(element: Type, items: impl IntoIterator<Item = Value>) -> Self {
        let mut marks = Marks::NONE;
        let items: Vec<Value> = items
            .into_iter()
            .map(|item| {
                marks = marks.union(item.marks_deep());
                item.without_marks_deep()
            })
            .collect();
        Self { kind: ValueKind::Set(element, Arc::new(set::canonical(items))), marks }
    }

    /// A map; keys are normalised like any text.
    #[must_use]
    pub fn map<K: AsRef<str>>(element: Type, entries: impl IntoIterator<Item = (K, Value)>) -> Self {
        let entries = entries.into_iter().map(|(key, value)| (normalize(key.as_ref()), value)).collect();
        ValueKind::Map(element, Arc::new(entries)).into()
    }

    /// An object.
    #[must_use]
    pub fn object<N: Into<Arc<str>>>(attributes: impl IntoIterator<Item = (N, Value)>) -> Self {
        let attributes = attributes.into_iter().map(|(name, value)| (name.into(), value)).collect();
        ValueKind::Object(Arc::new(attributes)).into()
    }

    /// A tuple.
    #[must_use]
    pub fn tuple(items: impl IntoIterator<Item = Value>) -> Self {
        ValueKind::Tuple(Arc::new(items.into_iter().collect())).into()
    }

    /// What the value is.
    #[must_use]
    pub fn kind(&self) -> &ValueKind {
        &self.kind
    }

    /// What the value is, by ownership; marks of the value itself are lost.
    #[must_use]
    pub fn into_kind(self) -> ValueKind {
        self.kind
    }

    /// The marks of the value itself, not of its parts.
    #[must_use]
    pub fn marks(&self) -> Marks {
        self.marks
    }

    /// The same value with `marks` added.
    #[must_use]
    pub fn with_marks(mut self, marks: Marks) -> Self {
        self.marks = self.marks.union(marks);
        self
    }

    /// The marks of the value and of all its parts together.
    #[must_use]
    pub fn marks_deep(&self) -> Marks {
        self.children().fold(self.marks, |marks, child| marks.union(child.marks_deep()))
    }

    /// The same value with no mark anywhere.
    #[must_use]
    pub fn without_marks_deep(self) -> Self {
        if self.marks_deep().is_empty() {
            return self;
        }
        let kind = match self.kind {
            ValueKind::List(ty, items) => ValueKind::List(ty, Arc::new(strip_all(&items))),
            ValueKind::Tuple(items) => ValueKind::Tuple(Arc::new(strip_all(&items))),
            ValueKind::Map(ty, entries) => ValueKind::Map(ty, Arc::new(strip_entries(&entries))),
            ValueKind::Object(attributes) => ValueKind::Object(Arc::new(strip_entries(&attributes))),
            // A set holds no marks inside: the constructor has moved them to the whole.
            other => other,
        };
        Self { kind, marks: Marks::NONE }
    }

    /// The type of the value, computed from its parts for objects and tuples.
    #[must_use]
    pub fn ty(&self) -> Type {
        match &self.kind {
            ValueKind::Null(ty) | ValueKind::Unknown(ty, _) => ty.clone(),
            ValueKind::Bool(_) => Type::Bool,
            ValueKind::Number(_) => Type::Number,
            ValueKind::String(_) => Type::String,
            ValueKind::List(element, _) => Type::list(element.clone()),
            ValueKind::Set(element, _) => Type::set(element.clone()),
            ValueKind::Map(element, _) => Type::map(element.clone()),
            ValueKind::Object(attributes) => Type::Object(Arc::new(ObjectType {
                attributes: attributes.iter().map(|(name, value)| (Arc::clone(name), value.ty())).collect(),
                optional: Default::default(),
            })),
            ValueKind::Tuple(items) => Type::tuple(items.iter().map(Value::ty)),
        }
    }

    /// Whether the value itself is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.kind, ValueKind::Null(_))
    }

    /// Whether the value itself is known (null counts as known).
    #[must_use]
    pub fn is_known(&self) -> bool {
        !matches!(self.kind, ValueKind::Unknown(..))
    }

    /// Whether the value and all its parts are known.
    #[must_use]
    pub fn is_wholly_known(&self) -> bool {
        self.is_known() && self.children().all(Value::is_wholly_known)
    }

    /// The text of a known string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            ValueKind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a known bool.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match &self.kind {
            ValueKind::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The value of a known number.
    #[must_use]
    pub fn as_number(&self) -> Option<&Number> {
        match &self.kind {
            ValueKind::Number(value) => Some(value),
            _ => None,
        }
    }

    /// The elements of a known list, set or tuple.
    #[must_use]
    pub fn as_elements(&self) -> Option<&[Value]> {
        match &self.kind {
            ValueKind::List(_, items) | ValueKind::Set(_, items) | ValueKind::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// The entries of a known map or the attributes of a known object.
    #[must_use]
    pub fn as_entries(&self) -> Option<&BTreeMap<Arc<str>, Value>> {
        match &self.kind {
            ValueKind::Map(_, entries) | ValueKind::Object(entries) => Some(entries),
            _ => None,
        }
    }

    /// An attribute of a known object.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        match &self.kind {
            ValueKind::Object(attributes) => attributes.get(name),
            _ => None,
        }
    }

    /// The same object with one attribute set; any other kind of value is returned as it is.
    #[must_use]
    pub fn with_attribute(self, name: impl Into<Arc<str>>, value: Value) -> Self {
        match self.kind {
            ValueKind::Object(mut attributes) => {
                Arc::make_mut(&mut attributes).insert(name.into(), value);
                Self { kind: ValueKind::Object(attributes), marks: self.marks }
            }
            kind => Self { kind, marks: self.marks },
        }
    }

    /// The direct parts of a known collection or structure, in order; nothing for every other value.
    pub fn children(&self) -> Box<dyn Iterator<Item = &Value> + '_> {
        match &self.kind {
            ValueKind::List(_, items) | ValueKind::Set(_, items) | ValueKind::Tuple(items) => Box::new(items.iter()),
            ValueKind::Map(_, entries) | ValueKind::Object(entries) => Box::new(entries.values()),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// The part one step away, if there is one.
    #[must_use]
    pub fn step(&self, step: &PathStep) -> Option<&Value> {
        match (step, &self.kind) {
            (PathStep::Attribute(name), ValueKind::Object(attributes)) => attributes.get(name),
            (PathStep::Key(key), ValueKind::Map(_, entries)) => entries.get(key),
            (PathStep::Index(index), ValueKind::List(_, items) | ValueKind::Tuple(items)) => {
                usize::try_from(*index).ok().and_then(|index| items.get(index))
            }
            (PathStep::Element(element), ValueKind::Set(_, items)) => items.iter().find(|item| *item == &**element),
            _ => None,
        }
    }
}

/// Text in normalisation form C; already normal text, which is nearly all, is not copied twice.
pub(super) fn normalize(text: &str) -> Arc<str> {
    if is_nfc(text) { Arc::from(text) } else { Arc::from(text.nfc().collect::<String>()) }
}

fn strip_all(items: &[Value]) -> Vec<Value> {
    items.iter().cloned().map(Value::without_marks_deep).collect()
}

fn strip_entries(entries: &BTreeMap<Arc<str>, Value>) -> BTreeMap<Arc<str>, Value> {
    entries.iter().map(|(key, value)| (Arc::clone(key), value.clone().without_marks_deep())).collect()
}

impl std::fmt::Debug for Value {
    /// For logs and test failures: compact, and a marked value never shows what it is.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.marks.is_empty() {
            return f.write_str("(sensitive)");
        }
        match &self.kind {
            ValueKind::Null(ty) => write!(f, "null({ty})"),
            ValueKind::Unknown(ty, None) => write!(f, "unknown({ty})"),
            ValueKind::Unknown(ty, Some(refinement)) => write!(f, "unknown({ty}, {refinement:?})"),
            ValueKind::Bool(value) => write!(f, "{value}"),
            ValueKind::Number(value) => write!(f, "{value}"),
            ValueKind::String(text) => write!(f, "{text:?}"),
            ValueKind::List(_, items) => {
                f.write_str("list")?;
                f.debug_list().entries(items.iter()).finish()
            }
            ValueKind::Set(_, items) => {
                f.write_str("set")?;
                f.debug_list().entries(items.iter()).finish()
            }
            ValueKind::Tuple(items) => f.debug_list().entries(items.iter()).finish(),
            ValueKind::Map(_, entries) => {
                f.write_str("map")?;
                f.debug_map().entries(entries.iter()).finish()
            }
            ValueKind::Object(entries) => f.debug_map().entries(entries.iter()).finish(),
        }
    }
}
