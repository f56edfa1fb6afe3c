//! Values as MessagePack, directed by their type, as Terraform sends them.
//!
//! The format itself is small enough to be read and written here: its reader checks every length against what is left
//! before anything is allocated, and knows the extension values that carry unknowns.

use bytes::Bytes;
use thiserror::Error;

use super::{Path, Type, Value, json};

mod decode;
mod encode;
mod read;
mod refinement;
#[cfg(test)]
mod tests;
mod write;

/// Why bytes are not a value of a type.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}{message}", at(path))]
pub struct DecodeError {
    /// Where in the value.
    pub path: Path,
    /// What is wrong there; never quotes the value.
    pub message: String,
}

/// Why a value cannot be encoded as a type.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}{message}", at(path))]
pub struct EncodeError {
    /// Where in the value.
    pub path: Path,
    /// What is wrong there; never quotes the value.
    pub message: String,
}

/// A path as the beginning of a message.
pub(super) fn at(path: &Path) -> String {
    if path.is_root() { String::new() } else { format!("{path}: ") }
}

impl EncodeError {
    /// A value had to be decoded before it could be encoded, and that failed.
    #[must_use]
    pub fn from_decode(error: DecodeError) -> Self {
        Self { path: error.path, message: error.message }
    }
}

impl From<json::JsonError> for DecodeError {
    fn from(error: json::JsonError) -> Self {
        Self { path: error.path, message: error.message }
    }
}

/// Reads a value of type `ty`.
///
/// # Errors
/// The bytes are not such a value, or exceed [`crate::limits`].
pub fn decode(bytes: &[u8], ty: &Type) -> Result<Value, DecodeError> {
    decode::decode(bytes, ty).map_err(|failure| {
        let (path, message) = failure.into_parts();
        DecodeError { path, message }
    })
}

/// Writes a value as type `ty`. Marks are dropped.
///
/// # Errors
/// The value does not conform to the type.
pub fn encode(value: &Value, ty: &Type) -> Result<Bytes, EncodeError> {
    encode::encode(value, ty).map(Bytes::from).map_err(|failure| {
        let (path, message) = failure.into_parts();
        EncodeError { path, message }
    })
}
