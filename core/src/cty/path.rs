//! Paths: where in a value something is.

use std::sync::Arc;

use super::Value;

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathStep {
    /// An attribute of an object (or a block of a schema).
    Attribute(Arc<str>),
    /// An element of a map by its key.
    Key(Arc<str>),
    /// An element of a list or tuple by its position.
    Index(i64),
    /// An element of a set, by itself: sets have no other way to name one. The wire has no form for this step, so an
    /// encoder ends the path before it.
    Element(Box<Value>),
}

/// A list of steps; empty means the whole value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Path(Vec<PathStep>);

impl Path {
    /// The whole value.
    #[must_use]
    pub const fn root() -> Self {
        Self(Vec::new())
    }

    /// This path and then an attribute.
    #[must_use]
    pub fn attribute(self, name: impl Into<Arc<str>>) -> Self {
        self.then(PathStep::Attribute(name.into()))
    }

    /// This path and then a map key.
    #[must_use]
    pub fn key(self, key: impl Into<Arc<str>>) -> Self {
        self.then(PathStep::Key(key.into()))
    }

    /// This path and then a list or tuple position.
    #[must_use]
    pub fn index(self, index: i64) -> Self {
        self.then(PathStep::Index(index))
    }

    /// This path and then one more step.
    #[must_use]
    pub fn then(mut self, step: PathStep) -> Self {
        self.0.push(step);
        self
    }

    /// The steps in order.
    #[must_use]
    pub fn steps(&self) -> &[PathStep] {
        &self.0
    }

    /// Adds a step in place, for walkers that go down and up again.
    pub fn push(&mut self, step: PathStep) {
        self.0.push(step);
    }

    /// Takes the last step off, for walkers that go down and up again.
    pub fn pop(&mut self) -> Option<PathStep> {
        self.0.pop()
    }

    /// Whether this is the whole value.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The first attribute name, which is the name users see in their configuration.
    #[must_use]
    pub fn first_attribute(&self) -> Option<&str> {
        match self.0.first() {
            Some(PathStep::Attribute(name)) => Some(name),
            _ => None,
        }
    }

    /// The part of `value` at this path, or `None` where there is no such part. Steps through a null or unknown value
    /// find nothing.
    #[must_use]
    pub fn find<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.0.iter().try_fold(value, |value, step| value.step(step))
    }
}

impl FromIterator<PathStep> for Path {
    fn from_iter<I: IntoIterator<Item = PathStep>>(steps: I) -> Self {
        Self(steps.into_iter().collect())
    }
}

impl std::fmt::Display for Path {
    /// As users write it: `props.rules[0].ports["http"]`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (position, step) in self.0.iter().enumerate() {
            match step {
                PathStep::Attribute(name) if position == 0 => f.write_str(name)?,
                PathStep::Attribute(name) => write!(f, ".{name}")?,
                PathStep::Key(key) => write!(f, "[{key:?}]")?,
                PathStep::Index(index) => write!(f, "[{index}]")?,
                PathStep::Element(_) => f.write_str("[element of the set]")?,
            }
        }
        Ok(())
    }
}
