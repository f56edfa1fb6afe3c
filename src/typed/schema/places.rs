//! From places in what a script gets or answers to places in attributes.

use std::sync::Arc;

use denobridge_core::cty::{Path, PathStep};

use super::shape::{Property, Shape};

/// A place in attributes.
#[derive(Clone, Debug, Default)]
pub(in crate::typed) struct Located<'p> {
    /// The way there.
    pub path: Path,
    /// The property that is there, if it is one.
    pub property: Option<&'p Property>,
    /// What is there; `None` where no more is known.
    pub shape: Option<&'p Shape>,
    /// It, or something around it, must not be shown.
    pub sensitive: bool,
}

/// Finds the attribute for names and positions as a script has them.
pub(in crate::typed) fn located<'p>(properties: &'p [Property], steps: &[String]) -> Located<'p> {
    let Some((first, rest)) = steps.split_first() else { return Located::default() };
    let mut located = Located::default();
    enter(properties, first, &mut located);
    for step in rest {
        match located.shape {
            Some(Shape::Object(properties)) => enter(properties, step, &mut located),
            Some(Shape::List(element)) => {
                located.path.push(step.parse().map_or_else(|_| key(step), PathStep::Index));
                (located.property, located.shape) = (None, Some(&**element));
            }
            Some(Shape::Map(element)) => {
                located.path.push(key(step));
                (located.property, located.shape) = (None, Some(&**element));
            }
            _ => {
                located.path.push(step.parse().map_or_else(|_| key(step), PathStep::Index));
                (located.property, located.shape) = (None, None);
            }
        }
    }
    located
}

fn enter<'p>(properties: &'p [Property], name: &str, located: &mut Located<'p>) {
    match properties.iter().find(|property| *property.script == *name) {
        Some(property) => {
            located.path.push(PathStep::Attribute(Arc::clone(&property.terraform)));
            located.sensitive |= property.facts.sensitive;
            (located.property, located.shape) = (Some(property), Some(&property.shape));
        }
        // What no attribute stands for is shown at what it is in.
        None => (located.property, located.shape) = (None, None),
    }
}

fn key(name: &str) -> PathStep {
    PathStep::Key(name.into())
}
