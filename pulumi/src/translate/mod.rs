//! Between property values and Terraform's values, by the name tables of the package.
//!
//! [`inputs`] goes from Pulumi to Terraform, [`outputs`] back, [`align`] restores what Pulumi's values cannot carry.
//!
//! | Pulumi | Terraform |
//! |---|---|
//! | property names | attribute and block names, by the table; keys of maps and of dynamic values as they are |
//! | null, or absent | null; for nested blocks the empty collection or object |
//! | unknown | unknown |
//! | secret | the mark [`Marks::SECRET`](denobridge_core::cty::Marks::SECRET), at any depth |
//! | number (a double) | the number that its shortest decimal text says: 0.1 is a tenth |
//! | array, object in a dynamic value | tuple, object |
//! | text or file asset | its content, as text |
//! | archive, downloaded asset, component, text that is not UTF-8 | an error that names the property |
//! | another resource | its id |

pub mod align;
pub mod inputs;
pub mod outputs;

#[cfg(test)]
pub(crate) mod tests;

use denobridge_sdk_gen::PropertyPath;
use thiserror::Error;

use crate::property_value::Trail;

/// Why a property value cannot become a value of the schema.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{problem}")]
pub struct TranslateError {
    trail: Trail,
    /// What is wrong; never quotes a value.
    pub problem: TranslateProblem,
}

/// What is wrong with a property value.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TranslateProblem {
    /// The value is of another kind.
    #[error("{expected} is required, but this is {found}")]
    Kind {
        /// What the schema asks for.
        expected: &'static str,
        /// What there is.
        found: &'static str,
    },
    /// A string is not a number.
    #[error("a number is required, but the text is not one")]
    NotANumber,
    /// A double that is no number.
    #[error("the number is not finite")]
    NotFinite,
    /// A tuple of another length.
    #[error("an array of {expected} elements is required, but this has {found}")]
    Length {
        /// How many the schema asks for.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// There is no such property.
    #[error("there is no such property{}", suggestion(.name, .known))]
    UnknownProperty {
        /// The name.
        name: String,
        /// Property names that exist, by Pulumi name.
        known: Vec<String>,
    },
    /// The provider sets the property, programs do not.
    #[error("the provider sets this property, so the program must not")]
    ReadOnly,
    /// Elements of a collection have no common type.
    #[error("all elements must be of one type")]
    MixedElements,
    /// The text of a setting has not the form that settings of its type come in.
    #[error("{0}")]
    Setting(&'static str),
    /// A kind of value that the provider cannot be given.
    #[error("{0} cannot be passed to the provider{1}")]
    Unsupported(&'static str, &'static str),
}

fn suggestion(name: &str, known: &[String]) -> String {
    if known.is_empty() {
        return String::new();
    }
    let all = known.join(", ");
    match similar(name, known.iter().map(String::as_str)) {
        Some(similar) => format!("; did you mean `{similar}`? There are: {all}"),
        None => format!("; there are: {all}"),
    }
}

/// The name that somebody may have meant: the one that is reached with the fewest typing mistakes, two at most.
#[must_use]
pub fn similar<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    /// More mistakes make another word.
    const MOST: usize = 2;
    let mistakes = known.map(|candidate| (mistakes(name, candidate), candidate));
    // In a name of two letters two mistakes would fit anything.
    let near = mistakes.filter(|(count, candidate)| *count <= MOST && *count < candidate.chars().count());
    near.min_by_key(|(count, _)| *count).map(|(_, candidate)| candidate)
}

/// How many letters are to be added, left out or changed (Levenshtein's distance).
fn mistakes(given: &str, wanted: &str) -> usize {
    let wanted: Vec<char> = wanted.chars().collect();
    let mut row: Vec<usize> = (0..=wanted.len()).collect();
    for (position, letter) in given.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], position + 1);
        for (index, other) in wanted.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[index + 1];
            row[index + 1] = changed.min(diagonal + 1).min(row[index] + 1);
        }
    }
    row[wanted.len()]
}

impl TranslateError {
    fn new(problem: TranslateProblem) -> Self {
        Self { trail: Trail::default(), problem }
    }

    /// A problem with a property of the root.
    pub(crate) fn at_property(name: &str, problem: TranslateProblem) -> Self {
        Self::new(problem).inside_key(name)
    }

    pub(crate) fn inside_key(self, name: &str) -> Self {
        Self { trail: self.trail.inside_key(name), ..self }
    }

    fn inside_index(self, index: usize) -> Self {
        Self { trail: self.trail.inside_index(index), ..self }
    }

    /// Where.
    #[must_use]
    pub fn path(&self) -> PropertyPath {
        self.trail.path()
    }
}
