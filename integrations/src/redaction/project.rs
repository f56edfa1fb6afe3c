//! From a value to what an integration sees of it.

use denobridge_core::cty::{Type, Value, ValueKind};
use denobridge_core::schema::{Attribute, AttributeType, Block, NestedObject, Nesting};
use serde_json::{Map, Value as Json};

use super::View;
use super::allowed::Allowed;
use super::known::Known;
use super::parts::{Part, Projection};
use super::secrets::{Reach, reach_of_attribute};
use crate::configuration::{Dynamic, Values};
use crate::protocol::State;

/// What of a value is seen. The secrets in it, and in whatever else belongs to the same operation, must be [known](Known::learn)
/// before: they may stand in any part of it.
///
/// | what is there | what is sent |
/// |---|---|
/// | sensitive or write-only by its schema, null or not; marked; hidden from this integration | nothing, and its path in `redacted` |
/// | a text with a known secret in it | `(sensitive)`, and its path in `redacted` |
/// | the key of a map with a known secret in it | `(sensitive)`, with a number if there are several |
/// | not known yet | nothing, and its path in `unknown` |
/// | one of these as an element of a list or tuple | null in its place, so that the others keep theirs |
/// | an integer beyond 2^53, or a number that no double stands for | its digits as a text |
#[must_use]
pub fn project(block: &Block, value: &Value, view: &View<'_>, known: &Known) -> State {
    let known = known.lookup();
    if value.is_null() {
        return State::default();
    }
    if view.values == Values::None || known.is_full() {
        return nothing(block);
    }
    let mut projection = Projection::new(*view, &known);
    let part = projection.block(block, value, &Allowed::of(view.attributes));
    State { value: part.or_null(), redacted: projection.redacted, unknown: projection.unknown }
}

/// The id in a state, if it may be told.
#[must_use]
pub fn id(block: &Block, state: &Value, known: &Known) -> Option<String> {
    let declared = block.attribute("id").filter(|attribute| reach_of_attribute(attribute).is_none())?;
    let value = state.attribute(&declared.name).filter(|value| state.marks().union(value.marks()).is_empty())?;
    let text = match value.kind() {
        ValueKind::String(text) => text.to_string(),
        ValueKind::Number(number) => number.to_string(),
        _ => return None,
    };
    (!known.lookup().has_secret(&text, Reach::Full)).then_some(text)
}

/// What may be told of an identity. Nothing in an identity is sensitive by its schema.
#[must_use]
pub fn identity(identity: &Value, known: &Known) -> Option<Json> {
    let known = known.lookup();
    let view = View { values: Values::Redacted, attributes: None, dynamic: Dynamic::Walk };
    match Projection::new(view, &known).plain(&identity.ty(), identity, &Allowed::Whole) {
        Part::Sent(identity) if !identity.is_null() && !known.is_full() => Some(identity),
        _ => None,
    }
}

/// An object of which no attribute is seen, not even whether it has a value.
fn nothing(block: &Block) -> State {
    let attributes = block.attributes.iter().map(|attribute| attribute.name.to_string());
    let blocks = block.blocks.iter().map(|nested| nested.name.to_string());
    State { value: Json::Object(Map::new()), redacted: attributes.chain(blocks).collect(), unknown: Vec::new() }
}

impl<'p> Projection<'p> {
    fn block(&mut self, block: &Block, value: &Value, allowed: &Allowed<'p>) -> Part {
        self.object(value, |projection, members| {
            projection.attributes(&block.attributes, value, allowed, members);
            for nested in &block.blocks {
                let Some(content) = value.attribute(&nested.name) else { continue };
                projection.attribute_member(members, &nested.name, allowed, |projection, allowed| {
                    projection.nested(nested.nesting, content, allowed, &mut |projection, object, allowed| {
                        projection.block(&nested.block, object, allowed)
                    })
                });
            }
        })
    }

    fn attributes(
        &mut self,
        attributes: &[Attribute],
        object: &Value,
        allowed: &Allowed<'p>,
        members: &mut Map<String, Json>,
    ) {
        for attribute in attributes {
            let Some(value) = object.attribute(&attribute.name) else { continue };
            self.attribute_member(members, &attribute.name, allowed, |projection, allowed| {
                projection.attribute(attribute, value, allowed)
            });
        }
    }

    fn attribute(&mut self, attribute: &Attribute, value: &Value, allowed: &Allowed<'p>) -> Part {
        if reach_of_attribute(attribute).is_some_and(|reach| self.hides(reach)) {
            return self.redact();
        }
        match &attribute.ty {
            AttributeType::Plain(ty) => self.plain(ty, value, allowed),
            AttributeType::Nested(NestedObject { nesting, attributes }) => {
                self.nested(*nesting, value, allowed, &mut |projection, object, allowed| {
                    projection.object(object, |projection, members| {
                        projection.attributes(attributes, object, allowed, members);
                    })
                })
            }
        }
    }

    /// Nested attributes or blocks. Blocks with something in them whose type is open are tuples and objects, not lists and maps.
    fn nested(
        &mut self,
        nesting: Nesting,
        value: &Value,
        allowed: &Allowed<'p>,
        each: &mut dyn FnMut(&mut Self, &Value, &Allowed<'p>) -> Part,
    ) -> Part {
        if matches!(nesting, Nesting::Single | Nesting::Group) {
            return each(self, value, allowed);
        }
        if let Some(part) = self.whole(value) {
            return part;
        }
        match value.kind() {
            ValueKind::List(_, items) | ValueKind::Tuple(items) => self.items(items, allowed, each),
            ValueKind::Set(_, items) => self.set(items, allowed, each),
            ValueKind::Map(_, entries) | ValueKind::Object(entries) => self.entries(entries, allowed, false, each),
            // Not what the schema says, so that it does not say what is secret in it either.
            _ => self.redact(),
        }
    }

    /// A value of a plain type. Where the type leaves open what the value is, the value itself says, and names in it say what
    /// is secret.
    fn plain(&mut self, ty: &Type, value: &Value, allowed: &Allowed<'p>) -> Part {
        if *ty == Type::Dynamic && self.omits_dynamic() {
            return self.redact();
        }
        if let Some(part) = self.whole(value) {
            return part;
        }
        let element = ty.element().unwrap_or(&Type::Dynamic);
        let mut each =
            |projection: &mut Self, item: &Value, allowed: &Allowed<'p>| projection.plain(element, item, allowed);
        match value.kind() {
            ValueKind::List(_, items) => self.items(items, allowed, &mut each),
            ValueKind::Set(_, items) => self.set(items, allowed, &mut each),
            ValueKind::Map(_, entries) => self.entries(entries, allowed, ty.element().is_none(), &mut each),
            ValueKind::Tuple(items) => {
                let mut types = if let Type::Tuple(types) = ty { types.iter() } else { [].iter() };
                self.items(items, allowed, &mut |projection, item, allowed| {
                    projection.plain(types.next().unwrap_or(&Type::Dynamic), item, allowed)
                })
            }
            ValueKind::Object(attributes) => match ty.as_object() {
                Some(object) => self.object(value, |projection, members| {
                    for (name, ty) in &object.attributes {
                        let Some(value) = attributes.get(name) else { continue };
                        projection.attribute_member(members, name, allowed, |projection, allowed| {
                            projection.plain(ty, value, allowed)
                        });
                    }
                }),
                None => self.open_object(attributes, allowed, &mut each),
            },
            _ => self.leaf(value, allowed),
        }
    }
}
