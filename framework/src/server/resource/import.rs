//! ImportResourceState.

use denobridge_core::cty::Value;
use denobridge_core::provider::{ImportResourceStateRequest, ImportResourceStateResponse, ImportedResource};
use denobridge_core::{Call, Diagnostic, Diagnostics};

use super::{Server, identity, settled};
use crate::erased::{Import, ImportIdentity, ImportTarget};
use crate::guard::Operation;
use crate::mask::Secrets;
use crate::private::PrivateData;

pub(in crate::server) async fn import(
    server: &Server,
    call: &Call,
    request: ImportResourceStateRequest,
) -> ImportResourceStateResponse {
    match imported(server, call, request).await {
        Ok(response) => response,
        Err(diagnostics) => ImportResourceStateResponse { diagnostics, ..Default::default() },
    }
}

async fn imported(
    server: &Server,
    call: &Call,
    request: ImportResourceStateRequest,
) -> Result<ImportResourceStateResponse, Diagnostics> {
    let (type_name, client) = (&request.type_name, request.client_capabilities);
    let entry = server.resource(type_name)?;
    let by_identity = request.identity.is_some() && request.id.is_empty();
    if by_identity && entry.identity.is_none() {
        let detail = format!("Objects of type {type_name} have no identity. Import by id instead.");
        return Err(Diagnostic::error("Import by identity is not supported", detail).into());
    }
    let given = identity::given(entry, request.identity.as_ref(), type_name)?;
    let operation = Operation { name: "import", component: type_name };
    let context = |call| {
        let context = server.context(call, type_name).with_capabilities(client).with_identity(given.clone());
        context.with_capability(entry.capability.clone())
    };
    let said = |panic: Diagnostic| server.said(operation, &Secrets::default(), panic.into());
    let mut deferred = server.deferred(client);
    if deferred.is_none() && client.deferral_allowed {
        let defer = |call| async { entry.resource.defer(&context(call), None).await };
        deferred = server.run(call, operation, &Secrets::default(), defer).await.map_err(said)?;
    }
    if deferred.is_some() {
        let unknown = ImportedResource {
            type_name: request.type_name.clone(),
            state: Value::unknown(entry.ty.clone()).into(),
            identity: request.identity.clone(),
            ..ImportedResource::default()
        };
        return Ok(ImportResourceStateResponse { imported_resources: vec![unknown], deferred, ..Default::default() });
    }
    server.ready(type_name, entry.capability.as_ref())?;
    let mut private = PrivateData::default();
    let outcome = match &given {
        Some(identity) if by_identity => {
            let request = ImportIdentity { identity: required(entry, identity, type_name)?, private: &mut private };
            let handler = |call| async { entry.resource.import_by_identity(&context(call), request).await };
            server.run(call, operation, &Secrets::default(), handler).await
        }
        _ => {
            let import = Import { target: ImportTarget::Id(&request.id), private: &mut private };
            server
                .run(call, operation, &Secrets::default(), |call| async {
                    entry.resource.import(&context(call), import).await
                })
                .await
        }
    };
    let outcome = outcome.map_err(said)?;
    let mut diagnostics = outcome.diagnostics;
    let mut secrets = Secrets::default();
    let imported_resources = match outcome.state.filter(|state| !state.is_null()) {
        _ if diagnostics.has_errors() => Vec::new(),
        Some(state) => {
            secrets.add(&entry.schema.block, &state);
            let asked = context(call.clone());
            // By id, the state may not yet hold what the identity is made of: the read that follows tells.
            let mut found = Diagnostics::new();
            let rules = identity::Rules { before: None, planned: false };
            let identity = identity::of_state(entry, operation, &asked, &state, rules, &mut found).await;
            let complete = identity.filter(|identity| !by_identity || !identity.children().any(Value::is_null));
            vec![ImportedResource {
                type_name: request.type_name.clone(),
                state: settled(entry, operation, &state, &mut diagnostics),
                private: private.encode(),
                identity: complete.or(given.filter(|_| by_identity)).map(Into::into),
            }]
        }
        None => {
            diagnostics.push(operation.error("It returned neither an object nor an error."));
            Vec::new()
        }
    };
    let diagnostics = server.said(operation, &secrets, diagnostics);
    Ok(ImportResourceStateResponse { imported_resources, diagnostics, deferred: None })
}

/// The identity that the user gave, with everything that an import needs.
fn required(entry: &super::Registered, identity: &Value, type_name: &str) -> Result<Value, Diagnostics> {
    let attributes = entry.identity.iter().flat_map(|identity| &identity.schema.attributes);
    let missing: Diagnostics = attributes
        .filter(|attribute| attribute.required_for_import)
        .filter(|attribute| identity.attribute(&attribute.name).is_none_or(Value::is_null))
        .map(|attribute| {
            let detail = format!("An import of a {type_name} by identity needs \"{}\".", attribute.name);
            Diagnostic::error("Missing part of the identity", detail)
        })
        .collect();
    if missing.is_empty() { Ok(identity.clone()) } else { Err(missing) }
}
