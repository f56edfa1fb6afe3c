//! From JSON Schema to attributes.
//!
//! ```text
//! JSON Schema ─► flat ─► read ─► Shape ─► attributes   the Terraform schema, with what Pulumi needs beside it
//!              $ref, allOf,         └───► convert      values between attributes and scripts
//!              null
//! ```

mod attributes;
mod convert;
mod flat;
mod places;
mod read;
mod shape;
#[cfg(test)]
mod tests;

pub(super) use attributes::{Role, attribute, markdown, only_given};
pub(super) use convert::{
    Misfit, Missing, convert_part, from_script, member, object_with_defaults, script_object, to_script, with_defaults,
};
pub(super) use places::{Located, located};
pub(super) use read::{read_object, read_value};
pub(super) use shape::{Facts, Property, Shape};

use super::TypedError;
use super::error::SchemaFault;

/// Where in a package the reader is, for errors.
#[derive(Clone, Debug)]
pub(super) struct Place<'f> {
    /// The script, or `denobridge.json`.
    pub file: &'f str,
    /// The member of the description, and the names from there on.
    pub path: String,
}

impl<'f> Place<'f> {
    /// A member of what a file says.
    pub fn new(file: &'f str, member: &str) -> Self {
        Self { file, path: member.to_owned() }
    }

    /// A property of it.
    pub fn inside(&self, name: &str) -> Self {
        Self { file: self.file, path: format!("{}.{name}", self.path) }
    }

    /// The elements of it.
    pub fn elements(&self) -> Self {
        Self { file: self.file, path: format!("{}[]", self.path) }
    }

    /// What is wrong there.
    pub fn fault(&self, fault: SchemaFault) -> TypedError {
        TypedError::Schema { file: self.file.to_owned(), place: self.path.clone(), fault }
    }
}
