//! Paths into property values, in Pulumi's notation: `rules[0].ports["http.alt"]`.

use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;

/// One step from a property value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PropertyStep {
    /// A property of an object or an entry of a map: Pulumi does not tell them apart. `*` stands for any one step where
    /// a path is used as a pattern.
    Name(Arc<str>),
    /// An element of an array.
    Index(usize),
}

/// A list of steps; empty means the whole resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PropertyPath(Vec<PropertyStep>);

/// Why a text is not a path.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the property path {path:?} is not valid: {problem}")]
pub struct PropertyPathError {
    /// The text.
    pub path: String,
    /// What is wrong with it.
    pub problem: &'static str,
}

impl PropertyPath {
    /// The whole resource.
    #[must_use]
    pub const fn root() -> Self {
        Self(Vec::new())
    }

    /// The steps in order.
    #[must_use]
    pub fn steps(&self) -> &[PropertyStep] {
        &self.0
    }

    /// Adds a step.
    pub fn push(&mut self, step: PropertyStep) {
        self.0.push(step);
    }

    /// Takes the last step off.
    pub fn pop(&mut self) -> Option<PropertyStep> {
        self.0.pop()
    }

    /// Whether this is the whole resource.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The property that the path starts with, which is what Pulumi's `diffs` and `replaces` list.
    #[must_use]
    pub fn first_property(&self) -> Option<&str> {
        match self.0.first() {
            Some(PropertyStep::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// Whether `other` is at or below this path, where a step `*` of this path fits any step: how `ignoreChanges`
    /// selects properties.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        self.0.len() <= other.0.len()
            && self.0.iter().zip(&other.0).all(|(mine, theirs)| match mine {
                PropertyStep::Name(name) if &**name == "*" => true,
                step => step == theirs,
            })
    }
}

impl FromIterator<PropertyStep> for PropertyPath {
    fn from_iter<I: IntoIterator<Item = PropertyStep>>(steps: I) -> Self {
        Self(steps.into_iter().collect())
    }
}

impl std::fmt::Display for PropertyPath {
    /// In the form that the engine parses. The engine's grammar has no form for a key that ends in a backslash and also
    /// holds a dot or bracket; the path ends before such a key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (position, step) in self.0.iter().enumerate() {
            match step {
                PropertyStep::Index(index) => write!(f, "[{index}]")?,
                PropertyStep::Name(name) if is_plain(name) || name.ends_with('\\') => {
                    if name.contains(['.', '[']) {
                        return Ok(());
                    }
                    if position > 0 {
                        f.write_str(".")?;
                    }
                    f.write_str(name)?;
                }
                PropertyStep::Name(name) => write!(f, "[\"{}\"]", name.replace('"', "\\\""))?,
            }
        }
        Ok(())
    }
}

/// Whether the engine reads the name as one step without quotes.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

impl FromStr for PropertyPath {
    type Err = PropertyPathError;

    /// Reads what the engine's own parser reads, tolerances included: any text up to the next `.` or `[` is a name, and
    /// a dot may stand before a bracket.
    fn from_str(text: &str) -> Result<Self, PropertyPathError> {
        let error = |problem| PropertyPathError { path: text.to_owned(), problem };
        if text.starts_with('.') {
            return Err(error("it must start with a name or an index"));
        }
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('.') {
                if after.is_empty() {
                    return Err(error("it must end with a name or an index"));
                }
                rest = after;
                if rest.starts_with(['[', '.']) {
                    continue;
                }
            }
            let (step, after) = if let Some(after) = rest.strip_prefix("[\"") {
                quoted(after).map_err(error)?
            } else if let Some(after) = rest.strip_prefix('[') {
                bracketed(after).map_err(error)?
            } else {
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                let (name, after) = rest.split_at(end);
                (PropertyStep::Name(name.into()), after)
            };
            steps.push(step);
            rest = after;
        }
        Ok(Self(steps))
    }
}

/// A quoted name, after its opening `["`.
fn quoted(text: &str) -> Result<(PropertyStep, &str), &'static str> {
    let mut name = String::new();
    let mut rest = text;
    loop {
        let Some(end) = rest.find(['"', '\\']) else {
            return Err("a quoted name has no closing quote");
        };
        name.push_str(&rest[..end]);
        rest = &rest[end..];
        if let Some(after) = rest.strip_prefix("\\\"") {
            name.push('"');
            rest = after;
        } else if let Some(after) = rest.strip_prefix('\\') {
            name.push('\\');
            rest = after;
        } else {
            let after = rest.strip_prefix("\"]").ok_or("a quoted name has no closing bracket")?;
            return Ok((PropertyStep::Name(name.into()), after));
        }
    }
}

/// An index or `*`, after its opening `[`.
fn bracketed(text: &str) -> Result<(PropertyStep, &str), &'static str> {
    let (inside, after) = text.split_once(']').ok_or("an index has no closing bracket")?;
    if inside == "*" {
        return Ok((PropertyStep::Name("*".into()), after));
    }
    let index = inside.parse().map_err(|_| "an index must be a whole number")?;
    Ok((PropertyStep::Index(index), after))
}
