//! The named types of one component: what objects it has, what each is called, and what of it is required.
//!
//! One type serves arguments, results and state. They are visited in that order, and the last visit decides what is
//! required; TypeScript alone is told where the others differ.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::naming::type_name;
use crate::names::{Field, ObjectNames, Shape};
use crate::package::docs::Docs;

/// Whether something is seen as an argument (or as state to look up) or as a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Input,
    Output,
}

/// The objects of a component, by the names of their types.
pub(super) struct Objects<'s> {
    named: BTreeMap<String, Vec<Object<'s>>>,
    /// Objects of one name and different shapes are told apart.
    distinct: bool,
}

/// An object type.
pub(super) struct Object<'s> {
    pub(super) table: Arc<ObjectNames>,
    pub(super) docs: Docs<'s>,
    pub(super) required: Vec<String>,
    in_inputs: Vec<String>,
    in_outputs: Vec<String>,
    /// Other tables of the same type.
    tables: Vec<Arc<ObjectNames>>,
}

impl<'s> Objects<'s> {
    pub(super) fn new(distinct: bool) -> Self {
        Self { named: BTreeMap::new(), distinct }
    }

    /// Visits properties. `parent` is the name of what they are properties of.
    pub(super) fn visit<'f>(
        &mut self,
        parent: &str,
        fields: impl Iterator<Item = &'f Field>,
        docs: Docs<'s>,
        side: Side,
    ) {
        for field in fields {
            let inside = docs.find(&field.terraform).inside;
            self.visit_shape(&name_inside(parent, field), visible(field), inside, side);
        }
    }

    /// Visits what a property holds, which is called `name` if it is an object.
    pub(super) fn visit_shape(&mut self, name: &str, shape: &Shape, docs: Docs<'s>, side: Side) {
        match shape {
            Shape::List(element) | Shape::Set(element) | Shape::Map(element) => {
                self.visit_shape(name, element, docs, side);
            }
            Shape::Object(table) => {
                self.declare(name, table, docs, side);
                self.visit(name, table.fields(), docs, side);
            }
            _ => {}
        }
    }

    fn declare(&mut self, name: &str, table: &Arc<ObjectNames>, docs: Docs<'s>, side: Side) {
        let objects = self.named.entry(name.to_owned()).or_default();
        let distinct = self.distinct;
        let known = objects.iter_mut().find(|object| !distinct || object.is(table) || *object.table == **table);
        let object = match known {
            Some(object) => object,
            None => {
                objects.push(Object::new(table, docs));
                let Some(object) = objects.last_mut() else { return };
                object
            }
        };
        object.see(table, docs, side);
    }

    /// The name of the type of an object that would be called `name`: where several are, the last keeps the name and the
    /// others are numbered.
    pub(super) fn name(&self, name: &str, table: &Arc<ObjectNames>) -> String {
        let objects = self.named.get(name).map_or(&[][..], |objects| objects.as_slice());
        let position = objects.iter().rev().position(|object| object.is(table));
        numbered(name, position.unwrap_or_default())
    }

    /// All types with the names of their objects, without and with the number.
    pub(super) fn types(&self) -> impl Iterator<Item = (&String, String, &Object<'s>)> {
        self.named.iter().flat_map(|(name, objects)| {
            let with_names = objects.iter().rev().enumerate();
            with_names.map(move |(index, object)| (name, numbered(name, index), object))
        })
    }
}

/// The first is called by the name alone, the second has `V2` behind it, as components have.
fn numbered(name: &str, index: usize) -> String {
    if index == 0 { name.to_owned() } else { format!("{name}V{}", index + 1) }
}

impl<'s> Object<'s> {
    fn new(table: &Arc<ObjectNames>, docs: Docs<'s>) -> Self {
        Self {
            table: Arc::clone(table),
            docs,
            required: Vec::new(),
            in_inputs: Vec::new(),
            in_outputs: Vec::new(),
            tables: vec![Arc::clone(table)],
        }
    }

    fn is(&self, table: &Arc<ObjectNames>) -> bool {
        self.tables.iter().any(|known| Arc::ptr_eq(known, table))
    }

    fn see(&mut self, table: &Arc<ObjectNames>, docs: Docs<'s>, side: Side) {
        if !self.is(table) {
            self.tables.push(Arc::clone(table));
        }
        self.table = Arc::clone(table);
        self.docs = docs;
        let fields = table.fields().filter(|field| !is_optional(field, side));
        self.required = fields.map(|field| field.pulumi.to_string()).collect();
        match side {
            Side::Input => self.in_inputs.clone_from(&self.required),
            Side::Output => self.in_outputs.clone_from(&self.required),
        }
    }

    /// What TypeScript is told of the side that did not decide.
    pub(super) fn language(&self) -> Option<Value> {
        let mut node = Map::new();
        for (key, required) in [("requiredInputs", &self.in_inputs), ("requiredOutputs", &self.in_outputs)] {
            let mut names = required.clone();
            names.sort();
            if !same_names(&self.required, &names) {
                node.insert(key.to_owned(), json!(names));
            }
        }
        (!node.is_empty()).then(|| json!({ "nodejs": node }))
    }
}

fn same_names(names: &[String], sorted: &[String]) -> bool {
    let mut names = names.to_vec();
    names.sort();
    names == sorted
}

/// Whether a property may be missing.
pub(super) fn is_optional(field: &Field, side: Side) -> bool {
    let autonamed = field.is_autonamed();
    match side {
        Side::Input => field.optional || field.computed || autonamed,
        Side::Output => field.optional && !field.computed && !autonamed,
    }
}

/// What a property holds in Pulumi: of a list of one element, that element.
pub(super) fn visible(field: &Field) -> &Shape {
    match field.shape.element() {
        Some(element) if field.flattened => element,
        _ => &field.shape,
    }
}

/// The name that the type of a property gets if it is, or holds, an object.
pub(super) fn name_inside(parent: &str, field: &Field) -> String {
    let is_array = matches!(visible(field), Shape::List(_) | Shape::Set(_));
    type_name(parent, &field.pulumi, is_array)
}
