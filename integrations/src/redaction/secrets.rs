//! Where in a value there are secrets.

use denobridge_core::cty::{Marks, Type, Value, ValueKind};
use denobridge_core::schema::{Attribute, AttributeType, Block, NestedObject, Nesting};

use super::names::names_a_secret;

/// The member by which Pulumi tells its special objects apart, in values that came through something that does not know them.
pub(super) const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";

/// What stands there if the object is a secret.
pub(super) const SECRET_SIGNATURE: &str = "1b47061264138c4ac30d75fd1eb44270";

/// To whom a secret may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// To integrations that see full values.
    Full,
    /// To nobody.
    Nobody,
}

/// Whether a value is an object that stands for a secret of Pulumi's.
pub(super) fn is_pulumi_secret(value: &Value) -> bool {
    let signature = value.as_entries().and_then(|entries| entries.get(SIGNATURE));
    signature.and_then(Value::as_str) == Some(SECRET_SIGNATURE)
}

/// The reach of what its marks call secret; none if there are no marks. What the user has made a secret under Pulumi is shown
/// to nobody; that something is sensitive, a schema says too.
pub(super) fn reach_of_marks(marks: Marks) -> Option<Reach> {
    match marks {
        Marks::NONE => None,
        Marks::SENSITIVE => Some(Reach::Full),
        _ => Some(Reach::Nobody),
    }
}

/// The reach of what its schema calls secret; none if it does not.
pub(super) fn reach_of_attribute(attribute: &Attribute) -> Option<Reach> {
    match attribute {
        Attribute { write_only: true, .. } => Some(Reach::Nobody),
        Attribute { sensitive: true, .. } => Some(Reach::Full),
        _ => None,
    }
}

/// Calls `found` with each text and number that is a secret.
pub(super) fn each_secret<'v>(block: &Block, value: &'v Value, found: &mut dyn FnMut(&'v Value, Reach)) {
    Search { found }.block(block, value);
}

/// Calls `found` with each text and number.
pub(super) fn each_leaf<'v>(value: &'v Value, found: &mut dyn FnMut(&'v Value)) {
    match value.kind() {
        ValueKind::String(_) | ValueKind::Number(_) => found(value),
        _ => value.children().for_each(|child| each_leaf(child, found)),
    }
}

struct Search<'f, 'v> {
    found: &'f mut dyn FnMut(&'v Value, Reach),
}

impl<'v> Search<'_, 'v> {
    fn block(&mut self, block: &Block, value: &'v Value) {
        if self.is_secret_as_a_whole(value) {
            return;
        }
        self.attributes(&block.attributes, value);
        for nested in &block.blocks {
            let Some(content) = value.attribute(&nested.name) else { continue };
            self.nested(nested.nesting, content, &mut |search, object| search.block(&nested.block, object));
        }
    }

    fn attributes(&mut self, attributes: &[Attribute], object: &'v Value) {
        if self.is_secret_as_a_whole(object) {
            return;
        }
        for attribute in attributes {
            let Some(value) = object.attribute(&attribute.name) else { continue };
            match (reach_of_attribute(attribute), &attribute.ty) {
                (Some(reach), _) => self.take(value, reach),
                (None, AttributeType::Plain(Type::Dynamic)) => self.open(value),
                (None, AttributeType::Plain(_)) => self.plain(value),
                (None, AttributeType::Nested(NestedObject { nesting, attributes })) => {
                    self.nested(*nesting, value, &mut |search, object| search.attributes(attributes, object));
                }
            }
        }
    }

    fn nested(&mut self, nesting: Nesting, value: &'v Value, each: &mut dyn FnMut(&mut Self, &'v Value)) {
        match nesting {
            Nesting::Single | Nesting::Group => each(self, value),
            Nesting::List | Nesting::Set | Nesting::Map => {
                if !self.is_secret_as_a_whole(value) {
                    value.children().for_each(|object| each(self, object));
                }
            }
        }
    }

    /// Looks into a value whose type its schema leaves open: what is named like a secret is one, wherever else it turns up.
    fn open(&mut self, value: &'v Value) {
        if self.is_secret_as_a_whole(value) {
            return;
        }
        match value.as_entries() {
            Some(entries) => entries.iter().for_each(|(name, member)| match names_a_secret(name) {
                true => self.take(member, Reach::Full),
                false => self.open(member),
            }),
            None => value.children().for_each(|child| self.open(child)),
        }
    }

    fn plain(&mut self, value: &'v Value) {
        if !self.is_secret_as_a_whole(value) {
            value.children().for_each(|child| self.plain(child));
        }
    }

    /// Takes all of a value that is marked, or stands for a secret of Pulumi's.
    fn is_secret_as_a_whole(&mut self, value: &'v Value) -> bool {
        let reach = reach_of_marks(value.marks()).or_else(|| is_pulumi_secret(value).then_some(Reach::Nobody));
        if let Some(reach) = reach {
            self.take(value, reach);
        }
        reach.is_some()
    }

    /// Takes all of a value. What is marked in it may have a reach of its own.
    fn take(&mut self, value: &'v Value, reach: Reach) {
        let reach = reach_of_marks(value.marks()).map_or(reach, |own| own.max(reach));
        match value.kind() {
            ValueKind::String(text) if matches!(&**text, SIGNATURE | SECRET_SIGNATURE) => {}
            ValueKind::String(_) | ValueKind::Number(_) => (self.found)(value, reach),
            _ => value.children().for_each(|child| self.take(child, reach)),
        }
    }
}
