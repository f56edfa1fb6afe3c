//! What a resource does by itself when its code does not say it: values go where the same name is.

use std::sync::Arc;

use denobridge_core::cty::{Path, Type, Value, json};
use denobridge_core::planning::empty_block;
use denobridge_core::schema::Schema;

use super::Resource;
use crate::model::{Model, ModelError};
use crate::server::resource::fitted;
use crate::typed::failure::Failure;
use crate::typed::identity::Identity;

/// The object that an import by id begins with: the id, and nothing else.
pub(super) fn imported_by_id<M: Model>(schema: &Schema, type_name: &str, id: &str) -> Result<M, Failure> {
    if schema.block.attribute("id").is_none_or(|attribute| attribute.implied_type() != Type::String) {
        let detail = format!("Objects of type {type_name} have no id that is text, so they cannot be imported by one.");
        return Err(Failure::new("Import is not supported", detail));
    }
    imported(schema, type_name, "id", [("id".into(), Value::string(id))])
}

/// The object that an import by identity begins with: the attributes that are called as the identity's are.
pub(super) fn imported_by_identity<M: Model>(schema: &Schema, type_name: &str, identity: &Value) -> Result<M, Failure> {
    let parts = || identity.as_entries().into_iter().flatten();
    let fits = |name: &str, value: &Value| {
        schema.block.attribute(name).is_some_and(|attribute| value.ty().conforms_to(&attribute.implied_type()))
    };
    if let Some((name, _)) = parts().find(|(name, value)| !fits(name, value)) {
        let detail = format!(
            "\"{name}\" is part of the identity of a {type_name} and no attribute of it, so the provider would have to \
             look the object up when importing."
        );
        return Err(Failure::new("Import by identity is not supported", detail));
    }
    imported(schema, type_name, "identity", parts().map(|(name, value)| (Arc::clone(name), value.clone())))
}

fn imported<M: Model>(
    schema: &Schema,
    type_name: &str,
    by: &str,
    known: impl IntoIterator<Item = (Arc<str>, Value)>,
) -> Result<M, Failure> {
    let empty = empty_block(&schema.block);
    let state = known.into_iter().fold(empty, |state, (name, value)| state.with_attribute(name, value));
    M::from_value(&state).map_err(|error: ModelError| {
        let detail = format!(
            "From its {by} alone not enough is known of a {type_name}: {error}. The provider would have to look it up \
             when importing."
        );
        Failure::new("Import is not supported", detail).at(error.path())
    })
}

/// The state with the attributes that the current schema has.
pub(super) fn upgraded<M: Model>(
    schema: &Schema,
    type_name: &str,
    version: i64,
    state: serde_json::Value,
) -> Result<M, Failure> {
    let stored = value_of(state, &schema.implied_type());
    stored.and_then(|state| M::from_value(&state).map_err(|error| (error.to_string(), error.path()))).map_err(
        |(reason, path)| {
            let detail = format!(
                "It was written by version {version} of the schema of {type_name}, and does not fit version {}: {reason}.",
                schema.version
            );
            Failure::new("The stored state is too old", detail).at(path)
        },
    )
}

/// The identity with the parts that the current schema has.
pub(super) fn upgraded_identity<R: Resource>(
    type_name: &str,
    version: i64,
    identity: serde_json::Value,
) -> Result<R::Identity, Failure> {
    let ty = R::Identity::identity_schema(R::IDENTITY_VERSION).map_or(Type::Dynamic, |schema| schema.implied_type());
    let stored = value_of(identity, &ty);
    stored
        .and_then(|value| R::Identity::from_identity(&value).map_err(|error| (error.to_string(), error.path())))
        .map_err(|(reason, _)| {
            let detail = format!(
                "It was written by version {version} of the identity of {type_name}, and does not fit version {}: \
                 {reason}.",
                R::IDENTITY_VERSION
            );
            Failure::new("The stored identity is too old", detail)
        })
}

/// Stored JSON as a value, with exactly the attributes that the type has; or why not, and where.
pub(super) fn value_of(stored: serde_json::Value, ty: &Type) -> Result<Value, (String, Path)> {
    json::from_json(&fitted(stored, ty), ty).map_err(|error| {
        let reason =
            if error.path.is_root() { error.message } else { format!("\"{}\": {}", error.path, error.message) };
        (reason, error.path)
    })
}
