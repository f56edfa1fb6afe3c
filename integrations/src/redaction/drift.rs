//! Where two states differ.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use denobridge_core::cty::{Value, ValueKind};
use denobridge_core::planning::same_value;
use denobridge_core::schema::{Attribute, AttributeType, Block, NestedObject, Nesting};

use super::known::Known;
use super::lookup::Lookup;
use super::paths::{Step, Trail};
use super::secrets::reach_of_attribute;

/// The paths at which a new state differs from the prior one, as deep inside as can be said without telling of what is secret:
/// a sensitive attribute is named as a whole. So is a set, whose elements have no place. An object that came or went differs as
/// a whole, which is the empty path.
#[must_use]
pub fn drift(block: &Block, prior: &Value, new: &Value, known: &Known) -> Vec<String> {
    let known = known.lookup();
    let mut comparison = Comparison { known: &known, trail: Trail::default(), found: Vec::new() };
    comparison.block(block, prior, new);
    comparison.found
}

struct Comparison<'k> {
    known: &'k Lookup,
    trail: Trail,
    found: Vec<String>,
}

type Each<'e> = dyn FnMut(&mut Comparison<'_>, &Value, &Value) + 'e;

impl Comparison<'_> {
    fn block(&mut self, block: &Block, prior: &Value, new: &Value) {
        if !self.goes_inside(prior, new) {
            return;
        }
        self.attributes(&block.attributes, prior, new);
        for nested in &block.blocks {
            self.member(&nested.name, prior, new, |comparison, prior, new| {
                comparison.nested(nested.nesting, prior, new, &mut |comparison, prior, new| {
                    comparison.block(&nested.block, prior, new);
                });
            });
        }
    }

    fn attributes(&mut self, attributes: &[Attribute], prior: &Value, new: &Value) {
        if !self.goes_inside(prior, new) {
            return;
        }
        for attribute in attributes {
            self.member(&attribute.name, prior, new, |comparison, prior, new| match &attribute.ty {
                _ if reach_of_attribute(attribute).is_some() => comparison.note(),
                AttributeType::Plain(_) => comparison.plain(prior, new),
                AttributeType::Nested(NestedObject { nesting, attributes }) => {
                    comparison.nested(*nesting, prior, new, &mut |comparison, prior, new| {
                        comparison.attributes(attributes, prior, new);
                    });
                }
            });
        }
    }

    fn nested(&mut self, nesting: Nesting, prior: &Value, new: &Value, each: &mut Each<'_>) {
        match nesting {
            Nesting::Single | Nesting::Group => each(self, prior, new),
            Nesting::List | Nesting::Set | Nesting::Map => self.parts(prior, new, each),
        }
    }

    fn plain(&mut self, prior: &Value, new: &Value) {
        self.parts(prior, new, &mut |comparison, prior, new| comparison.plain(prior, new));
    }

    /// The parts of two values that differ. What has none, or no place for them, differs as a whole.
    fn parts(&mut self, prior: &Value, new: &Value, each: &mut Each<'_>) {
        if !self.goes_inside(prior, new) {
            return;
        }
        match (prior.kind(), new.kind()) {
            (ValueKind::List(_, prior) | ValueKind::Tuple(prior), ValueKind::List(_, new) | ValueKind::Tuple(new)) => {
                for at in 0..prior.len().max(new.len()) {
                    self.part(Step::position(at), prior.get(at), new.get(at), each);
                }
            }
            (ValueKind::Map(_, prior), ValueKind::Map(_, new)) => {
                self.entries(prior, new, |name| Step::Key(name), each)
            }
            (ValueKind::Object(prior), ValueKind::Object(new)) => {
                self.entries(prior, new, |name| Step::Attribute(name), each)
            }
            _ => self.note(),
        }
    }

    fn entries(
        &mut self,
        prior: &BTreeMap<Arc<str>, Value>,
        new: &BTreeMap<Arc<str>, Value>,
        step: fn(&str) -> Step<'_>,
        each: &mut Each<'_>,
    ) {
        let names: BTreeSet<&Arc<str>> = prior.keys().chain(new.keys()).collect();
        for name in names {
            self.part(step(&self.known.scrub(name)), prior.get(name), new.get(name), each);
        }
    }

    fn member(
        &mut self,
        name: &str,
        prior: &Value,
        new: &Value,
        each: impl FnMut(&mut Comparison<'_>, &Value, &Value),
    ) {
        let mut each = each;
        self.part(Step::Attribute(name), prior.attribute(name), new.attribute(name), &mut each);
    }

    fn part(&mut self, step: Step<'_>, prior: Option<&Value>, new: Option<&Value>, each: &mut Each<'_>) {
        let length = self.trail.enter(step);
        match (prior, new) {
            (Some(prior), Some(new)) if same_value(prior, new) => {}
            (Some(prior), Some(new)) => each(self, prior, new),
            (None, None) => {}
            _ => self.note(),
        }
        self.trail.leave(length);
    }

    /// Whether there are parts to be compared; notes the whole if there are not, and it differs.
    fn goes_inside(&mut self, prior: &Value, new: &Value) -> bool {
        let has_parts = |value: &Value| value.is_known() && !value.is_null() && value.marks().is_empty();
        let both = has_parts(prior) && has_parts(new);
        if !both && !same_value(prior, new) {
            self.note();
        }
        both
    }

    fn note(&mut self) {
        self.found.push(self.trail.text());
    }
}
