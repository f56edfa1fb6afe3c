//! What a plan amounts to.

use super::compare::{apply_path, certainly_equal};
use super::rules::{Rule, Violation};
use crate::cty::{Path, PathStep, Value};
use crate::schema::{Attribute, AttributeType, Block, NestedBlock};

/// What apply will do to a resource instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing.
    NoOp,
    /// Create an object.
    Create,
    /// Change the object in place.
    Update,
    /// Delete the object and create another.
    Replace,
    /// Delete the object.
    Delete,
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoOp => "no change",
            Self::Create => "create",
            Self::Update => "update",
            Self::Replace => "replace",
            Self::Delete => "delete",
        })
    }
}

/// An action and what led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// What apply will do.
    pub action: Action,
    /// Those of the provider's `requires_replace` paths that have an effect, without duplicates.
    pub requires_replace: Vec<Path>,
    /// Paths that exist in neither state (rule R7).
    pub violations: Vec<Violation>,
}

/// Decides from the states before and after, and the paths whose change the provider says needs a replacement (R7).
///
/// Such a path counts only where its value changes, or may change since it is not known yet, or is write-only: then
/// there is no value to compare, and the provider must be believed. On create and delete all of them are ignored.
#[must_use]
pub fn decide_action(block: &Block, prior: &Value, planned: &Value, requires_replace: &[Path]) -> Decision {
    let certain = |action| Decision { action, requires_replace: Vec::new(), violations: Vec::new() };
    match (prior.is_null(), planned.is_null()) {
        (true, true) => return certain(Action::NoOp),
        (true, false) => return certain(Action::Create),
        (false, true) => return certain(Action::Delete),
        (false, false) => {}
    }
    let mut effective: Vec<Path> = Vec::new();
    let mut violations = Vec::new();
    for path in requires_replace {
        match (apply_path(prior, path), apply_path(planned, path)) {
            (None, None) => violations.push(Violation::new(
                Rule::RequiresReplacePath,
                path.clone(),
                "\"requires replacement\" was indicated for an attribute path that does not exist",
            )),
            (before, after) => {
                let changes = match (&before, &after) {
                    (Some(before), Some(after)) => !certainly_equal(before, after),
                    // Where only one of them has such a part, its absence is a null.
                    (Some(part), None) | (None, Some(part)) => !part.is_null(),
                    (None, None) => false,
                };
                let write_only = attribute_at(&block.attributes, &block.blocks, path.steps())
                    .is_some_and(|attribute| attribute.write_only);
                if (changes || write_only) && !effective.contains(path) {
                    effective.push(path.clone());
                }
            }
        }
    }
    let action = if !effective.is_empty() {
        Action::Replace
    } else if certainly_equal(prior, planned) {
        Action::NoOp
    } else {
        Action::Update
    };
    Decision { action, requires_replace: effective, violations }
}

/// The attribute that a path ends in; none where it ends in a block, or inside the value of an attribute. Steps to an
/// element are passed over: all elements have one schema.
fn attribute_at<'s>(
    attributes: &'s [Attribute],
    blocks: &'s [NestedBlock],
    steps: &[PathStep],
) -> Option<&'s Attribute> {
    let (step, rest) = steps.split_first()?;
    let PathStep::Attribute(name) = step else { return attribute_at(attributes, blocks, rest) };
    if let Some(attribute) = attributes.iter().find(|attribute| attribute.name == *name) {
        return match &attribute.ty {
            _ if rest.is_empty() => Some(attribute),
            AttributeType::Nested(nested) => attribute_at(&nested.attributes, &[], rest),
            AttributeType::Plain(_) => None,
        };
    }
    let nested = blocks.iter().find(|nested| nested.name == *name)?;
    attribute_at(&nested.block.attributes, &nested.block.blocks, rest)
}
