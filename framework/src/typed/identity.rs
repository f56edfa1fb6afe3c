//! What tells the objects of a resource apart, with a type.

use denobridge_core::cty::Value;
use denobridge_core::schema::IdentitySchema;

use crate::model::{Model, ModelError, ToValue};
use crate::schema;

/// The identity of a resource's objects: a [`Model`] without blocks, or `()` for resources whose objects have none. An
/// import by identity needs the attributes that are `required` and accepts the others.
pub trait Identity: Sized + Send + Sync + 'static {
    /// The schema; `None` where there is no identity. `version` is that of the stored form.
    fn identity_schema(version: i64) -> Option<IdentitySchema>;

    /// Reads an identity.
    ///
    /// # Errors
    /// The model has no room for the value.
    fn from_identity(value: &Value) -> Result<Self, ModelError>;

    /// The value.
    fn to_identity(&self) -> Value;
}

impl Identity for () {
    fn identity_schema(_: i64) -> Option<IdentitySchema> {
        None
    }

    fn from_identity(_: &Value) -> Result<Self, ModelError> {
        Ok(())
    }

    fn to_identity(&self) -> Value {
        Value::null(denobridge_core::cty::Type::Dynamic)
    }
}

impl<M: Model> Identity for M {
    fn identity_schema(version: i64) -> Option<IdentitySchema> {
        Some(IdentitySchema { version, ..schema::identity(M::definition().attributes) })
    }

    fn from_identity(value: &Value) -> Result<Self, ModelError> {
        M::from_value(value)
    }

    fn to_identity(&self) -> Value {
        ToValue::to_value(self)
    }
}
