//! From what a user wrote, loosely typed, to a configuration that fits a schema: what core's decoder does with a block.

use std::sync::Arc;

use thiserror::Error;

use super::empty::empty_nested_block;
use crate::cty::{Path, PathStep, Type, Value, ValueKind, convert};
use crate::schema::{Attribute, AttributeType, Block, NestedBlock, NestedObject, Nesting};

/// One thing that is wrong with what a user wrote.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}{message}", if path.is_root() { String::new() } else { format!("{path}: ") })]
pub struct ConfigProblem {
    /// Where in the configuration.
    pub path: Path,
    /// One line, as Terraform says it.
    pub summary: &'static str,
    /// What is wrong. Never quotes a value.
    pub message: String,
}

/// Makes a configuration of `block` from a loosely typed object: converts values to the types of their attributes, fills
/// in null for what is left out, and checks that what is required is there and that nothing else is.
///
/// Unlike core's decoder this also refuses values for attributes that only the provider may set; for core's configurations
/// the provider SDKs do that.
///
/// # Errors
/// Everything that is wrong, in the order of the schema.
pub fn conform_config(block: &Block, value: &Value) -> Result<Value, Vec<ConfigProblem>> {
    let mut reader = Reader { path: Path::root(), problems: Vec::new() };
    let config = reader.block(block, value);
    if reader.problems.is_empty() { Ok(config) } else { Err(reader.problems) }
}

/// Reads on after a problem, with nulls in the place of what was wrong, to find all of them in one go.
struct Reader {
    path: Path,
    problems: Vec<ConfigProblem>,
}

impl Reader {
    fn problem(&mut self, summary: &'static str, message: String) {
        self.problems.push(ConfigProblem { path: self.path.clone(), summary, message });
    }

    fn at<T>(&mut self, step: PathStep, read: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step);
        let result = read(self);
        self.path.pop();
        result
    }

    fn block(&mut self, block: &Block, value: &Value) -> Value {
        if value.is_null() || !value.is_known() {
            return retyped(value, block.implied_type());
        }
        let Some(given) = value.as_entries() else {
            self.problem("Unsuitable value type", format!("an object is required, but this is {}", a(&value.ty())));
            return Value::null(block.implied_type());
        };
        let mut content = self.attributes(&block.attributes, value);
        for nested in &block.blocks {
            let name = Arc::clone(&nested.name);
            let read = match given.get(&nested.name) {
                Some(given) if !given.is_null() => {
                    self.at(PathStep::Attribute(Arc::clone(&name)), |reader| reader.nested_blocks(nested, given))
                }
                _ => empty_nested_block(nested),
            };
            self.at(PathStep::Attribute(Arc::clone(&name)), |reader| reader.block_count(nested, &read));
            content.push((name, read));
        }
        self.unsupported(given.keys(), |name| block.attribute(name).is_some() || block.nested_block(name).is_some());
        Value::object(content).with_marks(value.marks())
    }

    fn attributes(&mut self, attributes: &[Attribute], object: &Value) -> Vec<(Arc<str>, Value)> {
        attributes
            .iter()
            .map(|attribute| {
                let given = object.as_entries().and_then(|entries| entries.get(&attribute.name));
                let step = PathStep::Attribute(Arc::clone(&attribute.name));
                (Arc::clone(&attribute.name), self.at(step, |reader| reader.attribute(attribute, given)))
            })
            .collect()
    }

    fn attribute(&mut self, attribute: &Attribute, given: Option<&Value>) -> Value {
        let given = match given {
            Some(given) if !given.is_null() => given,
            _ => {
                if attribute.required {
                    self.problem(
                        "Missing required argument",
                        format!("the argument {:?} is required, but it is not set", attribute.name),
                    );
                }
                return Value::null(attribute.implied_type());
            }
        };
        if attribute.computed && !attribute.optional && !attribute.required {
            self.problem(
                "Value for a read-only attribute",
                format!("{:?} is decided by the provider and cannot be set", attribute.name),
            );
            return Value::null(attribute.implied_type());
        }
        match &attribute.ty {
            AttributeType::Plain(ty) => self.converted(&attribute.name, given, ty),
            AttributeType::Nested(nested) => self.nested_attribute(&attribute.name, nested, given),
        }
    }

    fn converted(&mut self, name: &str, given: &Value, ty: &Type) -> Value {
        match convert::convert(given, ty) {
            Ok(value) => value,
            Err(error) => {
                let path: Path = self.path.steps().iter().chain(error.path.steps()).cloned().collect();
                let message = format!("inappropriate value for attribute {name:?}: {}", error.message);
                self.problems.push(ConfigProblem { path, summary: "Incorrect attribute value type", message });
                Value::null(ty.without_optional())
            }
        }
    }

    fn nested_attribute(&mut self, name: &str, nested: &NestedObject, given: &Value) -> Value {
        if !given.is_known() {
            return retyped(given, nested.implied_type());
        }
        let object_type = nested.object_type();
        self.collection(nested.nesting, name, given, &object_type, &mut |reader, object| {
            if !object.is_known() || object.is_null() {
                return retyped(object, nested.object_type());
            }
            let Some(entries) = object.as_entries() else {
                reader.problem(
                    "Incorrect attribute value type",
                    format!("inappropriate value for attribute {name:?}: object required, not {}", a(&object.ty())),
                );
                return Value::null(nested.object_type());
            };
            let read = reader.attributes(&nested.attributes, object);
            let known = |name: &str| nested.attributes.iter().any(|attribute| &*attribute.name == name);
            reader.unsupported(entries.keys(), known);
            Value::object(read).with_marks(object.marks())
        })
    }

    fn nested_blocks(&mut self, nested: &NestedBlock, given: &Value) -> Value {
        if !given.is_known() {
            return retyped(given, nested.implied_type());
        }
        let content = nested.block.implied_type();
        self.collection(nested.nesting, &nested.name, given, &content, &mut |reader, element| {
            if element.is_null() {
                reader.problem("Invalid block", "a block cannot be null".to_owned());
            }
            reader.block(&nested.block, element)
        })
    }

    /// Reads the elements of any collection that has the shape which `nesting` asks for, and puts them together again.
    /// Where the elements may differ in type no collection can hold them, and a tuple or object does.
    fn collection(
        &mut self,
        nesting: Nesting,
        name: &str,
        given: &Value,
        element_type: &Type,
        read: &mut impl FnMut(&mut Self, &Value) -> Value,
    ) -> Value {
        let differing = element_type.has_dynamic();
        let collected = match (nesting, given.kind()) {
            (Nesting::Single | Nesting::Group, _) => return read(self, given),
            (Nesting::Map, ValueKind::Map(_, entries) | ValueKind::Object(entries)) => {
                let entries: Vec<(Arc<str>, Value)> = entries
                    .iter()
                    .map(|(key, element)| {
                        let step = if differing {
                            PathStep::Attribute(Arc::clone(key))
                        } else {
                            PathStep::Key(Arc::clone(key))
                        };
                        (Arc::clone(key), self.at(step, |reader| read(reader, element)))
                    })
                    .collect();
                if differing { Value::object(entries) } else { Value::map(element_type.clone(), entries) }
            }
            (Nesting::List | Nesting::Set, ValueKind::List(..) | ValueKind::Set(..) | ValueKind::Tuple(_)) => {
                let items: Vec<Value> = given
                    .children()
                    .zip(0..)
                    .map(|(element, index)| self.at(PathStep::Index(index), |reader| read(reader, element)))
                    .collect();
                match nesting {
                    Nesting::Set => Value::set(element_type.clone(), items),
                    _ if differing => Value::tuple(items),
                    _ => Value::list(element_type.clone(), items),
                }
            }
            _ => {
                let want = if nesting == Nesting::Map { "a map" } else { "a list" };
                let message = format!("inappropriate value for {name:?}: {want} is required, not {}", a(&given.ty()));
                self.problem("Incorrect attribute value type", message);
                return Value::null(nesting.wrap(element_type.clone()));
            }
        };
        collected.with_marks(given.marks())
    }

    fn block_count(&mut self, nested: &NestedBlock, read: &Value) {
        if !read.is_known() {
            return;
        }
        let name = &nested.name;
        let count = match nested.nesting {
            Nesting::Single if nested.min_items > 0 && read.is_null() => {
                return self.problem("Insufficient blocks", format!("a {name:?} block is required"));
            }
            Nesting::List | Nesting::Set => read.children().count() as u64,
            _ => return,
        };
        if count < nested.min_items {
            let message = format!("at least {} {name:?} blocks are required, but there are {count}", nested.min_items);
            self.problem("Insufficient blocks", message);
        }
        if nested.max_items > 0 && count > nested.max_items {
            let message =
                format!("no more than {} {name:?} blocks are allowed, but there are {count}", nested.max_items);
            self.problem("Too many blocks", message);
        }
    }

    fn unsupported<'k>(&mut self, given: impl Iterator<Item = &'k Arc<str>>, known: impl Fn(&str) -> bool) {
        for name in given.filter(|name| !known(name)) {
            self.at(PathStep::Attribute(Arc::clone(name)), |reader| {
                reader.problem("Unsupported argument", format!("an argument named {name:?} is not expected here"));
            });
        }
    }
}

/// A null or unknown value with another type.
fn retyped(value: &Value, ty: Type) -> Value {
    let retyped = if value.is_known() { Value::null(ty) } else { Value::unknown(ty) };
    retyped.with_marks(value.marks())
}

/// The type with its article.
fn a(ty: &Type) -> String {
    match ty {
        Type::Object(_) => "an object".to_owned(),
        Type::Tuple(_) | Type::List(_) => "a list".to_owned(),
        ty => format!("a {ty}"),
    }
}
