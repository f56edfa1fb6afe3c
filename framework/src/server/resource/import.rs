//! ImportResourceState.

use denobridge_core::provider::{ImportResourceStateRequest, ImportResourceStateResponse, ImportedResource};
use denobridge_core::{Call, Diagnostic, Diagnostics};

use super::{Server, settled};
use crate::erased::{Import, ImportTarget};
use crate::guard::Operation;
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
    let type_name = &request.type_name;
    let entry = server.resource(type_name)?;
    if request.identity.is_some() && request.id.is_empty() {
        let detail = format!("Objects of type {type_name} have no identity. Import by id instead.");
        return Err(Diagnostic::error("Import by identity is not supported", detail).into());
    }
    let mut private = PrivateData::default();
    let operation = Operation { name: "import", component: type_name };
    let import = Import { target: ImportTarget::Id(&request.id), private: &mut private };
    let context = |call| server.context(call, type_name).with_capabilities(request.client_capabilities);
    let outcome =
        server.run(call, operation, |call| async move { entry.resource.import(&context(call), import).await }).await?;
    let mut diagnostics = outcome.diagnostics;
    let imported_resources = match outcome.state.filter(|state| !state.is_null()) {
        _ if diagnostics.has_errors() => Vec::new(),
        Some(state) => vec![ImportedResource {
            type_name: request.type_name.clone(),
            state: settled(entry, operation, &state, &mut diagnostics),
            private: private.encode(),
            identity: None,
        }],
        None => {
            diagnostics.push(operation.error("It returned neither an object nor an error."));
            Vec::new()
        }
    };
    Ok(ImportResourceStateResponse { imported_resources, diagnostics, deferred: None })
}
