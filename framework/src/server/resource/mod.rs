//! The procedures of managed resources.

mod apply;
mod import;
mod plan;
mod read;
mod upgrade;

use std::sync::Arc;

use bytes::Bytes;
use denobridge_core::cty::Value;
use denobridge_core::planning::{mark_sensitive, unknown_paths, unknowns_as_null, write_only_nulled};
use denobridge_core::provider::{ValidateResourceConfigRequest, ValidateResourceConfigResponse};
use denobridge_core::{Call, Diagnostic, Diagnostics, DynamicValue};

use super::{Registered, Server};
use crate::context::Context;
use crate::guard::Operation;
use crate::private::PrivateData;
use crate::validate as schema_check;

pub(super) use apply::apply;
pub(super) use import::import;
pub(super) use plan::plan;
pub(super) use read::read;
pub(crate) use upgrade::fitted;
pub(super) use upgrade::upgrade;

pub(super) async fn validate(
    server: &Server,
    call: &Call,
    request: ValidateResourceConfigRequest,
) -> ValidateResourceConfigResponse {
    let diagnostics = async {
        let entry = server.resource(&request.type_name)?;
        let config = decode(entry, &request.config, "configuration", &request.type_name)?;
        let capabilities = request.client_capabilities;
        let context = |call| server.context(call, &request.type_name).with_capabilities(capabilities);
        Ok::<_, Diagnostic>(validate_config(server, call, entry, &request.type_name, &config, context).await)
    };
    ValidateResourceConfigResponse { diagnostics: diagnostics.await.unwrap_or_else(Into::into) }
}

/// First the schema, then the resource: a resource need not cope with what its schema forbids.
async fn validate_config(
    server: &Server,
    call: &Call,
    entry: &Registered,
    type_name: &Arc<str>,
    config: &Value,
    context: impl FnOnce(Call) -> Context,
) -> Diagnostics {
    let found = schema_check::configuration(&entry.schema.block, config);
    if found.has_errors() {
        return found;
    }
    let operation = Operation { name: "validation", component: type_name };
    let validated =
        server.run(call, operation, |call| async move { entry.resource.validate(&context(call), config).await }).await;
    validated.unwrap_or_else(Into::into)
}

fn decode(entry: &Registered, value: &DynamicValue, what: &str, type_name: &str) -> Result<Value, Diagnostic> {
    super::decode(value, &entry.ty, what, type_name)
}

fn decode_private(bytes: &Bytes, type_name: &str) -> Result<PrivateData, Diagnostic> {
    PrivateData::decode(bytes).map_err(|error| {
        Diagnostic::error(format!("The private data of a {type_name} cannot be read"), format!("{error}."))
    })
}

/// A state as it may leave: wholly known, nothing write-only in it, secrets marked. What is unknown becomes null and an
/// error that names it, so that the rest of the object is kept.
fn settled(entry: &Registered, operation: Operation<'_>, state: &Value, diagnostics: &mut Diagnostics) -> DynamicValue {
    for path in unknown_paths(state) {
        let text = format!("It returned an unknown value for {path}; after it, everything must be known.");
        diagnostics.push(operation.error(text).at(path));
    }
    protected(entry, &unknowns_as_null(state))
}

/// A state with nothing write-only in it and secrets marked.
fn protected(entry: &Registered, state: &Value) -> DynamicValue {
    let block = &entry.schema.block;
    mark_sensitive(block, &write_only_nulled(block, state)).into()
}
