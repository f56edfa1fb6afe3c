//! The procedures of managed resources.

mod apply;
mod generate;
mod identity;
mod import;
mod move_state;
mod plan;
mod read;
mod upgrade;

use bytes::Bytes;
use denobridge_core::cty::Value;
use denobridge_core::planning::{mark_sensitive, unknown_paths, unknowns_as_null, write_only_nulled};
use denobridge_core::provider::{ValidateResourceConfigRequest, ValidateResourceConfigResponse};
use denobridge_core::{Call, Diagnostic, Diagnostics, DynamicValue};

use super::{Registered, Server};
use crate::context::Context;
use crate::guard::Operation;
use crate::private::PrivateData;

pub(super) use apply::apply;
pub(super) use generate::generate;
pub(super) use identity::upgrade as upgrade_identity;
pub(super) use import::import;
pub(super) use move_state::take_over;
pub(super) use plan::plan;
pub(super) use read::read;
pub(crate) use upgrade::fitted;
pub(super) use upgrade::upgrade;

pub(super) async fn validate(
    server: &Server,
    call: &Call,
    request: ValidateResourceConfigRequest,
) -> ValidateResourceConfigResponse {
    let type_name = &request.type_name;
    let diagnostics = async {
        let entry = server.resource(type_name)?;
        let config = decode(entry, &request.config, "configuration", type_name)?;
        let capabilities = request.client_capabilities;
        let context = |call| server.context(call, type_name).with_capabilities(capabilities);
        Ok::<_, Diagnostic>(validate_config(server, call, entry, type_name, &config, context).await)
    };
    ValidateResourceConfigResponse { diagnostics: diagnostics.await.unwrap_or_else(Into::into) }
}

async fn validate_config(
    server: &Server,
    call: &Call,
    entry: &Registered,
    type_name: &str,
    config: &Value,
    context: impl FnOnce(Call) -> Context,
) -> Diagnostics {
    let context = |call| context(call).with_capability(entry.capability.clone());
    let validate = |call| async { entry.resource.validate(&context(call), config).await };
    server.checked(call, type_name, &entry.schema.block, config, validate).await
}

fn decode(entry: &Registered, value: &DynamicValue, what: &str, type_name: &str) -> Result<Value, Diagnostic> {
    super::decode(value, &entry.ty, what, type_name)
}

pub(super) fn decode_private(bytes: &Bytes, type_name: &str) -> Result<PrivateData, Diagnostic> {
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
