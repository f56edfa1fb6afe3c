//! The procedures of data sources.

use denobridge_core::cty::Value;
use denobridge_core::planning::{mark_sensitive, rules};
use denobridge_core::provider::*;
use denobridge_core::{Call, Diagnostic, Diagnostics, DynamicValue};

use super::{Server, decode, forbidden_deferral};
use crate::guard::Operation;
use crate::mask::Secrets;

const KIND: &str = "data source";

pub(super) async fn validate(
    server: &Server,
    call: &Call,
    request: ValidateDataResourceConfigRequest,
) -> ValidateDataResourceConfigResponse {
    let type_name = &request.type_name;
    let diagnostics = async {
        let entry = server.find(&server.catalog().data_sources, KIND, type_name)?;
        let config = decode(&request.config, &entry.ty, "configuration", type_name)?;
        let context = |call| server.context(call, type_name).with_capability(entry.capability.clone());
        let validate = |call| async { entry.component.validate(&context(call), &config).await };
        Ok::<_, Diagnostic>(server.checked(call, type_name, &entry.schema.block, &config, validate).await)
    };
    ValidateDataResourceConfigResponse { diagnostics: diagnostics.await.unwrap_or_else(Into::into) }
}

pub(super) async fn read(server: &Server, call: &Call, request: ReadDataSourceRequest) -> ReadDataSourceResponse {
    match found(server, call, request).await {
        Ok(response) => response,
        Err(diagnostics) => ReadDataSourceResponse { diagnostics, ..Default::default() },
    }
}

async fn found(
    server: &Server,
    call: &Call,
    request: ReadDataSourceRequest,
) -> Result<ReadDataSourceResponse, Diagnostics> {
    let type_name = &request.type_name;
    let entry = server.find(&server.catalog().data_sources, KIND, type_name)?;
    let config = decode(&request.config, &entry.ty, "configuration", type_name)?;
    let (block, client) = (&entry.schema.block, request.client_capabilities);
    if let Some(deferred) = server.deferred(client) {
        let state = DynamicValue::from(Value::unknown(entry.ty.clone()));
        return Ok(ReadDataSourceResponse { state, deferred: Some(deferred), ..Default::default() });
    }
    server.ready(type_name, entry.capability.as_ref())?;
    let meta = server.meta(&request.provider_meta)?;
    let operation = Operation { name: "read", component: type_name };
    let mut secrets = Secrets::of(block, &config);
    let context = |call| {
        let context = server.context(call, type_name).with_capabilities(client).with_meta(meta);
        context.with_capability(entry.capability.clone())
    };
    let read = server
        .run(call, operation, &secrets, |call| async { entry.component.read(&context(call), config).await })
        .await;
    let read = read.map_err(|panic| server.said(operation, &secrets, panic.into()))?;
    let mut diagnostics = read.diagnostics;
    diagnostics.extend(forbidden_deferral(operation, client, read.deferred));
    let state = match read.state {
        Some(state) => {
            secrets.add(block, &state);
            if read.deferred.is_none() && !diagnostics.has_errors() {
                let broken = rules::data_result(block, &state);
                diagnostics.extend(broken.into_iter().map(|broken| operation.broken(broken)));
            }
            mark_sensitive(block, &state)
        }
        None if read.deferred.is_some() => Value::unknown(entry.ty.clone()),
        None => {
            if !diagnostics.has_errors() {
                diagnostics.push(operation.error("It returned neither a result nor an error."));
            }
            Value::null(entry.ty.clone())
        }
    };
    let diagnostics = server.said(operation, &secrets, diagnostics);
    // A result that breaks the rules must not be sent: the host might not even be able to decode it.
    let state = if diagnostics.has_errors() { DynamicValue::Absent } else { state.into() };
    Ok(ReadDataSourceResponse { state, diagnostics, deferred: read.deferred })
}
