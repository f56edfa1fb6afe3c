//! The package schema as it is answered: text.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::error::SchemaError;

/// A package schema: JSON text, in the order of Pulumi's specification, without white space.
///
/// It is kept as text, which is how it is answered: for a provider with a thousand resources a tree of the same takes many
/// times the memory, for as long as the process lives.
#[derive(Clone, PartialEq, Eq)]
pub struct PackageSchema(Arc<str>);

impl PackageSchema {
    /// The schema of the package of that name.
    pub(crate) fn of(package: &str, specification: &impl Serialize) -> Result<Self, SchemaError> {
        let text = serde_json::to_string(specification);
        let text =
            text.map_err(|error| SchemaError::Json { package: package.to_owned(), message: error.to_string() })?;
        Ok(Self(text.into()))
    }

    /// The text, which GetSchema answers.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// What the text says, to look things up; it is read anew each time.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // It has been written by the same library, which reads what it writes: no package nests types 100 levels deep.
        serde_json::from_str(&self.0).unwrap_or_default()
    }
}

impl fmt::Debug for PackageSchema {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
