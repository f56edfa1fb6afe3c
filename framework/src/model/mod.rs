//! Rust types as Terraform values: one struct gives the schema of a component and reads and writes its values.
//!
//! ```
//! use denobridge_framework::model::{Model, ModelValue, Secret, Tf, ToValue};
//!
//! /// A server.
//! #[derive(Model)]
//! struct Server {
//!     /// Its id.
//!     #[tf(computed, keep)]
//!     id: Tf<String>,
//!     /// What people call it.
//!     #[tf(required, replace, check = "short")]
//!     name: String,
//!     #[tf(default = 1)]
//!     count: i64,
//!     #[tf(write_only)]
//!     password: Option<Secret<String>>,
//!     #[tf(blocks = "list", max = 5)]
//!     disk: Vec<Disk>,
//! }
//!
//! #[derive(Model)]
//! struct Disk {
//!     #[tf(required)]
//!     path: String,
//! }
//!
//! fn short(name: &str) -> Result<(), String> {
//!     if name.len() <= 20 { Ok(()) } else { Err("must have no more than 20 characters".to_owned()) }
//! }
//!
//! let schema = Server::schema(0);
//! assert!(schema.block.attribute("count").unwrap().computed);
//! assert!(schema.block.attribute("password").unwrap().sensitive);
//!
//! let server = Server { id: Tf::unknown(), name: "web".into(), count: 1, password: None, disk: vec![] };
//! let again = Server::from_value(&server.to_value()).unwrap();
//! assert_eq!((again.name.as_str(), again.count), ("web", 1));
//! ```
//!
//! Which Rust type stands for which Terraform type:
//!
//! | Rust | Terraform |
//! |---|---|
//! | `String`, `bool` | string, bool |
//! | [`Number`](denobridge_core::cty::Number) | number, exact |
//! | `i64`, `i32`, `u64`, `u32`, `u16`, `f64` | number; one that does not fit is an error |
//! | `Vec`, `BTreeSet`, `BTreeMap<String, _>` | list, set, map |
//! | tuples up to four | tuple |
//! | a [`Model`] | nested attributes, or a block |
//! | [`Value`](denobridge_core::cty::Value) | dynamic |
//! | `Option<T>` | T or null |
//! | [`Tf<T>`] | T, null or not known yet |
//! | [`Secret<T>`] | T, never shown |
//!
//! A field's type says what the field can be, and the derive holds it to what its flags mean: what is optional may be null,
//! and what the provider computes is not known while planning. Where a value does not fit, the [`ModelError`] names the
//! attribute as users write it.

mod checks;
mod collections;
mod error;
mod primitives;
mod secret;
mod shape;
#[doc(hidden)]
pub mod support;
mod tf;

use denobridge_core::Diagnostics;
use denobridge_core::cty::{Type, Value};
use denobridge_core::schema::Schema;

pub use checks::Checks;
pub use denobridge_framework_macros::Model;
pub use error::{ModelError, ModelProblem};
pub use secret::Secret;
pub use shape::Shape;
pub use tf::Tf;

use crate::schema::{BlockDefinition, SchemaDefinition};

/// What can be written as a Terraform value.
pub trait ToValue {
    /// The value.
    fn to_value(&self) -> Value;
}

/// What can stand in a field of a [`Model`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no Terraform type, so it cannot be a field of a model",
    note = "supported are String, bool, Number, i64, i32, u64, u32, u16, f64, Vec, BTreeSet, BTreeMap<String, _>, tuples, \
            Option, Tf, Secret, cty::Value and types with #[derive(Model)]"
)]
pub trait ModelValue: ToValue + Sized {
    /// What it is when it is neither null nor unknown; what a check function is given.
    type Known;

    /// Whether it has room for null.
    const HOLDS_NULL: bool = false;
    /// Whether it has room for what is not known yet.
    const HOLDS_UNKNOWN: bool = false;
    /// Whether it is a model with nested blocks, or holds such models: then it can only be a block itself.
    const HAS_BLOCKS: bool = false;
    /// How many collections are around the models in it; `None` where there is none.
    const MODELS: Option<u8> = None;
    /// Whether it must not be shown.
    const SENSITIVE: bool = false;

    /// What it is in a schema.
    fn shape() -> Shape;

    /// The type of its values.
    fn ty() -> Type {
        Self::shape().ty()
    }

    /// Reads a value.
    ///
    /// # Errors
    /// The value is of another type, or null or unknown where there is no room for that.
    fn from_value(value: &Value) -> Result<Self, ModelError>;

    /// What it is, unless it is null or unknown.
    fn known(&self) -> Option<&Self::Known>;

    /// Runs the check functions of the models inside. What is not known yet is left for later.
    fn check(value: &Value, checks: &mut Checks) {
        let _ = (value, checks);
    }
}

/// A struct that stands for a block: the values of a component, or a part of them. Derived, not written.
pub trait Model: ModelValue + Send + Sync + 'static {
    /// The Rust name, for messages to the provider's developers.
    const NAME: &'static str;

    /// Its attributes and blocks.
    fn definition() -> BlockDefinition;

    /// The schema of a component with these values; `version` is that of the stored form.
    #[must_use]
    fn schema(version: i64) -> Schema {
        SchemaDefinition { version, root: Self::definition() }.build()
    }

    /// What the check functions of its fields, and of the models inside, say of a configuration. Fields that are not known
    /// yet are not asked about.
    #[must_use]
    fn check_all(config: &Value) -> Diagnostics {
        let mut checks = Checks::default();
        Self::check(config, &mut checks);
        checks.into_diagnostics()
    }
}

#[cfg(test)]
mod tests;
